import { createMatch, printFoldedLike } from './create-match.ts';
import { createMean } from './create-mean.ts';
import type { Dialect } from './dialect.ts';
import { postgresql } from './postgresql.ts';

/** Yellowbrick, a descendant of PostgreSQL; where its documentation is silent, what both would take. */
export const yellowbrick: Dialect = {
  ...postgresql,
  longestName: { unit: 'bytes', length: 128 },
  forbiddenInNames: /"/gu,
  aggregates: { ...postgresql.aggregates, AVG: createMean('DOUBLE PRECISION') },
  hasMedian: false,
  toOrdered: (text) => text,
  match: createMatch(postgresql.quoteText, printFoldedLike),
  correlates: false,
};
