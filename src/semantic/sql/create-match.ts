import type { Dialect, MatchOptions } from './dialect.ts';
import type { Match, Pattern } from './nodes.ts';

const MANY = { wild: 'many' } as const;

const PATTERNS: Readonly<Record<Match, (text: string) => Pattern>> = {
  contains: (text) => [MANY, text, MANY],
  starts: (text) => [text, MANY],
  ends: (text) => [MANY, text],
};

type PrintLike = (text: string, pattern: string, options: MatchOptions) => string;

/** Matches with LIKE; the arguments define how to compare a text with a quoted pattern in which `!` escapes. */
export function createMatch(
  quoteText: Dialect['quoteText'],
  print: PrintLike,
  special: RegExp = /[%_!]/g,
): Pick<Dialect, 'match' | 'like'> {
  const like = createLike(quoteText, print, special, '!');
  return { like, match: (how, text, part, options) => like(text, PATTERNS[how](part), options) };
}

/** LIKE with a pattern in which a character escapes the special characters, including itself. */
function createLike(
  quoteText: Dialect['quoteText'],
  print: PrintLike,
  special: RegExp,
  escapedBy: string,
): Dialect['like'] {
  const printPart = (part: Pattern[number]) => {
    if (typeof part === 'string') return part.replace(special, `${escapedBy}$&`);
    return part.wild === 'many' ? '%' : '_';
  };
  return (text, pattern, options) => print(text, quoteText(pattern.map(printPart).join('')), options);
}

/** LIKE on platforms without ESCAPE, where a backslash escapes in the pattern. */
export function createPlainLike(quoteText: Dialect['quoteText'], lower: string): Dialect['like'] {
  const print: PrintLike = (text, pattern, { caseSensitive, negated }) => {
    const fold = (of: string) => (caseSensitive ? of : `${lower}(${of})`);
    return `${fold(text)} ${negated ? 'NOT ' : ''}LIKE ${fold(pattern)}`;
  };
  return createLike(quoteText, print, /[%_\\]/g, '\\');
}

/** LIKE on lower-case texts, unless it is case-sensitive. */
export function printFoldedLike(
  text: string,
  pattern: string,
  { caseSensitive, negated }: MatchOptions,
): string {
  const fold = (of: string) => (caseSensitive ? of : `LOWER(${of})`);
  return `${fold(text)} ${negated ? 'NOT ' : ''}LIKE ${fold(pattern)} ESCAPE '!'`;
}

/** LIKE, or ILIKE if case is ignored. */
export function printLike(text: string, pattern: string, { caseSensitive, negated }: MatchOptions): string {
  return `${text} ${negated ? 'NOT ' : ''}${caseSensitive ? 'LIKE' : 'ILIKE'} ${pattern} ESCAPE '!'`;
}
