import { postgresqlRules } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { createCalls } from './calls/create-calls.ts';
import { createMatch, printFoldedLike } from './create-match.ts';
import { createMean } from './create-mean.ts';
import type { Dialect } from './dialect.ts';
import { postgresql } from './postgresql.ts';

// Of MySQL's strings, what is the same here: a backslash escapes.
const { quoteText } = SQL_DIALECT.mysql;

/** Amazon Redshift. */
export const redshift: Dialect = {
  ...postgresql,
  lexicalRules: { ...postgresqlRules, backslashEscapes: true },
  quoteText,
  longestName: { unit: 'bytes', length: 127 },
  literals: { ...postgresql.literals, text: quoteText },
  // Its own AVG of integers is an integer.
  aggregates: { ...postgresql.aggregates, AVG: createMean('DOUBLE PRECISION') },
  // A SELECT may have one ordered-set aggregate only.
  calls: createCalls('redshift'),
  types: { ...postgresql.types, TEXT: 'VARCHAR(65535)', NUMBER: 'NUMERIC(38, 9)' },
  hasMedian: false,
  windows: { ...postgresql.windows, hasRanges: false },
  sets: { namesDistinct: false, keepsDuplicates: false },
  toOrdered: (text) => text,
  // ILIKE folds ASCII alone.
  ...createMatch(quoteText, printFoldedLike),
  // It takes no greater number.
  limit: (fetch, skip, isOrdered) => postgresql.limit(Math.min(fetch, 2_147_483_647), skip, isOrdered),
  toLocal: (moment, timezone) => `CONVERT_TIMEZONE('UTC', ${timezone}, CAST(${moment} AS TIMESTAMP))`,
  correlates: false,
  sortsReduced: false,
};
