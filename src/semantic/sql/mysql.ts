import { mysqlRules } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { createCalls } from './calls/create-calls.ts';
import { createMatch } from './create-match.ts';
import type { Dialect } from './dialect.ts';
import { postgresql } from './postgresql.ts';

const { quoteName, quoteText } = SQL_DIALECT.mysql;

const toUnicode = (text: string) => `CONVERT(${text} USING utf8mb4)`;
const toBytes = (text: string) => `CAST(${toUnicode(text)} AS BINARY)`;

/** MySQL and MariaDB, in a session without ANSI_QUOTES and NO_BACKSLASH_ESCAPES, and with utf8mb4. */
export const mysql: Dialect = {
  ...postgresql,
  platform: 'mysql',
  lexicalRules: mysqlRules,
  quoteName,
  quoteText,
  longestName: { unit: 'characters', length: 64 },
  forbiddenInNames: /[\u{10000}-\u{10ffff}]/gu,
  literals: { ...postgresql.literals, text: quoteText, float: (text) => toApproximate(text) },
  aggregates: {
    ...postgresql.aggregates,
    // The built-in AVG has only four digits more than its argument.
    AVG: (arg) => `(SUM(${arg}) * 1e0 / COUNT(${arg}))`,
  },
  calls: createCalls('mysql'),
  types: {
    ...postgresql.types,
    TEXT: 'CHAR',
    INTEGER: 'SIGNED',
    NUMBER: 'DECIMAL(65, 15)',
    DECIMAL: 'DECIMAL(#)',
    FLOAT: 'DOUBLE',
    DATETIME: 'DATETIME(6)',
    TIMESTAMP: 'DATETIME(6)',
    BOOLEAN: 'SIGNED',
  },
  toDateText: (date) => `CAST(DATE(${date}) AS CHAR)`,
  noNumber: 'NULL',
  medians: { exact: false, float: false },
  nullsLast: (isNull) => isNull,
  hasFullJoin: false,
  textKeys: {
    toKey: toBytes,
    toIdentity: toBytes,
    toText: toUnicode,
    literal: (text) => `_binary${text}`,
    toExact: (text) => `CAST(${text} AS BINARY)`,
  },
  toOrdered: (text) => text,
  ...createMatch(quoteText, (text, pattern, { caseSensitive, negated }) => {
    const fold = (of: string) => (caseSensitive ? of : `LOWER(${of})`);
    const not = negated ? 'NOT ' : '';
    return `${fold(toUnicode(text))} COLLATE utf8mb4_bin ${not}LIKE ${fold(pattern)} ESCAPE '!'`;
  }),
  grains: {
    day: (date) => `DATE(${date})`,
    week: (date) => `(DATE(${date}) - INTERVAL WEEKDAY(${date}) DAY)`,
    month: (date) => `(DATE(${date}) - INTERVAL (DAYOFMONTH(${date}) - 1) DAY)`,
    quarter: (date) => `(MAKEDATE(YEAR(${date}), 1) + INTERVAL (QUARTER(${date}) - 1) QUARTER)`,
    year: (date) => `MAKEDATE(YEAR(${date}), 1)`,
  },
  // CONVERT_TZ returns NULL on a server without time zone tables.
  zones: null,
  joinsByTheLetter: false,
  sortsReduced: false,
  keepsConditions: false,
  groupsRepeatedly: false,
  countsColumnsInWindows: false,
};

/** A number as a DOUBLE literal. */
function toApproximate(text: string): string {
  return /e/i.test(text) ? text : `${text}e0`;
}
