import { MAX_NAME_LENGTH } from '../errors/fields.ts';
import { controlCharacters, notAnEmail, notUnicode, required, tooLong, userNameErrors } from './errors.ts';

/** The maximum length of a description in code points. */
export const MAX_DESCRIPTION_LENGTH = 1_000;

/** Throws 400 for a string that is too long, or that has control characters or an unpaired surrogate. */
export function checkText(field: string, text: string, longest: number): void {
  if (!text.isWellFormed()) throw notUnicode(field);
  if ([...text].length > longest) throw tooLong(field, longest);
  if (/\p{Cc}/u.test(text)) throw controlCharacters(field);
}

/** Like `checkText`, and also throws for a blank string. */
export function checkName(field: string, text: string): void {
  if (text.trim() === '') throw required(field);
  checkText(field, text, MAX_NAME_LENGTH);
}

/**
 * Like `checkName`, and also throws for a name that looks like another one: with blanks at its ends, or with format
 * characters. Every interface checks a new user name with it.
 */
export function checkUserName(name: string): void {
  checkName('User name', name);
  if (name !== name.trim()) throw userNameErrors.blankEnd(name);
  const [hidden] = /\p{Cf}/u.exec(name) ?? [];
  if (hidden !== undefined) throw userNameErrors.formatCharacter(hidden);
}

/** Like `checkText`, and also throws for a string that is not an e-mail address, which can become a user name. */
export function checkEmail(text: string): void {
  checkText('E-mail', text, MAX_NAME_LENGTH);
  if (!/^[^\s@\p{Cf}]+@[^\s@\p{Cf}]+$/u.test(text)) throw notAnEmail(text);
}
