import type { LoadColumn } from './columns.ts';

/** The databases besides DuckDB that rows are loaded into. */
export type ServerKind = 'postgresql' | 'mysql' | 'trino';

const KINDS = ['postgresql', 'mysql', 'trino'] as const satisfies readonly ServerKind[];

/** The types of each database for the types of DuckDB; `$1` and `$2` are digits (docs/guides/loading-databases.md#types). */
const TYPES: readonly (readonly [RegExp, postgresql: string, mysql: string, trino: string])[] = [
  [/^BOOLEAN$/, 'boolean', 'boolean', 'boolean'],
  [/^TINYINT$/, 'smallint', 'tinyint', 'integer'],
  [/^(?:SMALLINT|UTINYINT)$/, 'smallint', 'smallint', 'integer'],
  [/^(?:INTEGER|USMALLINT)$/, 'integer', 'int', 'integer'],
  [/^(?:BIGINT|UINTEGER)$/, 'bigint', 'bigint', 'bigint'],
  [/^UBIGINT$/, 'numeric(20,0)', 'bigint unsigned', 'decimal(20,0)'],
  [/^U?HUGEINT$/, 'numeric(39,0)', 'decimal(39,0)', 'decimal(38,0)'],
  [/^FLOAT$/, 'real', 'double', 'real'],
  [/^DOUBLE$/, 'double precision', 'double', 'double'],
  // MySQL has at most 30 digits after the point.
  [/^DECIMAL\((\d+),(3[1-9])\)$/, 'numeric($1,$2)', 'longtext', 'decimal($1,$2)'],
  [/^DECIMAL\((\d+),(\d+)\)$/, 'numeric($1,$2)', 'decimal($1,$2)', 'decimal($1,$2)'],
  [/^DATE$/, 'date', 'date', 'date'],
  [/^TIMESTAMP(?:_S|_MS)?$/, 'timestamp', 'datetime(6)', 'timestamp(6)'],
  [/^TIMESTAMP WITH TIME ZONE$/, 'timestamp with time zone', 'datetime(6)', 'timestamp(6) with time zone'],
  [/^TIME$/, 'time', 'time(6)', 'time(6)'],
  [/^UUID$/, 'uuid', 'char(36)', 'uuid'],
  [/^JSON$/, 'json', 'longtext', 'varchar'],
  [/^BLOB$/, 'bytea', 'longblob', 'varbinary'],
  [/^(?:STRUCT|MAP)\(|\]$/, 'json', 'longtext', 'varchar'],
];

/** The type of a database for the values of a type of DuckDB; text for types that only DuckDB has. */
export function toServerType(kind: ServerKind, type: string): string {
  for (const [pattern, ...types] of TYPES) {
    const match = pattern.exec(type);
    if (match === null) continue;
    const text = types[KINDS.indexOf(kind)] ?? 'text';
    return text.replace(/\$(\d)/g, (_, at) => match[Number(at)] ?? '');
  }
  return { postgresql: 'text', mysql: 'longtext', trino: 'varchar' }[kind];
}

/** What a column of a database holds. `type` is undefined where the database checks numbers of any size. */
export type HeldType = Pick<LoadColumn, 'limits'> & { readonly type: string | undefined };

/** Types of databases by their full names, in lower case; the digits are limits. */
const HELD: readonly (readonly [
  RegExp,
  (digits: readonly (number | undefined)[], kind: ServerKind) => HeldType,
])[] = [
  [/^(?:boolean|tinyint\(1\))$/, () => plain('BOOLEAN')],
  [/^tinyint(?:\(\d+\))?$/, () => plain('TINYINT')],
  [/^tinyint(?:\(\d+\))? unsigned$/, () => plain('UTINYINT')],
  [/^smallint(?:\(\d+\))?$/, () => plain('SMALLINT')],
  [/^smallint(?:\(\d+\))? unsigned$/, () => plain('USMALLINT')],
  [/^(?:int|integer|mediumint)(?:\(\d+\))?$/, () => plain('INTEGER')],
  [/^(?:int|mediumint)(?:\(\d+\))? unsigned$/, () => plain('UINTEGER')],
  [/^bigint(?:\(\d+\))?$/, () => plain('BIGINT')],
  [/^bigint(?:\(\d+\))? unsigned$/, () => plain('UBIGINT')],
  [/^(?:real|float)$/, () => plain('FLOAT')],
  [/^double(?: precision)?$/, () => plain('DOUBLE')],
  [/^numeric$/, () => plain(undefined)],
  [/^(?:numeric|decimal)\((\d+),(\d+)\)$/, ([all = 0, after = 0]) => toDecimal(all, after)],
  [/^date$/, () => plain('DATE')],
  [
    /^(?:timestamp|datetime)(?:\((\d)\d*\))?(?: without time zone)?$/,
    ([digits], kind) => toClock('TIMESTAMP', digits, kind),
  ],
  [
    /^timestamp(?:\((\d)\d*\))? with time zone$/,
    ([digits], kind) => toClock('TIMESTAMP WITH TIME ZONE', digits, kind),
  ],
  [/^time(?:\((\d)\d*\))?(?: without time zone)?$/, ([digits], kind) => toClock('TIME', digits, kind)],
  [/^uuid$/, () => plain('UUID')],
  [/^json$/, () => plain('JSON')],
  [/^(?:text|(?:tiny|medium|long)text|varchar|character varying)$/, () => plain('VARCHAR')],
  [/^(?:varchar|character varying)\((\d+)\)$/, ([length = 0]) => toText({ length })],
  [/^(?:char|character)\((\d+)\)$/, ([length = 0]) => toText({ length, isPadded: true })],
];

function plain(type: string | undefined): HeldType {
  return { type };
}

function toText(limits: LoadColumn['limits']): HeldType {
  return { type: 'VARCHAR', limits };
}

/** The maximum of digits of a DECIMAL of DuckDB. */
const MAX_DIGITS = 38;

function toDecimal(all: number, after: number): HeldType {
  return all > MAX_DIGITS ? { type: undefined } : { type: `DECIMAL(${all},${after})` };
}

const MICROSECONDS = 6;

/** Without digits, MySQL stores seconds, Trino milliseconds, and PostgreSQL microseconds. */
function toClock(type: string, digits: number | undefined, kind: ServerKind): HeldType {
  const fraction = digits ?? { postgresql: MICROSECONDS, mysql: 0, trino: 3 }[kind];
  return { type, limits: { fraction: Math.min(fraction, MICROSECONDS) } };
}

/** What a column of a database holds, by the full name of its type; null for types that are not loaded. */
export function readServerType(kind: ServerKind, name: string): HeldType | null {
  for (const [pattern, read] of HELD) {
    const match = pattern.exec(name.toLowerCase());
    if (match === null) continue;
    const digits = match
      .slice(1)
      .map((text: string | undefined) => (text === undefined ? undefined : Number(text)));
    return read(digits, kind);
  }
  return null;
}
