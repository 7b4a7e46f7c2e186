import type { LexicalRules } from './lexical-rules.ts';

/** The lexical unit at one position of SQL; more precise than the kind of its token. */
export type Lexeme =
  | 'space'
  | 'line-comment'
  | 'block-comment'
  | 'conditional-comment-start'
  | 'word'
  | 'number'
  | 'string'
  | 'escape-string'
  | 'quoted-name'
  | 'bracket-name'
  | 'dollar-quote'
  | 'parameter'
  | 'punctuation';

const NEW_LINE = /\n/g;
const LINE_END = /[\n\r]/g;
const STAR = 42;
const SLASH = 47;

/** The end of an unterminated lexeme. */
export const UNTERMINATED = -1;

type FindEnd = (text: string, start: number, lexicalRules: LexicalRules) => number;

/** Finds the end of each lexeme from its start: an offset, or UNTERMINATED. */
export const findLexemeEnd: Readonly<Record<Lexeme, FindEnd>> = {
  space: findSpaceEnd,
  'line-comment': findLineCommentEnd,
  'block-comment': findBlockCommentEnd,
  'conditional-comment-start': findConditionalCommentStartEnd,
  word: findWordEnd,
  number: findNumberEnd,
  string: (text, start, lexicalRules) =>
    lexicalRules.backslashEscapes
      ? findEscapedEnd(text, start + 1, text.charAt(start))
      : findDoubledEnd(text, start + 1, text.charAt(start)),
  'escape-string': (text, start) => findEscapedEnd(text, text.indexOf("'", start) + 1, "'"),
  'quoted-name': (text, start) => findDoubledEnd(text, start + 1, text.charAt(start)),
  'bracket-name': (text, start) => findDoubledEnd(text, start + 1, ']'),
  'dollar-quote': findDollarQuoteEnd,
  parameter: findParameterEnd,
  punctuation: (_, start) => start + 1,
};

function findSpaceEnd(text: string, start: number, lexicalRules: LexicalRules): number {
  let at = start + 1;
  while (isSpace(text, at, lexicalRules)) at += 1;
  return at;
}

function findLineCommentEnd(text: string, start: number, lexicalRules: LexicalRules): number {
  const lineEnd = lexicalRules.returnEndsLine ? LINE_END : NEW_LINE;
  lineEnd.lastIndex = start;
  return lineEnd.exec(text)?.index ?? text.length;
}

function findBlockCommentEnd(text: string, start: number, lexicalRules: LexicalRules): number {
  let depth = 1;
  let at = start + 2;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const next = code === STAR || code === SLASH ? text.charCodeAt(at + 1) : Number.NaN;
    at += 1;
    if (code === STAR && next === SLASH) {
      depth -= 1;
      at += 1;
      if (depth === 0) return at;
    } else if (lexicalRules.nestedComments && code === SLASH && next === STAR) {
      depth += 1;
      at += 1;
    }
  }
  return UNTERMINATED;
}

/** `/*!` and the version that may follow. */
function findConditionalCommentStartEnd(text: string, start: number): number {
  let at = start + 3;
  while (isDigit(text, at)) at += 1;
  return at;
}

function findWordEnd(text: string, start: number, lexicalRules: LexicalRules): number {
  let at = findNameEnd(text, start + 1, lexicalRules);
  while (text.charAt(at) === '$') at = findNameEnd(text, at + 1, lexicalRules);
  return at;
}

/** Digits, a fraction unless two dots follow, and an exponent only if it has digits. */
function findNumberEnd(text: string, start: number): number {
  let end = findDigitsEnd(text, start);
  if (text.charAt(end) === '.' && text.charAt(end + 1) !== '.') end = findDigitsEnd(text, end + 1);
  const letter = text.charAt(end);
  if (letter !== 'e' && letter !== 'E') return end;
  const sign = text.charAt(end + 1);
  const exponent = sign === '+' || sign === '-' ? end + 2 : end + 1;
  return isDigit(text, exponent) ? findDigitsEnd(text, exponent) : end;
}

/** The end of digits, each with at most one `_` before it; `from` itself if there is no digit. */
function findDigitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text, at)) at += text.charAt(at + 1) === '_' && isDigit(text, at + 2) ? 2 : 1;
  return at;
}

/** The end of a token that `quote` closes; a doubled quote is an escaped quote. */
function findDoubledEnd(text: string, from: number, quote: string): number {
  let at = text.indexOf(quote, from);
  while (at !== -1 && text.charAt(at + 1) === quote) at = text.indexOf(quote, at + 2);
  return at === -1 ? UNTERMINATED : at + 1;
}

/** The end of a token that `quote` closes; a backslash escapes the next character. */
function findEscapedEnd(text: string, from: number, quote: string): number {
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '\\') at += 2;
    else if (character !== quote) at += 1;
    else if (text.charAt(at + 1) === quote) at += 2;
    else return at + 1;
  }
  return UNTERMINATED;
}

function findDollarQuoteEnd(text: string, start: number, lexicalRules: LexicalRules): number {
  const opened = findNameEnd(text, start + 1, lexicalRules) + 1;
  const closing = text.indexOf(text.slice(start, opened), opened);
  return closing === -1 ? UNTERMINATED : closing + opened - start;
}

/** `$name`, `$"name"`, `$1`, `?` or `?1`. */
function findParameterEnd(text: string, start: number, lexicalRules: LexicalRules): number {
  const next = start + 1;
  if (text.charAt(next) === '"') return findDoubledEnd(text, next + 1, '"');
  return isNameStart(text, next, lexicalRules)
    ? findNameEnd(text, next, lexicalRules)
    : findDigitsEnd(text, next);
}

const BYTE_ORDER_MARK = '\ufeff';

/** Whether the character at `at` is one of the digits 0 to 9. */
export function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Whether the character at `at` is whitespace; a byte order mark at the start of the string always is. */
export function isSpace(text: string, at: number, lexicalRules: LexicalRules): boolean {
  const code = text.charCodeAt(at);
  if (code === 32 || code === 9 || code === 10 || code === 12 || code === 13) return true;
  // No rules treat a printable ASCII character as a space; NaN is the end of the string.
  if ((code > 32 && code < 128) || Number.isNaN(code)) return false;
  const character = text.charAt(at);
  return (character === BYTE_ORDER_MARK && at === 0) || lexicalRules.spaces.includes(character);
}

/** Whether the tag of a dollar quote or a parameter name can start here: a letter, `_`, or a non-ASCII character. */
export function isNameStart(text: string, at: number, lexicalRules: LexicalRules): boolean {
  const code = text.charCodeAt(at);
  if (code >= 128) return !isSpace(text, at, lexicalRules);
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

/** The end of the name that starts before `from`: letters, digits, `_` and non-ASCII characters, but not `$`. */
export function findNameEnd(text: string, from: number, lexicalRules: LexicalRules): number {
  let at = from;
  while (isNameStart(text, at, lexicalRules) || isDigit(text, at)) at += 1;
  return at;
}

/** Whether an unquoted word can start here. */
export function isWordStart(text: string, at: number, lexicalRules: LexicalRules): boolean {
  return isNameStart(text, at, lexicalRules) || (lexicalRules.dollarWords && text.charAt(at) === '$');
}
