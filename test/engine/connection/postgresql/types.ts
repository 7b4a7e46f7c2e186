import type { ColumnType } from '../../../../src/engine/result/columns/column.ts';
import type { TypeCase } from '../conformance/driver-under-test.ts';

const TEXT: ColumnType = { kind: 'text', label: 'STRING' };
const DIGITS: ColumnType = { kind: 'text', label: 'DECIMAL' };
const TIME: ColumnType = { kind: 'text', label: 'TIME' };
const INTERVAL: ColumnType = { kind: 'text', label: 'INTERVAL' };
const JSON_TEXT: ColumnType = { kind: 'json' };
const BINARY: ColumnType = { kind: 'binary' };
const LAST_INSTANT = 2n ** 63n - 1n;
const LAST_DAY = 2 ** 31 - 1;
const NINES = '9'.repeat(38);

function integer(bits: 16 | 32 | 64, signed = true): ColumnType {
  return { kind: 'integer', bits, signed };
}

function decimal(precision: number, scale: number): ColumnType {
  return { kind: 'decimal', precision, scale };
}

function timestamp(utc = false): ColumnType {
  return { kind: 'timestamp', unit: 'microsecond', utc };
}

function list(element: ColumnType): ColumnType {
  return { kind: 'list', element };
}

const NUMBERS: readonly TypeCase[] = [
  { sql: 'true', type: { kind: 'boolean' }, value: true },
  { sql: 'false', type: { kind: 'boolean' }, value: false },
  { sql: 'NULL::boolean', type: { kind: 'boolean' }, value: null },
  { sql: '(-32768)::int2', type: integer(16), value: -32768 },
  { sql: '(-2147483648)::int4', type: integer(32), value: -2147483648 },
  { sql: '(-9223372036854775808)::int8', type: integer(64), value: -(2n ** 63n) },
  { sql: '9223372036854775807::int8', type: integer(64), value: 2n ** 63n - 1n },
  { sql: '(-1)::int8', type: integer(64), value: -1n },
  { sql: '(-4294967296)::int8', type: integer(64), value: -(2n ** 32n) },
  { sql: '999999999999999::int8', type: integer(64), value: 999_999_999_999_999n },
  { sql: '4294967295::oid', type: integer(32, false), value: 4294967295 },
  { sql: '(-12.34)::numeric(4, 2)', type: decimal(4, 2), value: -1234 },
  { sql: '12345.6789::numeric(9, 4)', type: decimal(9, 4), value: 123456789 },
  { sql: '(-0.5)::numeric(18, 3)', type: decimal(18, 3), value: -500n },
  { sql: '123456789012345678::numeric(18)', type: decimal(18, 0), value: 123456789012345678n },
  { sql: `(-${NINES})::numeric(38)`, type: decimal(38, 0), value: -BigInt(NINES) },
  { sql: '0.5::numeric(2, 2)', type: decimal(3, 2), value: 50 },
  { sql: `0.${NINES}::numeric(38, 38)`, type: DIGITS, value: `0.${NINES}` },
  { sql: '1::numeric(39, 1)', type: DIGITS, value: '1.0' },
  { sql: '1234::numeric(3, -2)', type: DIGITS, value: '1200' },
  { sql: '0.001::numeric(2, 4)', type: decimal(5, 4), value: 10 },
  { sql: '(-1.50)::numeric', type: DIGITS, value: '-1.50' },
  { sql: "'NaN'::numeric", type: DIGITS, value: 'NaN' },
  { sql: "'-Infinity'::numeric", type: DIGITS, value: '-Infinity' },
  { sql: 'sum(9223372036854775807)', type: DIGITS, value: '9223372036854775807' },
  { sql: '1.5::float4', type: { kind: 'float' }, value: 1.5 },
  { sql: "'nan'::float4", type: { kind: 'float' }, value: Number.NaN },
  { sql: '0.1::float8', type: { kind: 'double' }, value: 0.1 },
  { sql: "'-0'::float8", type: { kind: 'double' }, value: -0 },
  { sql: "'1e-300'::float8", type: { kind: 'double' }, value: 1e-300 },
  { sql: "'-infinity'::float8", type: { kind: 'double' }, value: Number.NEGATIVE_INFINITY },
  { sql: '12.34::money', type: TEXT, value: '$12.34' },
];

