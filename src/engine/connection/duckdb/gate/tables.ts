import { isMark, isName, isWord, type Token } from './tokens.ts';

/** What stands where a query names a table: a text in quotes, or names with dots between them. */
export interface TablePlace {
  readonly token: Token;
  /** Its place among the tokens. */
  readonly at: number;
  /** The names as one, as the engine looks for a file by them; null for a text in quotes. */
  readonly path: string | null;
  /** The last of the names, where it is called; else null. */
  readonly called: string | null;
}

/** What is open at one place: a stretch in brackets, or the statement itself. */
interface Frame {
  /** Whether a comma is followed by a table. */
  inList: boolean;
  /** Whether a table comes next. */
  expects: boolean;
  /** Whether FROM belongs to a function, as in `trim(FROM x)`. */
  readonly isSpecial: boolean;
}

/** Words after which a table comes. */
const BEFORE_TABLE = new Set(
  'join pivot unpivot pivot_wider pivot_longer describe desc summarize show'.split(' '),
);
/** Words that may stand between those and the table. */
const BETWEEN = new Set(['only', 'lateral']);
/** Words before TABLE where it makes, drops or changes one. */
const DEFINING = new Set(
  'create replace temp temporary local global unlogged persistent drop alter macro function'.split(' '),
);
/** Functions with a FROM of their own. */
const SPECIAL = ['trim', 'substring', 'extract', 'overlay'];

/**
 * Finds what may name a table in a text whose brackets match. Where it is not sure, what stands there may; a table
 * is never missed. In one pass.
 */
export function* findTablePlaces(tokens: readonly Token[]): Generator<TablePlace, void, undefined> {
  const frames: Frame[] = [{ inList: false, expects: false, isSpecial: false }];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    const frame = frames.at(-1)!;
    if (token.kind === 'punctuation') {
      passMark(tokens, at, frames);
    } else if (token.kind === 'word' && passKeyword(tokens, at, frame)) {
      // It changed what comes next.
    } else if (frame.expects) {
      const place = readPlace(tokens, at);
      frame.expects = false;
      if (place === null) continue;
      const alias = isAlias(tokens, place.end);
      frame.expects = alias;
      at = place.end - 1;
      if (!alias) yield place.found;
    }
  }
}

/** A name before a colon is the alias of the table behind it. */
function isAlias(tokens: readonly Token[], at: number): boolean {
  return isMark(tokens[at], ':') && !isMark(tokens[at + 1], ':') && !isMark(tokens[at + 1], '=');
}

function passMark(tokens: readonly Token[], at: number, frames: Frame[]): void {
  const frame = frames.at(-1)!;
  const { text } = tokens[at]!;
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

/** Whether a word calls a function with a FROM of its own, and is no table to insert a query into. */
function isSpecial(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return isWord(tokens[at], ...SPECIAL) && !isMark(before, '.') && !isWord(before, 'into', 'as');
}

/** Whether a word is one that says what comes next; behind a dot it is a name. */
function passKeyword(tokens: readonly Token[], at: number, frame: Frame): boolean {
  const { text } = tokens[at]!;
  if (isMark(tokens[at - 1], '.')) return false;
  if (text === 'from') return passFrom(tokens, at, frame);
  if (text === 'using') {
    frame.inList = true;
    frame.expects = true;
    return true;
  }
  if (text === 'table') {
    frame.expects = !(isName(tokens[at - 1]) && DEFINING.has(tokens[at - 1]!.text));
    return true;
  }
  if (BEFORE_TABLE.has(text)) {
    frame.expects = true;
    return true;
  }
  if (BETWEEN.has(text) && frame.expects && !isMark(tokens[at + 1], '.')) return true;
  const isEnd =
    text === 'select' ||
    text === 'returning' ||
    ((text === 'group' || text === 'order') && isWord(tokens[at + 1], 'by'));
  if (isEnd) {
    frame.inList = false;
    frame.expects = false;
  }
  return isEnd;
}

/** FROM begins a list of tables, but for `IS DISTINCT FROM` and functions with a FROM of their own. */
function passFrom(tokens: readonly Token[], at: number, frame: Frame): boolean {
  const isOperator = isWord(tokens[at - 1], 'distinct') && isWord(tokens[at - 2], 'is', 'not');
  if (frame.isSpecial || isOperator) {
    frame.expects = false;
    return true;
  }
  frame.inList = true;
  frame.expects = true;
  return true;
}

/** The text, or the names, that begin at a token; null for what is neither. */
function readPlace(
  tokens: readonly Token[],
  at: number,
): { readonly found: TablePlace; readonly end: number } | null {
  const token = tokens[at]!;
  if (token.kind === 'string' || token.kind === 'dollar-quote') {
    return { found: { token, at, path: null, called: null }, end: at + 1 };
  }
  if (!isName(token)) return null;
  let end = at + 1;
  while (isMark(tokens[end], '.') && isName(tokens[end + 1])) end += 2;
  const path = tokens.slice(at, end).map(({ raw }) => raw);
  const called = isMark(tokens[end], '(') ? tokens[end - 1]!.text : null;
  return { found: { token, at, path: path.join(''), called }, end };
}
