import type { ColumnType } from '../../../../src/engine/result/columns/column.ts';
import type { TypeCase } from '../conformance/driver-under-test.ts';

const TEXT: ColumnType = { kind: 'text', label: 'STRING' };
const TIME_TEXT: ColumnType = { kind: 'text', label: 'TIME' };
const INTERVAL: ColumnType = { kind: 'text', label: 'INTERVAL' };
const BINARY: ColumnType = { kind: 'binary' };
const DOUBLE: ColumnType = { kind: 'double' };
const FLOAT: ColumnType = { kind: 'float' };
const DATE: ColumnType = { kind: 'date' };
const TIME: ColumnType = { kind: 'time' };
const JSON_TEXT: ColumnType = { kind: 'json' };
const NULL: ColumnType = { kind: 'null' };
const NINES = '9'.repeat(38);

function integer(bits: 8 | 16 | 32 | 64): ColumnType {
  return { kind: 'integer', bits, signed: true };
}

function decimal(precision: number, scale: number): ColumnType {
  return { kind: 'decimal', precision, scale };
}

function timestamp(unit: 'microsecond' | 'nanosecond', utc = false): ColumnType {
  return { kind: 'timestamp', unit, utc };
}

function list(element: ColumnType): ColumnType {
  return { kind: 'list', element };
}

function map(key: ColumnType, value: ColumnType): ColumnType {
  return { kind: 'map', key, value };
}

function row(...fields: readonly (readonly [name: string, type: ColumnType])[]): ColumnType {
  return { kind: 'struct', fields: fields.map(([name, type]) => ({ name, type })) };
}

function bytes(...values: readonly number[]): Uint8Array {
  return Buffer.from(values);
}

/** Microseconds since 1970 of an ISO timestamp. */
function micros(text: string): bigint {
  return BigInt(Date.parse(text)) * 1000n;
}

const NUMBERS: readonly TypeCase[] = [
  { sql: 'true', type: { kind: 'boolean' }, value: true },
  { sql: 'false', type: { kind: 'boolean' }, value: false },
  { sql: 'CAST(NULL AS boolean)', type: { kind: 'boolean' }, value: null },
  { sql: "TINYINT '-128'", type: integer(8), value: -128 },
  { sql: "SMALLINT '-32768'", type: integer(16), value: -32768 },
  { sql: '-2147483648', type: integer(32), value: -2147483648 },
  { sql: "BIGINT '-9223372036854775808'", type: integer(64), value: -(2n ** 63n) },
  { sql: '9223372036854775807', type: integer(64), value: 2n ** 63n - 1n },
  { sql: "BIGINT '9007199254740993'", type: integer(64), value: 9_007_199_254_740_993n },
  { sql: "BIGINT '-1'", type: integer(64), value: -1n },
  { sql: "DECIMAL '-12.34'", type: decimal(4, 2), value: -1234 },
  { sql: 'CAST(12.5 AS decimal(9, 4))', type: decimal(9, 4), value: 125_000 },
  { sql: 'CAST(-0.5 AS decimal(18, 3))', type: decimal(18, 3), value: -500n },
  { sql: `DECIMAL '-${NINES}'`, type: decimal(38, 0), value: -BigInt(NINES) },
  { sql: `DECIMAL '.${NINES}'`, type: decimal(38, 38), value: BigInt(NINES) },
  { sql: 'CAST(NULL AS decimal(38, 2))', type: decimal(38, 2), value: null },
  { sql: "REAL '1.5'", type: FLOAT, value: 1.5 },
  { sql: "REAL '1.1'", type: FLOAT, value: Math.fround(1.1) },
  { sql: 'CAST(nan() AS real)', type: FLOAT, value: Number.NaN },
  { sql: '1E-1', type: DOUBLE, value: 0.1 },
  { sql: '123456789.123E0', type: DOUBLE, value: 123_456_789.123 },
  { sql: '-5E-324', type: DOUBLE, value: -5e-324 },
  { sql: '1.7976931348623157E308', type: DOUBLE, value: Number.MAX_VALUE },
  { sql: '-1 * 0E0', type: DOUBLE, value: -0 },
  { sql: 'nan()', type: DOUBLE, value: Number.NaN },
  { sql: '-infinity()', type: DOUBLE, value: Number.NEGATIVE_INFINITY },
];

