import { controlCharacters, notAnEmail, notUnicode, required, tooLong } from './errors.ts';

/** Code points that a name may have (interface 8). */
export const MAX_NAME_LENGTH = 255;
/** Code points that a description may have. */
export const MAX_DESCRIPTION_LENGTH = 1_000;

/** Throws 400 for a text that is too long, half a surrogate pair, or has control characters. */
export function checkText(field: string, text: string, longest: number): void {
  if (!text.isWellFormed()) throw notUnicode(field);
  if ([...text].length > longest) throw tooLong(field, longest);
  if (/\p{Cc}/u.test(text)) throw controlCharacters(field);
}

/** As `checkText`, for what must not be blank. */
export function checkName(field: string, text: string): void {
  if (text.trim() === '') throw required(field);
  checkText(field, text, MAX_NAME_LENGTH);
}

/** As `checkText`, for what must be an e-mail address. */
export function checkEmail(text: string): void {
  checkText('E-mail', text, MAX_NAME_LENGTH);
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw notAnEmail(text);
}
