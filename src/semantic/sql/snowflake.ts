import { postgresqlRules } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { createCalls } from './calls/create-calls.ts';
import { createMatch, printLike } from './create-match.ts';
import { createMean, type Dialect } from './dialect.ts';
import { postgresql } from './postgresql.ts';

// A backslash escapes, as in MySQL's strings.
const { quoteText } = SQL_DIALECT.mysql;

const printTime = (text: string) => `CAST('${text}' AS TIMESTAMP_NTZ)`;

const cutTo = (unit: string) => (date: string) => `CAST(DATE_TRUNC('${unit}', ${date}) AS DATE)`;

const toLocal = (moment: string, timezone: string) =>
  `CONVERT_TIMEZONE('UTC', ${timezone}, CAST(${moment} AS TIMESTAMP_NTZ))`;

/** Snowflake. A DATETIME is a TIMESTAMP_NTZ. */
export const snowflake: Dialect = {
  ...postgresql,
  platform: 'snowflake',
  lexicalRules: { ...postgresqlRules, backslashEscapes: true, escapeStrings: false, nestedComments: false },
  quoteText,
  longestName: { unit: 'characters', length: 255 },
  literals: {
    ...postgresql.literals,
    text: quoteText,
    // The meaning of TIMESTAMP depends on a session parameter.
    timestamp: printTime,
    local: printTime,
  },
  aggregates: {
    ...postgresql.aggregates,
    AVG: createMean('DOUBLE'),
    MEDIAN: (arg, type) =>
      type === 'FLOAT' ? `MEDIAN(CAST(${arg} AS DOUBLE))` : postgresql.aggregates.MEDIAN(arg, type),
  },
  calls: createCalls('snowflake'),
  types: {
    ...postgresql.types,
    TEXT: 'VARCHAR',
    INTEGER: 'NUMBER(38, 0)',
    NUMBER: 'NUMBER(38, 9)',
    DECIMAL: 'NUMBER(#)',
    FLOAT: 'DOUBLE',
    DATETIME: 'TIMESTAMP_NTZ',
    TIMESTAMP: 'TIMESTAMP_NTZ',
  },
  noNumber: 'NULL',
  anyOrder: '1',
  sets: { namesDistinct: false, keepsDuplicates: false },
  toOrdered: (text) => text,
  ...createMatch(quoteText, printLike),
  grains: {
    day: (date) => `CAST(${date} AS DATE)`,
    // The first day of the week in DATE_TRUNC depends on a session parameter.
    week: (date) => `CAST(DATEADD(DAY, 1 - DAYOFWEEKISO(${date}), ${date}) AS DATE)`,
    month: cutTo('MONTH'),
    quarter: cutTo('QUARTER'),
    year: cutTo('YEAR'),
  },
  zones: {
    toLocal,
    toTimestamp: toLocal,
    toMoment: (local, timezone) => `CONVERT_TIMEZONE(${timezone}, 'UTC', CAST(${local} AS TIMESTAMP_NTZ))`,
    resolvesTimes: false,
  },
  correlates: false,
  sortsReduced: false,
};
