import type { ColumnType } from '../../../../src/engine/result/columns/column.ts';
import type { TypeCase } from '../conformance/driver-under-test.ts';

const TEXT: ColumnType = { kind: 'text', label: 'STRING' };
const DIGITS: ColumnType = { kind: 'text', label: 'INTEGER' };
const TIME: ColumnType = { kind: 'text', label: 'TIME' };
const INTERVAL: ColumnType = { kind: 'text', label: 'INTERVAL' };
const INTEGER: ColumnType = { kind: 'integer', bits: 32, signed: true };
const VARIANT: ColumnType = { kind: 'variant' };
const JSON_TEXT: ColumnType = { kind: 'json' };
const LAST_INSTANT = 2n ** 63n - 1n;
const LAST_DAY = 2 ** 31 - 1;

function integer(bits: 8 | 16 | 32 | 64, signed = true): ColumnType {
  return { kind: 'integer', bits, signed };
}

function decimal(precision: number, scale: number): ColumnType {
  return { kind: 'decimal', precision, scale };
}

function timestamp(unit: 'second' | 'millisecond' | 'microsecond' | 'nanosecond', utc = false): ColumnType {
  return { kind: 'timestamp', unit, utc };
}

function list(element: ColumnType, size?: number): ColumnType {
  return size === undefined ? { kind: 'list', element } : { kind: 'list', element, size };
}

const NINES = '9'.repeat(38);

const NUMBERS: readonly TypeCase[] = [
  { sql: 'true', type: { kind: 'boolean' }, value: true },
  { sql: 'false', type: { kind: 'boolean' }, value: false },
  { sql: '(-128)::TINYINT', type: integer(8), value: -128 },
  { sql: '255::UTINYINT', type: integer(8, false), value: 255 },
  { sql: '(-32768)::SMALLINT', type: integer(16), value: -32768 },
  { sql: '65535::USMALLINT', type: integer(16, false), value: 65535 },
  { sql: '(-2147483648)::INTEGER', type: integer(32), value: -2147483648 },
  { sql: '4294967295::UINTEGER', type: integer(32, false), value: 4294967295 },
  { sql: '(-9223372036854775808)::BIGINT', type: integer(64), value: -(2n ** 63n) },
  { sql: '18446744073709551615::UBIGINT', type: integer(64, false), value: 2n ** 64n - 1n },
  {
    sql: '(-170141183460469231731687303715884105728)::HUGEINT',
    type: { kind: 'hugeint' },
    value: -(2n ** 127n),
  },
  { sql: 'sum(9223372036854775807)', type: { kind: 'hugeint' }, value: 2n ** 63n - 1n },
  { sql: '(2::UHUGEINT ** 100)::UHUGEINT', type: { kind: 'uhugeint' }, value: 2n ** 100n },
  { sql: `'-1${'0'.repeat(60)}'::BIGNUM`, type: DIGITS, value: `-1${'0'.repeat(60)}` },
  { sql: '0::BIGNUM', type: DIGITS, value: '0' },
  { sql: '(-12.34)::DECIMAL(4, 2)', type: decimal(4, 2), value: -1234 },
  { sql: '12345.6789::DECIMAL(9, 4)', type: decimal(9, 4), value: 123456789 },
  { sql: '(-0.5)::DECIMAL(18, 3)', type: decimal(18, 3), value: -500n },
  { sql: `(-${NINES})::DECIMAL(38, 0)`, type: decimal(38, 0), value: -BigInt(NINES) },
  { sql: `'0.${NINES}'::DECIMAL(38, 38)`, type: decimal(38, 38), value: BigInt(NINES) },
  { sql: '1.5::FLOAT', type: { kind: 'float' }, value: 1.5 },
  { sql: "'nan'::FLOAT", type: { kind: 'float' }, value: Number.NaN },
  { sql: '-0.0::DOUBLE', type: { kind: 'double' }, value: -0 },
  { sql: "'-infinity'::DOUBLE", type: { kind: 'double' }, value: Number.NEGATIVE_INFINITY },
  { sql: '5e-324::DOUBLE', type: { kind: 'double' }, value: 5e-324 },
];

const TIMES: readonly TypeCase[] = [
  { sql: "DATE '1969-12-31'", type: { kind: 'date' }, value: -1 },
  { sql: "DATE '0044-03-15 (BC)'", type: { kind: 'date' }, value: -735_160 },
  { sql: "'infinity'::DATE", type: { kind: 'date' }, value: LAST_DAY },
  { sql: "'-infinity'::DATE", type: { kind: 'date' }, value: -LAST_DAY },
  { sql: "TIME '24:00:00'", type: { kind: 'time' }, value: 86_400_000_000n },
  { sql: "'01:02:03.123456789'::TIME_NS", type: TIME, value: '01:02:03.123456789' },
  { sql: "'01:02:03.5-15:59:59'::TIMETZ", type: TIME, value: '01:02:03.5-15:59:59' },
  { sql: "'01:02:03+05:30'::TIMETZ", type: TIME, value: '01:02:03+05:30' },
  { sql: "'1969-12-31 23:59:59'::TIMESTAMP_S", type: timestamp('second'), value: -1n },
  { sql: "'1970-01-01 00:00:00.001'::TIMESTAMP_MS", type: timestamp('millisecond'), value: 1n },
  { sql: "'1970-01-01 00:00:00.000001'::TIMESTAMP", type: timestamp('microsecond'), value: 1n },
  { sql: "'1970-01-01 00:00:00.000000001'::TIMESTAMP_NS", type: timestamp('nanosecond'), value: 1n },
  { sql: "'1970-01-01 02:00:00+02'::TIMESTAMPTZ", type: timestamp('microsecond', true), value: 0n },
  { sql: "'infinity'::TIMESTAMP", type: timestamp('microsecond'), value: LAST_INSTANT },
  { sql: "'-infinity'::TIMESTAMPTZ", type: timestamp('microsecond', true), value: -LAST_INSTANT },
  {
    sql: "INTERVAL '-13 months 1 day -00:00:00.5'",
    type: INTERVAL,
    value: '-1 year -1 month 1 day -00:00:00.5',
  },
  { sql: 'INTERVAL 0 DAY', type: INTERVAL, value: '00:00:00' },
];

