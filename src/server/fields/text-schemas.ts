import { Type } from 'typebox';

// What may be sent in names and other short texts; those that are answered are described in the routes.

/** Any character but control characters, as a class of a regular expression. */
const PRINTED = '[^\\u0000-\\u001f\\u007f-\\u009f]';

/** A text on one line, of at most so many code points. */
export function createLine(description: string, maxLength = 255) {
  return Type.String({ description, maxLength, pattern: `^${PRINTED}*$` });
}

/** A name: a text on one line that is not blank. */
export function createName(description: string) {
  return Type.String({ description, minLength: 1, maxLength: 255, pattern: `^(?=.*\\S)${PRINTED}+$` });
}

/** A day, or a moment. */
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
