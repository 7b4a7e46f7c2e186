import type { LexicalRules } from './lexical-rules.ts';

const BYTE_ORDER_MARK = '\ufeff';

/** Whether the character at `at` is one of the digits 0 to 9. */
export function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Whether the character at `at` is a blank; a byte order mark at the beginning of the text always is. */
export function isSpace(text: string, at: number, lexicalRules: LexicalRules): boolean {
  const code = text.charCodeAt(at);
  if (code === 32 || code === 9 || code === 10 || code === 12 || code === 13) return true;
  // No rules have more printable characters of ASCII; behind the end of a text there is none.
  if ((code > 32 && code < 128) || Number.isNaN(code)) return false;
  const character = text.charAt(at);
  return (character === BYTE_ORDER_MARK && at === 0) || lexicalRules.spaces.includes(character);
}

/** Whether a dollar quote's tag or a parameter's name may begin here: a letter, `_`, or what is not ASCII. */
export function isNameStart(text: string, at: number, lexicalRules: LexicalRules): boolean {
  const code = text.charCodeAt(at);
  if (code >= 128) return !isSpace(text, at, lexicalRules);
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

/** Where the name that begins before `from` ends: letters, digits, `_`, what is not ASCII, and no `$`. */
export function findNameEnd(text: string, from: number, lexicalRules: LexicalRules): number {
  let at = from;
  while (isNameStart(text, at, lexicalRules) || isDigit(text, at)) at += 1;
  return at;
}

/** Whether an unquoted word may begin here. */
export function isWordStart(text: string, at: number, lexicalRules: LexicalRules): boolean {
  return isNameStart(text, at, lexicalRules) || (lexicalRules.dollarWords && text.charAt(at) === '$');
}
