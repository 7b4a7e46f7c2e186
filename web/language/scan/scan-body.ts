import { readReference } from '../../../src/engine/script/params/param-names.ts';
import { findLexemeEnd, type Lexeme, UNTERMINATED } from '../../../src/engine/text/sql-lexemes.ts';
import { findLexeme } from '../../../src/engine/text/sql-scanner.ts';
import type { ScanRules } from './scan-line.ts';
import { type OpenLexeme, type Scanned, type ScanState, START, type TokenKind } from './state.ts';

const KINDS: Readonly<Record<Lexeme, TokenKind>> = {
  space: 'space',
  'line-comment': 'comment',
  'block-comment': 'comment',
  'conditional-comment-start': 'punctuation',
  word: 'word',
  number: 'number',
  string: 'string',
  'escape-string': 'string',
  'quoted-name': 'quoted-name',
  'bracket-name': 'quoted-name',
  'dollar-quote': 'string',
  parameter: 'parameter',
  punctuation: 'punctuation',
};

/** Lexemes that can contain expressions and directives. */
const QUOTES: ReadonlySet<Lexeme> = new Set(['string', 'escape-string', 'quoted-name', 'dollar-quote']);
/** Lexemes that can continue on the next line. */
const OVER_LINES: ReadonlySet<Lexeme> = new Set([...QUOTES, 'bracket-name', 'block-comment']);

