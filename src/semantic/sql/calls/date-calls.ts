import { elementAt } from '../../../invariants/must.ts';
import { byType, minus, type Spelling, type Spellings, template } from './spelling.ts';

/** EXTRACT of a field, cast to an integer type of the platform. */
const extract = (field: string, type: string) => template(`CAST(EXTRACT(${field} FROM $1) AS ${type})`);

/** A part of a date by its EXTRACT field, with other spellings for platforms without EXTRACT. */
function part(field: string, others: { readonly sqlserver: string; readonly clickhouse: string }): Spellings {
  return {
    all: extract(field, 'BIGINT'),
    bigquery: extract(field, 'INT64'),
    mysql: template(`EXTRACT(${field} FROM $1)`),
    sqlserver: template(others.sqlserver),
    clickhouse: template(others.clickhouse),
  };
}

/** Like `part`, with DATEPART and a function of ClickHouse. */
const plain = (field: string) =>
  part(field, {
    sqlserver: `DATEPART(${field}, $1)`,
    clickhouse: `to${field.charAt(0)}${field.slice(1).toLowerCase()}($1)`,
  });

const interval = (unit: string): Spelling => template(`#1 + INTERVAL $2 ${unit}`);
const dateAdd = (unit: string): Spelling => template(`DATEADD(${unit}, $2, $1)`);

/** DuckDB treats an INTERVAL of 30 days and one of a month as equal in expressions, so only months are added. */
const subtract =
  (toInterval: string, type: (opposite: string) => string): Spelling =>
  (args) =>
    `${elementAt(args, 0).operand} - ${toInterval}(${type(minus(elementAt(args, 1)))})`;

const subtractDays = subtract('to_days', (days) => `CAST(${days} AS INTEGER)`);

/** A value that is a date stays a date. */
const asDate = (spelling: string, other = spelling) =>
  byType({ DATE: template(`CAST(${spelling} AS DATE)`) }, template(other));

/**
 * The start of an hour, a minute or a second; `since` counts the units since midnight. ClickHouse would round up a
 * fraction of a second before 1970.
 */
function cutTime(
  unit: 'HOUR' | 'MINUTE' | 'SECOND',
  since: { readonly sqlserver: string; readonly clickhouse: string },
): Spellings {
  const units = `${unit.charAt(0)}${unit.slice(1).toLowerCase()}s`;
  const zeros = { HOUR: '%H:00:00', MINUTE: '%H:%i:00', SECOND: '%H:%i:%s' }[unit];
  return {
    all: template(`DATE_TRUNC('${unit}', $1)`),
    bigquery: template(`DATETIME_TRUNC(CAST($1 AS DATETIME), ${unit})`),
    trino: template(`DATE_TRUNC('${unit}', CAST($1 AS TIMESTAMP(6)))`),
    mysql: template(`CAST(DATE_FORMAT($1, '%Y-%m-%d ${zeros}') AS DATETIME(6))`),
    sqlserver: template(`DATEADD(${unit}, ${since.sqlserver}, CAST(CAST($1 AS DATE) AS DATETIME2(6)))`),
    clickhouse: template(
      `add${units}(CAST(toDate32($1) AS Nullable(DateTime64(6, 'UTC'))), ${since.clickhouse})`,
    ),
  };
}

/** For the years 1 to 9999: January 1 of year 1 was a Monday. */
const WEEKDAY = "DATEDIFF(DAY, '0001-01-01', $1) % 7";

