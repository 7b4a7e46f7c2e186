import { isPause } from '../../../text/interruptible.ts';
import { isMark, isName, isWord, type SignificantToken, type TokenList } from './tokens.ts';

/** A position where a query names a table: a string, or dotted names. */
export interface TablePlace {
  readonly token: SignificantToken;
  /** Index of its first token. */
  readonly at: number;
  /** The dotted names as one string, by which the engine looks for a file; null for a string literal. */
  readonly path: string | null;
  /** The last name, in lower case; null for a string literal. */
  readonly name: string | null;
  readonly isCalled: boolean;
}

/** Separates positions where the search may pause. */
export const PAUSE = null;

/** The state of one nesting level: brackets, or the statement itself. */
interface Frame {
  /** Whether a table follows a comma. */
  inList: boolean;
  /** Whether a table comes next. */
  expects: boolean;
  /** Whether FROM belongs to a function, as in `trim(FROM x)`. */
  readonly isSpecial: boolean;
}

/** Words before a table. */
const BEFORE_TABLE = new Set(
  'join pivot unpivot pivot_wider pivot_longer describe desc summarize show into update analyze analyse'.split(
    ' ',
  ),
);
/** Words that may come between those and the table. */
const BETWEEN = new Set(['only', 'lateral']);
/** First words of statements in which TABLE introduces a definition, and the words between. */
const DEFINING = ['create', 'drop', 'alter'];
const MODIFYING = 'or replace temp temporary local global unlogged persistent macro function'.split(' ');
/** Words before an explained statement; its options may be in parentheses. */
const EXPLAINING = ['explain', 'analyze', 'analyse', 'verbose'];
/** Functions with FROM in their arguments. */
const SPECIAL = ['trim', 'substring', 'extract', 'overlay'];

/**
 * Finds all positions that may name a table, in one pass over a text with matching brackets. It may return other
 * positions too, but never misses a table.
 */
export function* findTablePlaces(tokens: TokenList): Generator<TablePlace | typeof PAUSE, void, undefined> {
  const frames: Frame[] = [{ inList: false, expects: false, isSpecial: false }];
  for (let at = 0; at < tokens.length; at += 1) {
    if (isPause(at)) yield PAUSE;
    const frame = frames.at(-1)!;
    if (pass(tokens, at, frames) || !frame.expects) continue;
    const place = readPlace(tokens, at);
    frame.expects = place?.isAlias ?? false;
    if (place === null) continue;
    at = place.end - 1;
    if (!place.isAlias) yield place.tablePlace;
  }
}

/** Handles a symbol or word that determines what comes next; false for other tokens. */
function pass(tokens: TokenList, at: number, frames: Frame[]): boolean {
  const { kind } = tokens.at(at)!;
  if (kind === 'punctuation') {
    passMark(tokens, at, frames);
    return true;
  }
  return kind === 'word' && passKeyword(tokens, at, frames.at(-1)!);
}

/** A name before a colon is the alias of the following table. */
function isAlias(tokens: TokenList, at: number): boolean {
  return isMark(tokens.at(at), ':') && !isMark(tokens.at(at + 1), ':') && !isMark(tokens.at(at + 1), '=');
}

function passMark(tokens: TokenList, at: number, frames: Frame[]): void {
  const frame = frames.at(-1)!;
  const { text } = tokens.at(at)!;
  if (text === '(') {
    frames.push({ inList: false, expects: frame.expects, isSpecial: isSpecial(tokens, at - 1) });
    frame.expects = false;
  } else if (text === '[' || text === '{') {
    frames.push({ inList: false, expects: false, isSpecial: false });
    frame.expects = false;
  } else if (text === ')' || text === ']' || text === '}') {
    frames.pop();
  } else if (text === ',') {
    frame.expects = frame.inList;
  } else if (text !== ':') {
    frame.expects = false;
  }
}

/** Whether a word calls a function with FROM in its arguments, and is not the table of an INSERT with a query. */
function isSpecial(tokens: TokenList, at: number): boolean {
  const before = tokens.at(at - 1);
  return isWord(tokens.at(at), ...SPECIAL) && !isMark(before, '.') && !isWord(before, 'into', 'as');
}

/** Handles a keyword that determines what comes next; after a dot it is a name. */
function passKeyword(tokens: TokenList, at: number, frame: Frame): boolean {
  const { text } = tokens.at(at)!;
  if (isMark(tokens.at(at - 1), '.')) return false;
  if (text === 'from') return passFrom(tokens, at, frame);
  if (text === 'using') {
    frame.inList = true;
    frame.expects = true;
    return true;
  }
  if (text === 'table') {
    frame.expects = !isDefined(tokens, at);
    return true;
  }
  if (BEFORE_TABLE.has(text)) {
    frame.expects = true;
    return true;
  }
  if (BETWEEN.has(text) && frame.expects && !isMark(tokens.at(at + 1), '.')) return true;
  const isEnd =
    text === 'select' ||
    text === 'returning' ||
    ((text === 'group' || text === 'order') && isWord(tokens.at(at + 1), 'by'));
  if (isEnd) {
    frame.inList = false;
    frame.expects = false;
  }
  return isEnd;
}

/** Whether TABLE is part of a statement that defines a table; otherwise it starts a query. */
function isDefined(tokens: TokenList, at: number): boolean {
  let first = at - 1;
  while (isWord(tokens.at(first), ...MODIFYING)) first -= 1;
  const before = tokens.at(first - 1);
  const isFirst = before === undefined || isMark(before, ')') || isWord(before, ...EXPLAINING);
  return isWord(tokens.at(first), ...DEFINING) && isFirst;
}

/** FROM starts a list of tables, except in `IS DISTINCT FROM` and in functions with FROM in their arguments. */
function passFrom(tokens: TokenList, at: number, frame: Frame): boolean {
  const isOperator = isWord(tokens.at(at - 1), 'distinct') && isWord(tokens.at(at - 2), 'is', 'not');
  if (frame.isSpecial || isOperator) {
    frame.expects = false;
    return true;
  }
  frame.inList = true;
  frame.expects = true;
  return true;
}

/** The string literal or dotted names that start at a token; null for other tokens. */
function readPlace(
  tokens: TokenList,
  at: number,
): { readonly tablePlace: TablePlace; readonly end: number; readonly isAlias: boolean } | null {
  const token = tokens.at(at)!;
  if (token.kind === 'string' || token.kind === 'dollar-quote') {
    return {
      tablePlace: { token, at, path: null, name: null, isCalled: false },
      end: at + 1,
      isAlias: isAlias(tokens, at + 1),
    };
  }
  if (!isName(token)) return null;
  let end = at + 1;
  while (isMark(tokens.at(end), '.') && isName(tokens.at(end + 1))) end += 2;
  let path = '';
  for (let part = at; part < end; part += 1) path += tokens.at(part)!.raw;
  const { text: name } = tokens.at(end - 1)!;
  const isCalled = isMark(tokens.at(end), '(');
  return { tablePlace: { token, at, path, name, isCalled }, end, isAlias: isAlias(tokens, end) };
}
