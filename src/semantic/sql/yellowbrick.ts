import { createCalls } from './calls/create-calls.ts';
import { createPlainLike } from './create-match.ts';
import { createMean, type Dialect, type MatchOptions } from './dialect.ts';
import type { Match } from './nodes.ts';
import { postgresql } from './postgresql.ts';

/** Yellowbrick, a descendant of PostgreSQL. Where its documentation has gaps, only SQL that both accept. */
export const yellowbrick: Dialect = {
  ...postgresql,
  platform: 'yellowbrick',
  longestName: { unit: 'bytes', length: 128 },
  forbiddenInNames: /"/gu,
  // The type of the built-in AVG is not documented.
  aggregates: { ...postgresql.aggregates, AVG: createMean('DOUBLE PRECISION') },
  calls: createCalls('yellowbrick'),
  // Decimals have a fixed number of digits.
  types: { ...postgresql.types, NUMBER: 'NUMERIC(38, 9)' },
  medians: { exact: false, float: false },
  toOrdered: (text) => text,
  match: printMatch,
  like: createPlainLike(postgresql.quoteText, 'LOWER'),
  correlates: false,
  sortsReduced: false,
};

type Print = (whole: string, part: string, negated: boolean) => string;

const MATCHES: Readonly<Record<Match, Print>> = {
  contains: (whole, part, negated) => `STRPOS(${whole}, ${part}) ${negated ? '=' : '>'} 0`,
  starts: (whole, part, negated) => `STRPOS(${whole}, ${part}) ${negated ? '<>' : '='} 1`,
  ends: (whole, part, negated) => {
    const length = `LENGTH(${part})`;
    return `SUBSTR(${whole}, LENGTH(${whole}) - ${length} + 1, ${length}) ${negated ? '<>' : '='} ${part}`;
  },
};

/** Uses functions that are documented; LIKE with ESCAPE is not. */
function printMatch(
  how: Match,
  text: string,
  part: string,
  { caseSensitive, negated }: MatchOptions,
): string {
  const fold = (of: string) => (caseSensitive ? of : `LOWER(${of})`);
  return MATCHES[how](fold(text), fold(postgresql.quoteText(part)), negated);
}
