import { readReference } from '../../../src/engine/script/params/param-names.ts';
import { substituteParams } from '../../../src/engine/script/params/params.ts';
import { findToken, lexExpression, type Token } from '../../../src/engine/script/syntax/lex-expression.ts';
import { VALUE_WORDS } from '../../../src/engine/script/syntax/parse-expression.ts';
import { type Scanned, type ScanState, START, type TokenKind } from './state.ts';

const OPERATOR_WORDS: ReadonlySet<string> = new Set(['and', 'or', 'not']);
const CLAUSE_WORDS: ReadonlySet<string> = new Set(['separator', 'before', 'after']);
const HEADER_WORDS: ReadonlySet<string> = new Set(['sql', 'void']);
const VALUES: ReadonlySet<string> = new Set(VALUE_WORDS);
const CLOSED_BY: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
const OPERATOR = /^[-+*/%<>=!]/;
const CALL = /\s*\(/y;
const COMMENTS_IN: ReadonlySet<ScanState['place']> = new Set(['header', 'import', 'constants']);

/** Scans a token of an expression, a header, an import or the constants; null for a directive that ends it. */
export function scanExpression(line: string, at: number, state: ScanState): Scanned | null {
  if (state.inner !== null) return scanInner(line, at, at, state, state.inner);
  const rendered = substituteParams({ name: '', text: line }, {});
  const { start } = findToken(rendered, at, { comments: false });
  if (start > at) return { kind: 'space', end: start, state };
  if (COMMENTS_IN.has(state.place)) {
    if (line.startsWith('--', at)) return { kind: 'comment', end: line.length, state };
    if (line.startsWith('/*', at)) return scanInner(line, at, at + 2, state, '/*');
  }
  const character = line.charAt(at);
  if (character === '"' || character === '`') return scanInner(line, at, at + 1, state, character);
  if (character === ':' && isBeforeType(state)) return scanColon(at, state);
  if (state.place === 'interpolation' && line.startsWith('}}', at) && !state.brackets.includes('{')) {
    return { kind: 'brace', end: at + 2, state: { ...state, place: 'body' } };
  }
  const token = lexExpression(rendered, at, { comments: false });
  return token.kind === 'directive' ? scanDirective(token, state) : scanPlain(line, token, state);
}

/** Whether a `:` here precedes the type of a block, or the list of a loop, and is not part of a symbol. */
function isBeforeType({ place, brackets }: ScanState): boolean {
  return place === 'loop-variable' || (place === 'header' && brackets === '');
}

function scanColon(at: number, state: ScanState): Scanned {
  const place = state.place === 'loop-variable' ? 'loop' : state.place;
  return { kind: 'punctuation', end: at + 1, state: { ...state, place, isAfterValue: false } };
}

function scanDirective({ text, end }: Token, state: ScanState): Scanned | null {
  const kind = 'directive';
  if (state.place === 'constants') return { kind, end, state: text === 'end' ? START : state };
  if (state.place !== 'header' && state.place !== 'import') return null;
  if (text === 'begin') return { kind, end, state: { ...START, isDeclared: true } };
  return { kind, end, state: text === 'end' ? START : { ...state, brackets: '' } };
}

function scanPlain(line: string, token: Token, state: ScanState): Scanned {
  const { kind, text, end } = token;
  switch (kind) {
    case 'name':
      return scanName(line, token, state);
    case 'sign':
      return { kind: OPERATOR.test(text) ? 'operator' : 'punctuation', end, state: afterSign(text, state) };
    default: {
      const isAfterValue = kind !== 'unknown';
      return { kind: KINDS[kind] ?? 'unknown', end, state: { ...state, isAfterValue } };
    }
  }
}

const KINDS: Readonly<Partial<Record<Token['kind'], TokenKind>>> = {
  symbol: 'symbol',
  integer: 'number',
  float: 'number',
  unset: 'parameter',
};

function afterSign(sign: string, state: ScanState): ScanState {
  const opened = CLOSED_BY[sign];
  if (opened !== undefined) {
    const isMatch = state.brackets.endsWith(opened);
    return { ...state, brackets: isMatch ? state.brackets.slice(0, -1) : state.brackets, isAfterValue: true };
  }
  const brackets = '([{'.includes(sign) ? state.brackets + sign : state.brackets;
  return { ...state, brackets, isAfterValue: false };
}

function scanName(line: string, { text, end }: Token, state: ScanState): Scanned {
  const canEnd = state.isAfterValue && state.brackets === '';
  const { place } = state;
  if (canEnd && ((place === 'condition' && text === 'then') || (place === 'loop' && text === 'do'))) {
    return { kind: 'directive', end, state: { ...state, place: 'body' } };
  }
  if (canEnd && place === 'loop' && CLAUSE_WORDS.has(text)) {
    return { kind: 'directive', end, state: { ...state, isAfterValue: false } };
  }
  if (OPERATOR_WORDS.has(text)) return { kind: 'keyword', end, state: { ...state, isAfterValue: false } };
  return { kind: toNameKind(line, text, end, state), end, state: { ...state, isAfterValue: true } };
}

function toNameKind(line: string, text: string, end: number, { place, brackets }: ScanState): TokenKind {
  if (VALUES.has(text)) return 'value-word';
  if (place === 'import') return text === 'as' ? 'keyword' : 'name';
  if (place === 'header' && brackets === '') return HEADER_WORDS.has(text) ? 'keyword' : 'function';
  CALL.lastIndex = end;
  return CALL.test(line) ? 'function' : 'name';
}

type Inner = Exclude<ScanState['inner'], null>;

const INNER: Readonly<Record<Inner, RegExp>> = {
  '"': /["\\$]/g,
  '`': /[`$]/g,
  '/*': /\*\//g,
};

/** Scans a string or comment that is open at `from`, up to its end, a parameter, or the end of the line. */
function scanInner(line: string, at: number, from: number, state: ScanState, inner: Inner): Scanned {
  const kind = inner === '/*' ? 'comment' : 'string';
  const pattern = INNER[inner];
  pattern.lastIndex = from;
  for (let match = pattern.exec(line); match !== null; match = pattern.exec(line)) {
    const { index, 0: mark } = match;
    if (mark === '$') {
      const parameter = readReference(line, index);
      if (parameter === undefined) continue;
      const open: ScanState = { ...state, inner };
      return index > at
        ? { kind, end: index, state: open }
        : { kind: 'parameter', end: parameter.end, state: open };
    }
    if (mark !== '\\') {
      const isAfterValue = inner === '/*' ? state.isAfterValue : true;
      return { kind, end: pattern.lastIndex, state: { ...state, inner: null, isAfterValue } };
    }
    pattern.lastIndex += 1;
  }
  return { kind, end: line.length, state: { ...state, inner } };
}
