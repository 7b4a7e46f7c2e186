import { mysqlRules } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { createCalls } from './calls/create-calls.ts';
import { createMatch, printLike } from './create-match.ts';
import { ALL_ROWS, createMean, type Dialect, limitRows } from './dialect.ts';
import { postgresql } from './postgresql.ts';

const cutTo = (unit: string) => (date: string) => `CAST(DATE_TRUNC('${unit}', ${date}) AS DATE)`;

const toLocal = (moment: string, timezone: string) => `CONVERT_TIMEZONE(${timezone}, ${moment})`;

/** Databricks SQL. A DATETIME is a TIMESTAMP, or a TIMESTAMP_NTZ in a session in UTC. */
export const databricks: Dialect = {
  ...postgresql,
  platform: 'databricks',
  lexicalRules: {
    ...mysqlRules,
    conditionalComments: false,
    hashComments: false,
    spacedDashes: false,
    dollarWords: false,
    nestedComments: true,
  },
  quoteName: SQL_DIALECT.mysql.quoteName,
  quoteText,
  longestName: { unit: 'characters', length: 255 },
  // Databricks replaces `${x}` everywhere.
  forbiddenInNames: /\$(?=\{)/gu,
  literals: {
    ...postgresql.literals,
    text: quoteText,
    timestamp: (text) => `TIMESTAMP '${text}Z'`,
    local: (text) => `TIMESTAMP_NTZ '${text}'`,
  },
  aggregates: {
    ...postgresql.aggregates,
    AVG: createMean('DOUBLE'),
    MEDIAN: (arg) => `MEDIAN(CAST(${arg} AS DOUBLE))`,
  },
  // PERCENTILE_DISC returns a DOUBLE.
  medians: { exact: false, float: true },
  calls: createCalls('databricks'),
  types: {
    ...postgresql.types,
    TEXT: 'STRING',
    NUMBER: 'DECIMAL(38, 9)',
    DECIMAL: 'DECIMAL(#)',
    FLOAT: 'DOUBLE',
    TIMESTAMP: 'TIMESTAMP_NTZ',
  },
  toDateText: (date) => `CAST(CAST(${date} AS DATE) AS STRING)`,
  noNumber: 'NULL',
  anyOrder: '1',
  toOrdered: (text) => text,
  ...createMatch(quoteText, printLike),
  grains: {
    day: (date) => `CAST(${date} AS DATE)`,
    week: cutTo('WEEK'),
    month: cutTo('MONTH'),
    quarter: cutTo('QUARTER'),
    year: cutTo('YEAR'),
  },
  zones: {
    toLocal,
    toTimestamp: toLocal,
    toMoment: (local, timezone) =>
      `CAST(CONVERT_TIMEZONE(${timezone}, CURRENT_TIMEZONE(), CAST(${local} AS TIMESTAMP_NTZ)) AS TIMESTAMP)`,
    resolvesTimes: false,
  },
  limit: (fetch, skip) => (fetch < ALL_ROWS ? postgresql.limit(fetch, skip, false) : limitRows(fetch, skip)),
  hasSessionTime: true,
  hidesRelations: true,
  correlates: false,
  sortsReduced: false,
};

/** A doubled quote is not an escape, and `${x}` is replaced in strings too. */
function quoteText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('${', '$\\{')}'`;
}