const DIRECTIVE = /#\+([A-Za-z]\w*)/y;
const INSIDE_QUOTES = /\{\{|#\+(?:if|elseif|else|for|end)\b|\$\$?[A-Za-z_]/g;
const PARTS: ReadonlySet<string> = new Set(['if', 'elseif', 'else', 'for', 'end']);
const BLANK_BEFORE = /^(?:[^\S\n\r]|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/;
const CALL = /\s*\(/y;

/** Scans a token of SQL, or the start of an expression or a directive. */
export function scanBody(line: string, at: number, state: ScanState, rules: ScanRules): Scanned {
  const mark = findMark(line, at, state, rules);
  if (mark !== null) return mark;
  if (state.open !== null) return scanOpen(line, at, state, state.open, rules);
  const lexeme = findLexeme(line, at, rules.lexicalRules);
  if (OVER_LINES.has(lexeme)) return scanOpen(line, at, state, open(lexeme, line, at), rules);
  const end = findLexemeEnd[lexeme](line, at, rules.lexicalRules);
  const closed = end === UNTERMINATED ? line.length : end;
  return { kind: toKind(lexeme, line, at, closed, rules), end: closed, state };
}

/** The parameter, expression or directive that starts at `at`. */
function findMark(line: string, at: number, state: ScanState, rules: ScanRules): Scanned | null {
  if (state.open?.lexeme === 'block-comment') return null;
  if (line.charAt(at) === '$' && state.open?.lexeme !== 'dollar-quote') {
    const reference = findReference(line, at, state, rules);
    if (reference !== null) return { kind: 'parameter', end: reference, state };
  }
  if (!rules.isScript) return null;
  if (line.startsWith('{{', at)) {
    return { kind: 'brace', end: at + 2, state: { ...state, ...NO_EXPRESSION, place: 'interpolation' } };
  }
  DIRECTIVE.lastIndex = at;
  const [mark, word] = DIRECTIVE.exec(line) ?? [];
  if (mark === undefined || word === undefined) return null;
  const next = enter(word, line.slice(0, at), state);
  return next === null ? null : { kind: 'directive', end: at + mark.length, state: next };
}

/** The end of a `$name`; null if a dollar quote starts there. */
function findReference(line: string, at: number, state: ScanState, rules: ScanRules): number | null {
  const reference = readReference(line, at);
  if (reference === undefined) return null;
  if (state.open !== null || findLexeme(line, at, rules.lexicalRules) !== 'dollar-quote')
    return reference.end;
  const isDoubled = line.charAt(at + 1) === '$';
  // `$$name` is a parameter, unless the quote that `$$` opens is closed on its line.
  return isDoubled && !line.includes('$$', at + 2) ? reference.end : null;
}

const NO_EXPRESSION = { inner: null, brackets: '', isAfterValue: false } as const;

/** The state after a directive; null if the word is text here. */
function enter(word: string, before: string, state: ScanState): ScanState | null {
  if (PARTS.has(word)) return enterPart(word, state);
  if (state.isDeclared || state.parts > 0 || !BLANK_BEFORE.test(before)) return null;
  if (word === 'import') return { ...START, place: 'import' };
  if (word === 'const') return { ...START, place: 'constants' };
  return word === 'begin' ? { ...START, isDeclared: true } : { ...START, place: 'header' };
}

function enterPart(word: string, state: ScanState): ScanState {
  switch (word) {
    case 'if':
      return { ...state, ...NO_EXPRESSION, place: 'condition', parts: state.parts + 1 };
    case 'for':
      return { ...state, ...NO_EXPRESSION, place: 'loop-variable', parts: state.parts + 1 };
    case 'elseif':
      return { ...state, ...NO_EXPRESSION, place: 'condition' };
    case 'end':
      return state.parts > 0 ? { ...state, parts: state.parts - 1 } : START;
    default:
      return state;
  }
}

function open(lexeme: Lexeme, line: string, at: number): OpenLexeme {
  switch (lexeme) {
    case 'block-comment':
      return { lexeme, opening: '' };
    case 'escape-string':
      return { lexeme, opening: line.slice(at, line.indexOf("'", at) + 1) };
    case 'dollar-quote':
      return { lexeme, opening: line.slice(at, line.indexOf('$', at + 1) + 1) };
    default:
      return { lexeme, opening: line.charAt(at) };
  }
}

/** Scans a lexeme that is open, or opens here, up to its end, to a mark inside it, or to the end of the line. */
function scanOpen(line: string, at: number, state: ScanState, lexeme: OpenLexeme, rules: ScanRules): Scanned {
  const isNew = state.open === null;
  if (lexeme.lexeme === 'block-comment') return scanComment(line, at, state, lexeme, rules);
  const kind = KINDS[lexeme.lexeme];
  const { opening } = lexeme;
  const from = isNew ? at + opening.length : at;
  const lexemeEnd = findLexemeEnd[lexeme.lexeme](opening + line.slice(from), 0, rules.lexicalRules);
  const end = lexemeEnd === UNTERMINATED ? line.length : lexemeEnd - opening.length + from;
  const inside = QUOTES.has(lexeme.lexeme) ? findInside(line, from, end, lexeme, rules) : null;
  if (inside !== null && inside > at) return { kind, end: inside, state: { ...state, open: lexeme } };
  return { kind, end, state: { ...state, open: lexemeEnd === UNTERMINATED ? lexeme : null } };
}

/** The first expression, directive or parameter inside a quote that is open from `from` to `end`. */
function findInside(
  line: string,
  from: number,
  end: number,
  { lexeme }: OpenLexeme,
  { isScript }: ScanRules,
): number | null {
  for (const { index, 0: mark } of line.slice(from, end).matchAll(INSIDE_QUOTES)) {
    const isParameter = mark.startsWith('$');
    if (isParameter ? lexeme !== 'dollar-quote' : isScript) return from + index;
  }
  return null;
}

const COMMENT_EDGE = /\/\*|\*\//g;

/** Scans a comment; `opening` has one mark for each open comment around the position. */
function scanComment(
  line: string,
  at: number,
  state: ScanState,
  { lexeme, opening }: OpenLexeme,
  { lexicalRules }: ScanRules,
): Scanned {
  let depth = opening.length;
  COMMENT_EDGE.lastIndex = at;
  for (let edge = COMMENT_EDGE.exec(line); edge !== null; edge = COMMENT_EDGE.exec(line)) {
    if (edge[0] === '/*') depth += depth === 0 || lexicalRules.nestedComments ? 1 : 0;
    else depth -= 1;
    if (depth === 0) return { kind: 'comment', end: COMMENT_EDGE.lastIndex, state: { ...state, open: null } };
  }
  const open = { lexeme, opening: '*'.repeat(depth) };
  return { kind: 'comment', end: line.length, state: { ...state, open } };
}

function toKind(
  lexeme: Lexeme,
  line: string,
  start: number,
  end: number,
  { keywords }: ScanRules,
): TokenKind {
  if (lexeme !== 'word') return KINDS[lexeme];
  if (keywords.has(line.slice(start, end).toLowerCase())) return 'keyword';
  CALL.lastIndex = end;
  return CALL.test(line) ? 'function' : 'word';
}