const TEXTS: readonly TypeCase[] = [
  { sql: "VARCHAR 'é💛''\"\\'", type: TEXT, value: 'é💛\'"\\' },
  { sql: "U&'\\0000\\0001\\000a\\+01f49b'", type: TEXT, value: '\0\x01\n💛' },
  { sql: "''", type: TEXT, value: '' },
  { sql: 'CAST(NULL AS varchar)', type: TEXT, value: null },
  { sql: "CAST('ab' AS char(4))", type: TEXT, value: 'ab  ' },
  { sql: "X'00ff'", type: BINARY, value: bytes(0, 255) },
  { sql: "X''", type: BINARY, value: bytes() },
  {
    sql: "UUID '12151FD2-7586-11E9-8F9E-2A86E4085A59'",
    type: TEXT,
    value: '12151fd2-7586-11e9-8f9e-2a86e4085a59',
  },
  { sql: "IPADDRESS '2001:db8::1'", type: TEXT, value: '2001:db8::1' },
  {
    sql: `JSON '{"b": [1, "x\\"y"], "a": 12345678901234567890.5}'`,
    type: JSON_TEXT,
    value: '{"a":1.2345678901234567E19,"b":[1,"x\\"y"]}',
  },
  { sql: "JSON 'null'", type: JSON_TEXT, value: 'null' },
  { sql: 'CAST(NULL AS json)', type: JSON_TEXT, value: null },
  { sql: 'NULL', type: NULL, value: null },
];

const TIMES: readonly TypeCase[] = [
  { sql: "DATE '2024-02-29'", type: DATE, value: 19_782 },
  { sql: "DATE '1969-12-31'", type: DATE, value: -1 },
  { sql: "DATE '0000-02-29'", type: DATE, value: -719_469 },
  { sql: "DATE '-0001-12-31'", type: DATE, value: -719_529 },
  { sql: "DATE '+12024-01-01'", type: DATE, value: 3_672_148 },
  { sql: "TIME '23:59:59'", type: TIME, value: 86_399_000_000n },
  { sql: "TIME '23:59:59.999999'", type: TIME, value: 86_399_999_999n },
  { sql: "TIME '23:59:59.999999999999'", type: TIME_TEXT, value: '23:59:59.999999999999' },
  { sql: "TIME '01:02:03.5 +14:00'", type: TIME_TEXT, value: '01:02:03.5+14:00' },
  {
    sql: "TIMESTAMP '2024-02-29 01:02:03'",
    type: timestamp('microsecond'),
    value: micros('2024-02-29T01:02:03Z'),
  },
  { sql: "TIMESTAMP '1969-12-31 23:59:59.999999'", type: timestamp('microsecond'), value: -1n },
  {
    sql: "TIMESTAMP '-0001-01-01 00:00:00.5'",
    type: timestamp('microsecond'),
    value: -62_198_755_199_500_000n,
  },
  {
    sql: "TIMESTAMP '12024-01-01 00:00:00.12'",
    type: timestamp('microsecond'),
    value: 317_273_587_200_120_000n,
  },
  { sql: "TIMESTAMP '1969-12-31 23:59:59.999999999'", type: timestamp('nanosecond'), value: -1n },
  {
    sql: "TIMESTAMP '2262-04-11 23:47:15.1234567'",
    type: timestamp('nanosecond'),
    value: 9_223_372_035_123_456_700n,
  },
  { sql: "TIMESTAMP '2262-04-11 23:47:16.854775806'", type: timestamp('nanosecond'), value: 2n ** 63n - 2n },
  {
    sql: "TIMESTAMP '1677-09-21 00:12:43.145224194'",
    type: timestamp('nanosecond'),
    value: -(2n ** 63n) + 2n,
  },
  {
    sql: "TIMESTAMP '2020-01-01 00:00:00.123456789012'",
    type: TEXT,
    value: '2020-01-01 00:00:00.123456789012',
  },
  {
    sql: "TIMESTAMP '2024-07-01 12:00:00 Europe/Berlin'",
    type: timestamp('microsecond', true),
    value: micros('2024-07-01T10:00:00Z'),
  },
  {
    sql: "TIMESTAMP '2024-01-01 00:00:00.000000001 America/New_York'",
    type: timestamp('nanosecond', true),
    value: micros('2024-01-01T05:00:00Z') * 1000n + 1n,
  },
  {
    sql: "TIMESTAMP '1900-01-01 00:00:00 -05:30'",
    type: timestamp('microsecond', true),
    value: micros('1900-01-01T05:30:00Z'),
  },
  {
    // The first of the two hours after clocks are set back.
    sql: "TIMESTAMP '2024-10-27 02:30:00 Europe/Berlin'",
    type: timestamp('microsecond', true),
    value: micros('2024-10-27T00:30:00Z'),
  },
  {
    sql: "TIMESTAMP '2024-10-27 03:00:00 Europe/Berlin'",
    type: timestamp('microsecond', true),
    value: micros('2024-10-27T02:00:00Z'),
  },
  { sql: "INTERVAL '-3' DAY", type: INTERVAL, value: '-3 00:00:00.000' },
  { sql: "INTERVAL '13' MONTH", type: INTERVAL, value: '1-1' },
];