const TIMES: readonly TypeCase[] = [
  { sql: "'1970-01-01'::date", type: { kind: 'date' }, value: 0 },
  { sql: "'2024-02-29'::date", type: { kind: 'date' }, value: 19_782 },
  { sql: "'0001-01-01'::date", type: { kind: 'date' }, value: -719_162 },
  { sql: "'0001-12-31 BC'::date", type: { kind: 'date' }, value: -719_163 },
  { sql: "'10000-01-01'::date", type: { kind: 'date' }, value: 2_932_897 },
  { sql: "'infinity'::date", type: { kind: 'date' }, value: LAST_DAY },
  { sql: "'-infinity'::date", type: { kind: 'date' }, value: -LAST_DAY },
  { sql: "'24:00:00'::time", type: { kind: 'time' }, value: 86_400_000_000n },
  { sql: "'01:02:03.000004'::time", type: { kind: 'time' }, value: 3_723_000_004n },
  { sql: "'01:02:03+05:30'::timetz", type: TIME, value: '01:02:03+05:30' },
  { sql: "'1970-01-02 00:00:00.5'::timestamp", type: timestamp(), value: 86_400_500_000n },
  { sql: "'0001-01-01 00:00:00 BC'::timestamp", type: timestamp(), value: -62_167_219_200_000_000n },
  {
    sql: "'294247-01-10 04:00:54.775806'::timestamp",
    type: timestamp(),
    value: LAST_INSTANT - 1n,
  },
  { sql: "'infinity'::timestamp", type: timestamp(), value: LAST_INSTANT },
  { sql: "'-infinity'::timestamptz", type: timestamp(true), value: -LAST_INSTANT },
  { sql: "'2024-01-02 03:04:05+02'::timestamptz", type: timestamp(true), value: 1_704_157_445_000_000n },
  { sql: "'1 year 2 days 03:04:05'::interval", type: INTERVAL, value: '1 year 2 days 03:04:05' },
];

const TEXTS: readonly TypeCase[] = [
  { sql: "'é💛'::text", type: TEXT, value: 'é💛' },
  { sql: "''::varchar(3)", type: TEXT, value: '' },
  { sql: "'a'::char(3)", type: TEXT, value: 'a  ' },
  { sql: 'NULL', type: TEXT, value: null },
  { sql: "'a'::name", type: TEXT, value: 'a' },
  { sql: `'a'::"char"`, type: TEXT, value: 'a' },
  { sql: "'\\x00ff7f'::bytea", type: BINARY, value: new Uint8Array([0, 255, 127]) },
  { sql: "''::bytea", type: BINARY, value: new Uint8Array() },
  { sql: `'{"a": [1,  2]}'::json`, type: JSON_TEXT, value: '{"a": [1,  2]}' },
  { sql: `'{"a": [1,  2]}'::jsonb`, type: JSON_TEXT, value: '{"a": [1, 2]}' },
  {
    sql: "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid",
    type: TEXT,
    value: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  },
  { sql: "B'101'", type: TEXT, value: '101' },
  { sql: "'192.168.0.0/24'::cidr", type: TEXT, value: '192.168.0.0/24' },
  { sql: "'<a/>'::xml", type: TEXT, value: '<a/>' },
  { sql: "to_tsvector('simple', 'b a')", type: TEXT, value: "'a':2 'b':1" },
  { sql: "ROW(1, 'a')", type: TEXT, value: '(1,a)' },
  { sql: 'int4range(1, 5)', type: TEXT, value: '[1,5)' },
  { sql: 'point(1, 2)', type: TEXT, value: '(1,2)' },
  { sql: "'pg_class'::regclass", type: TEXT, value: 'pg_class' },
  { sql: 'pg_sleep(0)', type: TEXT, value: '' },
];

const LISTS: readonly TypeCase[] = [
  { sql: 'ARRAY[1, NULL, -3]', type: list(integer(32)), value: [1, null, -3] },
  { sql: "'{}'::text[]", type: list(TEXT), value: [] },
  { sql: 'NULL::int[]', type: list(integer(32)), value: null },
  {
    sql: `ARRAY['a,b', 'c "d"', E'\\\\', '', 'NULL', NULL, '{}']`,
    type: list(TEXT),
    value: ['a,b', 'c "d"', '\\', '', 'NULL', null, '{}'],
  },
  { sql: "ARRAY['2024-02-29'::date]", type: list({ kind: 'date' }), value: [19_782] },
  { sql: 'ARRAY[1.5, 2]::numeric(4, 2)[]', type: list(decimal(4, 2)), value: [150, 200] },
  { sql: 'ARRAY[true, false]', type: list({ kind: 'boolean' }), value: [true, false] },
  { sql: "ARRAY[B'101', NULL]", type: list(TEXT), value: ['101', null] },
  { sql: "'{1,0010}'::varbit[]", type: list(TEXT), value: ['1', '0010'] },
  { sql: "ARRAY['\\x01'::bytea]", type: list(BINARY), value: [new Uint8Array([1])] },
  { sql: 'ARRAY[1::int8, 9223372036854775807]', type: list(integer(64)), value: [1n, 2n ** 63n - 1n] },
];

/** PostgreSQL's types with values at their limits. */
export const postgresqlTypes: readonly TypeCase[] = [...NUMBERS, ...TIMES, ...TEXTS, ...LISTS];
