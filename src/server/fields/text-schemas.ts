import { Type } from 'typebox';
import { MAX_NAME_LENGTH } from '../../errors/fields.ts';

// Schemas of names and other short strings in requests; the routes describe those in responses.

/** A character class of a regular expression: any character except control characters. */
const PRINTED = '[^\\u0000-\\u001f\\u007f-\\u009f]';

/** A single line of at most `maxLength` code points. */
export function createLine(description: string, maxLength = MAX_NAME_LENGTH) {
  return Type.String({ description, maxLength, pattern: `^${PRINTED}*$` });
}

/** A name: a single line that is not blank. */
export function createName(description: string) {
  return Type.String({
    description,
    minLength: 1,
    maxLength: MAX_NAME_LENGTH,
    pattern: `^(?=.*\\S)${PRINTED}+$`,
  });
}

/** A new user name; format characters are refused, too, which a pattern cannot say. */
export function createUserName() {
  return Type.String({
    description: 'Unique, ignoring case; without blanks at the ends and invisible characters',
    minLength: 1,
    maxLength: MAX_NAME_LENGTH,
    pattern: `^(?!\\s)${PRINTED}*[^\\s\\u0000-\\u001f\\u007f-\\u009f]$`,
  });
}

/** The e-mail address of an account. */
export const Email = Type.String({
  description: 'Unique, ignoring case; empty means no address',
  maxLength: MAX_NAME_LENGTH,
  pattern: '^([^\\s@\\u0000-\\u001f\\u007f-\\u009f]+@[^\\s@\\u0000-\\u001f\\u007f-\\u009f]+)?$',
});

/** A date, or a time. */
export function createTime(description: string, words: readonly string[] = []) {
  return Type.Unsafe<string>({
    type: 'string',
    description,
    anyOf: [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
      ...words.map((word) => ({ const: word })),
    ],
  });
}
