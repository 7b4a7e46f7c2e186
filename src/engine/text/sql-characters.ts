import type { LexicalRules } from './lexical-rules.ts';

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