const NESTED: readonly TypeCase[] = [
  { sql: "ARRAY['a\"\\é', '', NULL]", type: list(TEXT), value: ['a"\\é', '', null] },
  { sql: 'CAST(ARRAY[] AS array(bigint))', type: list(integer(64)), value: [] },
  { sql: 'CAST(NULL AS array(bigint))', type: list(integer(64)), value: null },
  {
    sql: 'ARRAY[ARRAY[9223372036854775807], NULL]',
    type: list(list(integer(64))),
    value: [[2n ** 63n - 1n], null],
  },
  { sql: 'ARRAY[JSON \'{"a":"]"}\']', type: list(JSON_TEXT), value: ['{"a":"]"}'] },
  { sql: "ARRAY[X'01', NULL]", type: list(BINARY), value: [bytes(1), null] },
  {
    sql: "MAP(ARRAY['a', 'b,\"'], ARRAY[1, NULL])",
    type: map(TEXT, integer(32)),
    value: [
      ['a', 1],
      ['b,"', null],
    ],
  },
  {
    sql: "MAP(ARRAY[DECIMAL '1.20'], ARRAY[nan()])",
    type: map(decimal(3, 2), DOUBLE),
    value: [[120, Number.NaN]],
  },
  {
    sql: "MAP(ARRAY[DATE '2024-02-29'], ARRAY[true])",
    type: map(DATE, { kind: 'boolean' }),
    value: [[19_782, true]],
  },
  { sql: 'MAP()', type: map(NULL, NULL), value: [] },
  {
    sql: 'CAST(ROW(1, ROW(\'x\', NULL)) AS row(a integer, "b c" row(d varchar, e date)))',
    type: row(['a', integer(32)], ['b c', row(['d', TEXT], ['e', DATE])]),
    value: [1, ['x', null]],
  },
  { sql: 'ROW(1, true)', type: row(['', integer(32)], ['', { kind: 'boolean' }]), value: [1, true] },
  {
    sql: "ARRAY[MAP(ARRAY['k'], ARRAY[ROW(ARRAY[1])])]",
    type: list(map(TEXT, row(['', list(integer(32))]))),
    value: [[['k', [[1]]]]],
  },
];

/** A type that this side does not know. */
const UNKNOWN: TypeCase = { sql: 'ST_Point(1, 2)', type: TEXT, value: 'POINT (1 2)' };

export const trinoTypes: readonly TypeCase[] = [...NUMBERS, ...TEXTS, ...TIMES, ...NESTED, UNKNOWN];