const TEXTS: readonly TypeCase[] = [
  { sql: "''", type: TEXT, value: '' },
  { sql: "'é日本𝄞'", type: TEXT, value: 'é日本𝄞' },
  { sql: "'twelve bytes'", type: TEXT, value: 'twelve bytes' },
  { sql: "'thirteen byte'", type: TEXT, value: 'thirteen byte' },
  { sql: "'a' || chr(0) || 'b' || repeat('c', 20)", type: TEXT, value: `a\0b${'c'.repeat(20)}` },
  { sql: "repeat('xy', 500000)", type: TEXT, value: 'xy'.repeat(500_000) },
  { sql: "'\\x00\\xFF'::BLOB", type: { kind: 'binary' }, value: Buffer.from([0, 255]) },
  { sql: "'10110'::BIT", type: TEXT, value: '10110' },
  {
    sql: "UUID 'f0000000-0000-0000-0000-00000000000a'",
    type: TEXT,
    value: 'f0000000-0000-0000-0000-00000000000a',
  },
  { sql: "'b'::ENUM('a', 'b', 'é')", type: TEXT, value: 'b' },
  {
    sql: "'POINT Z (1 2.5 3)'::GEOMETRY",
    type: { kind: 'geometry' },
    value: Buffer.from('01e9030000000000000000f03f00000000000004400000000000000840', 'hex'),
  },
  { sql: `'{"a": [1,  2]}'::JSON`, type: JSON_TEXT, value: '{"a": [1,  2]}' },
];

const NESTED: readonly TypeCase[] = [
  { sql: '[1, NULL, 3]', type: list(INTEGER), value: [1, null, 3] },
  { sql: '[]', type: list(INTEGER), value: [] },
  { sql: '[NULL]', type: list(INTEGER), value: [null] },
  {
    sql: "[['a long text indeed'], NULL, []]",
    type: list(list(TEXT)),
    value: [['a long text indeed'], null, []],
  },
  { sql: '[1, 2]::INTEGER[2]', type: list(INTEGER, 2), value: [1, 2] },
  {
    sql: '[[1, 2], [3, 4]]::INTEGER[2][2]',
    type: list(list(INTEGER, 2), 2),
    value: [
      [1, 2],
      [3, 4],
    ],
  },
  {
    sql: "{'a': 1, 'b': NULL::VARCHAR}",
    type: {
      kind: 'struct',
      fields: [
        { name: 'a', type: INTEGER },
        { name: 'b', type: TEXT },
      ],
    },
    value: [1, null],
  },
  {
    sql: "row(1, 'x')",
    type: {
      kind: 'struct',
      fields: [
        { name: '', type: INTEGER },
        { name: '', type: TEXT },
      ],
    },
    value: [1, 'x'],
  },
  {
    sql: "MAP {'a': 1, 'b': NULL}",
    type: { kind: 'map', key: TEXT, value: INTEGER },
    value: [
      ['a', 1],
      ['b', null],
    ],
  },
  {
    sql: 'union_value(k := 1)::UNION(s VARCHAR, k INTEGER)',
    type: {
      kind: 'union',
      members: [
        { name: 's', type: TEXT },
        { name: 'k', type: INTEGER },
      ],
    },
    value: { member: 1, value: 1 },
  },
  { sql: '1::VARIANT', type: VARIANT, value: { type: INTEGER, value: 1 } },
  { sql: 'NULL::VARIANT', type: VARIANT, value: null },
  {
    sql: "{'a': [1.5::DECIMAL(4, 1)], 'b': 'x'}::VARIANT",
    type: VARIANT,
    value: {
      type: {
        kind: 'struct',
        fields: [
          { name: 'a', type: list(decimal(4, 1)) },
          { name: 'b', type: TEXT },
        ],
      },
      value: [[15], 'x'],
    },
  },
  {
    sql: `'[1, "x", null]'::JSON::VARIANT`,
    type: VARIANT,
    value: {
      type: list(VARIANT),
      value: [{ type: integer(64, false), value: 1n }, { type: TEXT, value: 'x' }, null],
    },
  },
];

/** A value for every type of DuckDB, at the limits of the type. */
export const duckdbTypes: readonly TypeCase[] = [...NUMBERS, ...TIMES, ...TEXTS, ...NESTED];
