import { elementAt } from '../../../invariants/must.ts';
import { call, infix, type Spelling, type Spellings, template } from './spelling.ts';

const concat = call('CONCAT');

/** LEN ignores trailing spaces. */
const LENGTH = "LEN($1 + N'.') - 1";

/** Two spellings: for a second argument that can be empty, and for a literal that is not empty. */
const byPart =
  (maybeEmpty: Spelling, filled: Spelling): Spelling =>
  (args, types) =>
    (/^N?'(?:[^']|'')+'$/.test(elementAt(args, 1).text) ? filled : maybeEmpty)(args, types);

const CHARINDEX = 'CHARINDEX($2, $1 COLLATE Latin1_General_100_BIN2)';

/** Text functions, which count characters. */
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
    // Without a length, the maximum length of a text.
    sqlserver: (args, types) =>
      template(`SUBSTRING($1, $2, ${args.length > 2 ? '$3' : '1073741823'})`)(args, types),
    clickhouse: call('substringUTF8'),
  },
  /** From a BIGINT, which SUBSTRING does not accept everywhere. */
  'SUBSTRING AT': {
    all: template('SUBSTRING($1, CAST($2 AS INTEGER), $3)'),
    bigquery: call('SUBSTR'),
    trino: call('SUBSTR'),
    mysql: call('SUBSTRING'),
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
    sqlserver: template('REPLACE($1 COLLATE Latin1_General_100_BIN2, $2, $3)'),
    clickhouse: call('replaceAll'),
    // With an empty search text, REPLACE would insert the replacement everywhere.
    trino: byPart(
      template("CASE WHEN $2 = '' AND $3 IS NOT NULL THEN $1 ELSE REPLACE($1, $2, $3) END"),
      call('REPLACE'),
    ),
  },
  REVERSE: {
    all: call('REVERSE'),
    // REVERSE would keep the order of a letter and its combining accents.
    duckdb: template("ARRAY_TO_STRING(LIST_REVERSE(REGEXP_EXTRACT_ALL($1, '(?s).')), '')"),
    clickhouse: call('reverseUTF8'),
  },
  STRPOS: {
    all: call('STRPOS'),
    snowflake: template('POSITION($2, $1)'),
    databricks: template('LOCATE($2, $1)'),
    mysql: template(
      'LOCATE(CAST(CONVERT($2 USING utf8mb4) AS CHAR) COLLATE utf8mb4_bin, CONVERT($1 USING utf8mb4))',
    ),
    // CHARINDEX does not find an empty text; other platforms find it at the start.
    sqlserver: byPart(
      template(`CASE WHEN DATALENGTH($2) = 0 AND $1 IS NOT NULL THEN 1 ELSE ${CHARINDEX} END`),
      template(CHARINDEX),
    ),
    clickhouse: call('positionUTF8'),
  },
} as const satisfies Readonly<Record<string, Spellings>>;

/** Platforms whose trim function removes only spaces and has no longer form. */
function blanks(name: string): Omit<Spellings, 'all'> {
  const spelling = call(name);
  return {
    snowflake: spelling,
    databricks: spelling,
    sqlserver: spelling,
    trino: spelling,
    duckdb: spelling,
    redshift: spelling,
    bigquery: template(`${name}($1, ' ')`),
  };
}