/** Parts of dates, and additions of days, months and seconds. */
export const DATE_CALLS = {
  YEAR: plain('YEAR'),
  QUARTER: plain('QUARTER'),
  MONTH: plain('MONTH'),
  DAY: part('DAY', { sqlserver: 'DATEPART(DAY, $1)', clickhouse: 'toDayOfMonth($1)' }),
  HOUR: plain('HOUR'),
  MINUTE: plain('MINUTE'),
  SECOND: {
    ...plain('SECOND'),
    all: template('CAST(FLOOR(EXTRACT(SECOND FROM $1)) AS BIGINT)'),
  },
  /** The ISO 8601 week. */
  WEEK: {
    ...part('WEEK', { sqlserver: 'DATEPART(ISO_WEEK, $1)', clickhouse: 'toISOWeek($1)' }),
    snowflake: template('WEEKISO($1)'),
    bigquery: template('EXTRACT(ISOWEEK FROM $1)'),
    mysql: template('WEEK($1, 3)'),
  },
  /** From 0 (Sunday). */
  DOW: {
    all: extract('DOW', 'BIGINT'),
    snowflake: template('(DAYOFWEEKISO($1) % 7)'),
    bigquery: template('(EXTRACT(DAYOFWEEK FROM $1) - 1)'),
    databricks: template('(DAYOFWEEK($1) - 1)'),
    trino: template('(DAY_OF_WEEK($1) % 7)'),
    mysql: template('(DAYOFWEEK($1) - 1)'),
    sqlserver: template(`((${WEEKDAY} + 1) % 7)`),
    clickhouse: template('(toDayOfWeek($1) % 7)'),
  },
  /** From 1 (Monday). */
  ISODOW: {
    all: extract('ISODOW', 'BIGINT'),
    redshift: template('(CAST(EXTRACT(DOW FROM $1) + 6 AS BIGINT) % 7 + 1)'),
    snowflake: template('DAYOFWEEKISO($1)'),
    bigquery: template('(MOD(EXTRACT(DAYOFWEEK FROM $1) + 5, 7) + 1)'),
    databricks: template('(WEEKDAY($1) + 1)'),
    trino: template('DAY_OF_WEEK($1)'),
    mysql: template('(WEEKDAY($1) + 1)'),
    sqlserver: template(`(${WEEKDAY} + 1)`),
    clickhouse: template('toDayOfWeek($1)'),
  },
  DOY: {
    all: extract('DOY', 'BIGINT'),
    snowflake: template('DAYOFYEAR($1)'),
    bigquery: template('EXTRACT(DAYOFYEAR FROM $1)'),
    databricks: template('DAYOFYEAR($1)'),
    mysql: template('DAYOFYEAR($1)'),
    sqlserver: template('DATEPART(DAYOFYEAR, $1)'),
    clickhouse: template('toDayOfYear($1)'),
  },
  /** The seconds since 1970, with their fraction; a TIMESTAMP counts as UTC. */
  EPOCH: {
    all: template('CAST(EXTRACT(EPOCH FROM $1) AS DOUBLE PRECISION)'),
    duckdb: template('EPOCH($1)'),
    redshift: template(
      "(CAST(DATEDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', $1) AS DOUBLE PRECISION) / 1000000)",
    ),
    snowflake: template('(CAST(DATE_PART(EPOCH_MICROSECOND, $1) AS DOUBLE) / 1000000)'),
    bigquery: template('(UNIX_MICROS(CAST($1 AS TIMESTAMP)) / 1000000)'),
    // The number of microseconds since 1970 of a TIMESTAMP_NTZ.
    databricks: byType(
      {
        TIMESTAMP: template(
          "(UNIX_MICROS(CAST(CONVERT_TIMEZONE('UTC', CURRENT_TIMEZONE(), CAST($1 AS TIMESTAMP_NTZ)) AS TIMESTAMP)) / 1e6D)",
        ),
      },
      template('(UNIX_MICROS(CAST($1 AS TIMESTAMP)) / 1e6D)'),
    ),
    trino: template('TO_UNIXTIME(CAST($1 AS TIMESTAMP(6)))'),
    mysql: template("(TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', $1) / 1e6)"),
    sqlserver: template(
      "(CAST(DATEDIFF(DAY, '1970-01-01', $1) AS FLOAT) * 86400 + DATEPART(HOUR, $1) * 3600 + DATEPART(MINUTE, $1) * 60 + DATEPART(SECOND, $1) + DATEPART(MICROSECOND, $1) / 1e6)",
    ),
    clickhouse: template("(toUnixTimestamp64Micro(CAST($1 AS Nullable(DateTime64(6, 'UTC')))) / 1000000)"),
  },
  'DATE_TRUNC HOUR': cutTime('HOUR', { sqlserver: 'DATEPART(HOUR, $1)', clickhouse: 'toHour($1)' }),
  'DATE_TRUNC MINUTE': cutTime('MINUTE', {
    sqlserver: 'DATEPART(HOUR, $1) * 60 + DATEPART(MINUTE, $1)',
    clickhouse: 'toHour($1) * 60 + toMinute($1)',
  }),
  'DATE_TRUNC SECOND': cutTime('SECOND', {
    sqlserver: 'DATEPART(HOUR, $1) * 3600 + DATEPART(MINUTE, $1) * 60 + DATEPART(SECOND, $1)',
    clickhouse: 'toHour($1) * 3600 + toMinute($1) * 60 + toSecond($1)',
  }),
  ADD_DAYS: {
    all: asDate("#1 + #2 * INTERVAL '1 day'"),
    duckdb: byType({ DATE: (args, types) => `CAST(${subtractDays(args, types)} AS DATE)` }, subtractDays),
    redshift: asDate('DATEADD(DAY, CAST($2 AS INTEGER), $1)'),
    snowflake: dateAdd('DAY'),
    bigquery: byType(
      { DATE: template('DATE_ADD($1, INTERVAL $2 DAY)') },
      template('DATETIME_ADD(CAST($1 AS DATETIME), INTERVAL $2 DAY)'),
    ),
    databricks: byType({ DATE: template('DATE_ADD($1, CAST($2 AS INT))') }, template('DATEADD(DAY, $2, $1)')),
    trino: template("DATE_ADD('day', $2, $1)"),
    mysql: interval('DAY'),
    sqlserver: dateAdd('DAY'),
    clickhouse: template('addDays($1, $2)'),
  },
  ADD_MONTHS: {
    all: asDate("#1 + #2 * INTERVAL '1 month'"),
    duckdb: asDate('#1 + to_months(CAST($2 AS INTEGER))'),
    redshift: asDate('DATEADD(MONTH, CAST($2 AS INTEGER), $1)'),
    snowflake: dateAdd('MONTH'),
    bigquery: byType(
      { DATE: template('DATE_ADD($1, INTERVAL $2 MONTH)') },
      template('DATETIME_ADD(CAST($1 AS DATETIME), INTERVAL $2 MONTH)'),
    ),
    databricks: byType(
      { DATE: template('ADD_MONTHS($1, CAST($2 AS INT))') },
      template('DATEADD(MONTH, $2, $1)'),
    ),
    trino: template("DATE_ADD('month', $2, $1)"),
    mysql: interval('MONTH'),
    sqlserver: dateAdd('MONTH'),
    clickhouse: template('addMonths($1, $2)'),
  },
  ADD_SECONDS: {
    all: template("#1 + #2 * INTERVAL '1 second'"),
    duckdb: subtract('to_seconds', (seconds) => seconds),
    redshift: dateAdd('SECOND'),
    snowflake: dateAdd('SECOND'),
    bigquery: template('DATETIME_ADD(CAST($1 AS DATETIME), INTERVAL $2 SECOND)'),
    databricks: dateAdd('SECOND'),
    trino: template("DATE_ADD('second', $2, $1)"),
    mysql: interval('SECOND'),
    sqlserver: dateAdd('SECOND'),
    clickhouse: template('addSeconds($1, $2)'),
  },
  /** The days from the second date to the first. */
  DAYS_BETWEEN: {
    all: template('CAST(#1 - #2 AS BIGINT)'),
    duckdb: template("DATE_DIFF('day', $2, $1)"),
    redshift: template('DATEDIFF(DAY, $2, $1)'),
    snowflake: template('DATEDIFF(DAY, $2, $1)'),
    bigquery: template('DATE_DIFF($1, $2, DAY)'),
    // An INT, which a number of seconds would overflow.
    databricks: template('CAST(DATEDIFF($1, $2) AS BIGINT)'),
    trino: template("DATE_DIFF('day', $2, $1)"),
    mysql: template('DATEDIFF($1, $2)'),
    sqlserver: template('CAST(DATEDIFF(DAY, $2, $1) AS BIGINT)'),
    clickhouse: template("dateDiff('day', $2, $1)"),
  },
} as const satisfies Readonly<Record<string, Spellings>>;
