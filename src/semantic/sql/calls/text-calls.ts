import { call, infix, type Spellings, template } from './spelling.ts';

const concat = call('CONCAT');

/** LEN leaves out blanks at the end. */
const LENGTH = "LEN($1 + N'.') - 1";

/** Functions of texts, which count characters. */
export const TEXT_CALLS = {
  '||': {
    all: infix('||'),
    bigquery: infix('||'),
    mysql: concat,
    sqlserver: infix('+'),
    clickhouse: concat,
  },
  LOWER: { all: call('LOWER'), clickhouse: call('lowerUTF8') },
  UPPER: { all: call('UPPER'), clickhouse: call('upperUTF8') },
  TRIM: {
    all: template("TRIM(BOTH ' ' FROM $1)"),
    ...blanks('TRIM'),
    sqlserver: template('LTRIM(RTRIM($1))'),
  },
  LTRIM: { all: template("TRIM(LEADING ' ' FROM $1)"), ...blanks('LTRIM'), clickhouse: call('trimLeft') },
  RTRIM: { all: template("TRIM(TRAILING ' ' FROM $1)"), ...blanks('RTRIM'), clickhouse: call('trimRight') },
  LENGTH: {
    all: call('LENGTH'),
    redshift: call('LEN'),
    mysql: call('CHAR_LENGTH'),
    sqlserver: template(`(${LENGTH})`),
    clickhouse: call('lengthUTF8'),
  },
  SUBSTRING: {
    all: call('SUBSTRING'),
    bigquery: call('SUBSTR'),
    trino: call('SUBSTR'),
    clickhouse: call('substringUTF8'),
  },
  LEFT: { all: call('LEFT'), trino: template('SUBSTR($1, 1, $2)'), clickhouse: call('leftUTF8') },
  RIGHT: {
    all: call('RIGHT'),
    trino: template('SUBSTR($1, GREATEST(LENGTH($1) - $2, 0) + 1)'),
    clickhouse: call('rightUTF8'),
  },
  REPLACE: {
    all: call('REPLACE'),
    clickhouse: call('replaceAll'),
  },
  STRPOS: {
    all: call('STRPOS'),
    snowflake: template('POSITION($2, $1)'),
    databricks: template('LOCATE($2, $1)'),
    mysql: template(
      'LOCATE(CAST(CONVERT($2 USING utf8mb4) AS CHAR) COLLATE utf8mb4_bin, CONVERT($1 USING utf8mb4))',
    ),
    sqlserver: template('CHARINDEX($2, $1 COLLATE Latin1_General_100_BIN2)'),
    clickhouse: call('positionUTF8'),
  },
} as const satisfies Readonly<Record<string, Spellings>>;

/** Where the function of a name takes nothing but blanks away, and has no longer form. */
function blanks(name: string): Omit<Spellings, 'all'> {
  const own = call(name);
  return {
    snowflake: own,
    databricks: own,
    sqlserver: own,
    trino: own,
    duckdb: own,
    redshift: own,
    bigquery: template(`${name}($1, ' ')`),
  };
}
