import type { Dialect, MatchOptions } from './dialect.ts';
import type { Match } from './nodes.ts';

const PATTERNS: Readonly<Record<Match, (text: string) => string>> = {
  contains: (text) => `%${text}%`,
  starts: (text) => `${text}%`,
  ends: (text) => `%${text}`,
};

/** Matches by LIKE, given how a text and a quoted pattern in which `!` escapes are compared. */
export function createMatch(
  quoteText: Dialect['quoteText'],
  print: (text: string, pattern: string, options: MatchOptions) => string,
  special: RegExp = /[%_!]/g,
): Dialect['match'] {
  return (how, text, part, options) =>
    print(text, quoteText(PATTERNS[how](part.replace(special, '!$&'))), options);
}

/** LIKE between texts in lower case, unless it minds the case. */
export function printFoldedLike(
  text: string,
  pattern: string,
  { caseSensitive, negated }: MatchOptions,
): string {
  const fold = (of: string) => (caseSensitive ? of : `LOWER(${of})`);
  return `${fold(text)} ${negated ? 'NOT ' : ''}LIKE ${fold(pattern)} ESCAPE '!'`;
}

/** LIKE, or ILIKE where the case does not matter. */
export function printLike(text: string, pattern: string, { caseSensitive, negated }: MatchOptions): string {
  return `${text} ${negated ? 'NOT ' : ''}${caseSensitive ? 'LIKE' : 'ILIKE'} ${pattern} ESCAPE '!'`;
}
