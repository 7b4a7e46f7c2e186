import { postgresqlRules } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { createCalls } from './calls/create-calls.ts';
import { createMatch, printFoldedLike } from './create-match.ts';
import { createMean, type Dialect } from './dialect.ts';
import { postgresql } from './postgresql.ts';

// As in MySQL's strings, a backslash escapes.
const { quoteText } = SQL_DIALECT.mysql;

const toLocal = (moment: string, timezone: string) =>
  `CONVERT_TIMEZONE('UTC', ${timezone}, CAST(${moment} AS TIMESTAMP))`;

/** Amazon Redshift. */
export const redshift: Dialect = {
  ...postgresql,
  platform: 'redshift',
  lexicalRules: { ...postgresqlRules, backslashEscapes: true },
  quoteText,
  longestName: { unit: 'bytes', length: 127 },
  literals: { ...postgresql.literals, text: quoteText },
  // The built-in AVG of integers is an integer.
  aggregates: { ...postgresql.aggregates, AVG: createMean('DOUBLE PRECISION') },
  // A SELECT can have only one ordered-set aggregate.
  calls: createCalls('redshift'),
  types: { ...postgresql.types, TEXT: 'VARCHAR(65535)', NUMBER: 'NUMERIC(38, 9)' },
  medians: { exact: false, float: false },
  windows: { ...postgresql.windows, hasRanges: false },
  sets: { namesDistinct: false, keepsDuplicates: false },
  toOrdered: (text) => text,
  // ILIKE folds only ASCII.
  ...createMatch(quoteText, printFoldedLike),
  // The maximum value of LIMIT.
  limit: (fetch, skip, isOrdered) => postgresql.limit(Math.min(fetch, 2_147_483_647), skip, isOrdered),
  zones: {
    toLocal,
    toTimestamp: toLocal,
    toMoment: (local, timezone) => `CONVERT_TIMEZONE(${timezone}, 'UTC', CAST(${local} AS TIMESTAMP))`,
    resolvesTimes: false,
  },
  correlates: false,
  sortsReduced: false,
};
