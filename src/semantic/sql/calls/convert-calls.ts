import { elementAt } from '../../../invariants/must.ts';
import { type Spelling, type Spellings, template } from './spelling.ts';

/** The zeros at the end of a fraction of a second, and a point without digits, are left out. */
const trimmed = (time: string): Spelling =>
  template(`TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${time}))`);
const cut = (time: string): Spelling => template(`RTRIM(RTRIM(${time}, '0'), '.')`);

const SQLSERVER_TIME = 'CONVERT(NVARCHAR(26), CAST($1 AS DATETIME2(6)), 121)';

/** Casts a text to a date, with hyphens in a text of eight digits, where the platform would not read it. */
const withHyphens =
  (cast: (text: string) => string, groups: string): Spelling =>
  (args) =>
    cast(`REGEXP_REPLACE(${elementAt(args, 0).text}, '^([0-9]{4})([0-9]{2})([0-9]{2})$', '${groups}')`);

const toDate = (text: string) => `CAST(${text} AS DATE)`;

/** Conversions between texts and dates. */
export const CONVERT_CALLS = {
  /** A TIMESTAMP as PostgreSQL prints it: `2026-01-31 12:30:00.25`. */
  'TEXT OF TIME': {
    all: cut("TO_CHAR($1, 'YYYY-MM-DD HH24:MI:SS.US')"),
    duckdb: template('CAST(CAST($1 AS TIMESTAMP) AS VARCHAR)'),
    snowflake: cut("TO_CHAR($1, 'YYYY-MM-DD HH24:MI:SS.FF6')"),
    bigquery: cut("FORMAT_DATETIME('%E4Y-%m-%d %H:%M:%E6S', CAST($1 AS DATETIME))"),
    databricks: template('CAST(CAST($1 AS TIMESTAMP_NTZ) AS STRING)'),
    trino: trimmed('CAST(CAST($1 AS TIMESTAMP(6)) AS VARCHAR)'),
    mysql: trimmed("DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s.%f')"),
    // RTRIM removes only spaces, so the zeros become spaces.
    sqlserver: template(
      `CASE WHEN DATEPART(MICROSECOND, $1) = 0 THEN LEFT(${SQLSERVER_TIME}, 19) ELSE REPLACE(REPLACE(RTRIM(REPLACE(REPLACE(${SQLSERVER_TIME}, N' ', N'T'), N'0', N' ')), N' ', N'0'), N'T', N' ') END`,
    ),
    clickhouse: trimmed("toString(CAST($1 AS Nullable(DateTime64(6, 'UTC'))))"),
  },
  /** A text such as `2026-01-31`, `2026-1-31` or `20260131` as a DATE. */
  'DATE OF TEXT': {
    all: template('CAST($1 AS DATE)'),
    duckdb: withHyphens(toDate, '\\1-\\2-\\3'),
    // AUTO would read eight digits as seconds, and the format requires two digits.
    snowflake: withHyphens((text) => {
      const month = `REGEXP_REPLACE(${text}, '-([0-9])-', '-0\\\\1-')`;
      return `TO_DATE(REGEXP_REPLACE(${month}, '-([0-9])$', '-0\\\\1'), 'YYYY-MM-DD')`;
    }, '\\\\1-\\\\2-\\\\3'),
    bigquery: withHyphens(toDate, '\\\\1-\\\\2-\\\\3'),
    databricks: withHyphens(toDate, '$1-$2-$3'),
    trino: withHyphens(toDate, '$1-$2-$3'),
    // `toDate32` would read the 30th of February as the 2nd of March.
    clickhouse: template("toDate32(parseDateTime64BestEffort($1, 6, 'UTC'))"),
  },
  /** A text such as `2026-01-31 12:30:00.25` as a TIMESTAMP. */
  'TIME OF TEXT': {
    all: template('CAST($1 AS TIMESTAMP)'),
    snowflake: template('CAST($1 AS TIMESTAMP_NTZ)'),
    bigquery: template('CAST($1 AS DATETIME)'),
    databricks: template('CAST($1 AS TIMESTAMP_NTZ)'),
    trino: template('CAST($1 AS TIMESTAMP(6))'),
    mysql: template('CAST($1 AS DATETIME(6))'),
    sqlserver: template('CAST($1 AS DATETIME2(6))'),
    clickhouse: template("parseDateTime64BestEffort($1, 6, 'UTC')"),
  },
} as const satisfies Readonly<Record<string, Spellings>>;
