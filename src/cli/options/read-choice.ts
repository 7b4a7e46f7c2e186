import { UsageError } from '../context/errors.ts';

/** The value of an option with a fixed set of values, if it is given. Throws a UsageError for any other text. */
export function readChoice<Word extends string>(
  flag: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined {
  const value = words.find((word) => word === text);
  if (text !== undefined && value === undefined) {
    throw new UsageError(`${flag} must be one of ${words.join(', ')}, not ${text}`);
  }
  return value;
}
