import { postgresqlRules } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { elementAt } from '../../invariants/must.ts';
import { createCalls } from './calls/create-calls.ts';
import { createMatch, printFoldedLike } from './create-match.ts';
import type { Dialect } from './dialect.ts';
import { postgresql } from './postgresql.ts';

const COLLATION = 'Latin1_General_100_BIN2';

/** As Unicode first: a VARCHAR would be converted to the collation's code page and lose characters. */
const toKey = (text: string) => `CAST(${text} AS NVARCHAR(MAX)) COLLATE ${COLLATION}`;

const printTime = (text: string) => `CAST('${text.replace(' ', 'T')}' AS DATETIME2(6))`;

/** SQL Server 2012 and later, and Azure SQL. A DATETIME is a DATETIME2. */
export const sqlserver: Dialect = {
  ...postgresql,
  platform: 'sqlserver',
  lexicalRules: { ...postgresqlRules, escapeStrings: false, dollarQuotes: false, bracketNames: true },
  quoteName: (name) => `[${name.replaceAll(']', ']]')}]`,
  quoteText,
  longestName: { unit: 'characters', length: 128 },
  literals: {
    text: quoteText,
    number: (text) => text,
    float: (text) => text,
    boolean: (text) => (text === 'true' ? '1' : '0'),
    date: (text) => `CAST('${text}' AS DATE)`,
    // With a T, the format does not depend on session settings.
    timestamp: printTime,
    local: printTime,
  },
  aggregates: {
    ...postgresql.aggregates,
    // SUM and COUNT of an INT are an INT, which overflows.
    SUM: (arg, type) => (type === 'INTEGER' ? `SUM(CAST(${arg} AS BIGINT))` : `SUM(${arg})`),
    COUNT: (arg) => `COUNT_BIG(${arg})`,
    COUNT_DISTINCT: (arg) => `COUNT_BIG(DISTINCT ${arg})`,
    // The built-in AVG of an INT is an INT.
    AVG: (arg) => `CAST(SUM(1.0 * (${arg})) AS FLOAT) / NULLIF(COUNT_BIG(${arg}), 0)`,
  },
  calls: createCalls('sqlserver'),
  types: {
    ...postgresql.types,
    TEXT: 'NVARCHAR(MAX)',
    NUMBER: 'DECIMAL(38, 9)',
    DECIMAL: 'DECIMAL(#)',
    FLOAT: 'FLOAT',
    DATETIME: 'DATETIME2(6)',
    TIMESTAMP: 'DATETIME2(6)',
    BOOLEAN: 'BIT',
  },
  toDateText: (date) => `CONVERT(NVARCHAR(10), ${date}, 23)`,
  noNumber: 'NULL',
  medians: { exact: false, float: false },
  nullsLast: (isNull) => `CASE WHEN ${isNull} THEN 1 ELSE 0 END`,
  anyOrder: '(SELECT NULL)',
  windows: { ...postgresql.windows, names: { COUNT: 'COUNT_BIG' } },
  sets: { namesDistinct: false, keepsDuplicates: false },
  textKeys: {
    toKey,
    toIdentity: (value) => `CAST(${value} AS VARBINARY(MAX))`,
    toText: null,
    literal: (text) => text,
    toExact: (text) => `${text} COLLATE ${COLLATION}`,
  },
  toOrdered: (text) => text,
  ...createMatch(
    quoteText,
    (text, pattern, options) => printFoldedLike(toKey(text), pattern, options),
    /[%_![]/g,
  ),
  grains: {
    day: (date) => `CAST(${date} AS DATE)`,
    // Year 1 started on a Monday.
    week: (date) => `DATEADD(DAY, -(DATEDIFF(DAY, '0001-01-01', ${date}) % 7), CAST(${date} AS DATE))`,
    month: (date) => `DATEFROMPARTS(YEAR(${date}), MONTH(${date}), 1)`,
    quarter: (date) => `DATEFROMPARTS(YEAR(${date}), DATEPART(QUARTER, ${date}) * 3 - 2, 1)`,
    year: (date) => `DATEFROMPARTS(YEAR(${date}), 1, 1)`,
  },
  // SQL Server does not know IANA time zone names.
  zones: null,
  limit: (fetch, skip, isOrdered) =>
    `${isOrdered ? '' : 'ORDER BY (SELECT NULL)\n'}OFFSET ${skip} ROWS FETCH NEXT ${fetch} ROWS ONLY`,
  groupsByNumber: false,
  groupsColumnsOnly: true,
  hasConditions: false,
  comparesRows: false,
  joinsByTheLetter: false,
  sortsReduced: false,
};

/** A backslash before a line end would be removed with it, so the string is split there. */
function quoteText(text: string): string {
  const parts = text.split(/(?<=\\)(?=\r?\n)/).map((part) => `N${SQL_DIALECT.postgresql.quoteText(part)}`);
  return parts.length === 1 ? elementAt(parts, 0) : `(${parts.join(' + ')})`;
}
