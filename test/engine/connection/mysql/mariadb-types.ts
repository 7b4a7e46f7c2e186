import type { ColumnType } from '../../../../src/engine/result/columns/column.ts';
import type { TypeCase } from '../conformance/driver-under-test.ts';

const TEXT: ColumnType = { kind: 'text', label: 'STRING' };
const DIGITS: ColumnType = { kind: 'text', label: 'DECIMAL' };
const TIME: ColumnType = { kind: 'text', label: 'TIME' };
const JSON_TEXT: ColumnType = { kind: 'json' };
const BINARY: ColumnType = { kind: 'binary' };
const NINES = '9'.repeat(38);

function integer(bits: 8 | 16 | 32 | 64, signed = true): ColumnType {
  return { kind: 'integer', bits, signed };
}

function decimal(precision: number, scale: number): ColumnType {
  return { kind: 'decimal', precision, scale };
}

function timestamp(utc = false): ColumnType {
  return { kind: 'timestamp', unit: 'microsecond', utc };
}

/** Expressions; columns are in `mariadbColumns`. */
export const mariadbTypes: readonly TypeCase[] = [
  { sql: 'true', type: integer(32), value: 1 },
  { sql: '1 = 2', type: integer(32), value: 0 },
  { sql: '-9223372036854775808', type: integer(64), value: -(2n ** 63n) },
  { sql: '18446744073709551615', type: integer(64, false), value: 2n ** 64n - 1n },
  { sql: 'COUNT(*)', type: integer(64), value: 1n },
  { sql: 'SUM(1)', type: decimal(23, 0), value: 1n },
  { sql: '-12.34', type: decimal(4, 2), value: -1234 },
  { sql: '0.01', type: decimal(3, 2), value: 1 },
  { sql: '.5', type: decimal(1, 1), value: 5 },
  { sql: '1 / 3', type: decimal(5, 4), value: 3333 },
  { sql: `-${NINES}`, type: decimal(38, 0), value: -BigInt(NINES) },
  { sql: `0.${NINES}`, type: DIGITS, value: `0.${NINES}` },
  { sql: `${NINES}0.5`, type: DIGITS, value: `${NINES}0.5` },
  { sql: '1e-300', type: { kind: 'double' }, value: 1e-300 },
  { sql: "'é💛'", type: TEXT, value: 'é💛' },
  { sql: "''", type: TEXT, value: '' },
  { sql: 'NULL', type: { kind: 'null' }, value: null },
  { sql: 'CAST(NULL AS CHAR)', type: TEXT, value: null },
  { sql: "x'00ff7f'", type: BINARY, value: new Uint8Array([0, 255, 127]) },
  { sql: "REPEAT('x', 300)", type: TEXT, value: 'x'.repeat(300) },
  { sql: "REPEAT('x', 70000)", type: TEXT, value: 'x'.repeat(70_000) },
  { sql: "JSON_OBJECT('a', 1)", type: JSON_TEXT, value: '{"a": 1}' },
  { sql: "DATE '2024-02-29'", type: { kind: 'date' }, value: 19_782 },
  { sql: "TIMESTAMP '1970-01-02 00:00:00.5'", type: timestamp(), value: 86_400_500_000n },
  { sql: "TIMEDIFF('10:00', '35:30')", type: TIME, value: '-25:30:00' },
  { sql: 'ST_AsText(POINT(1, 2))', type: TEXT, value: 'POINT(1 2)' },
  { sql: 'IF(1, 1.5, 2.25)', type: decimal(3, 2), value: 150 },
];

/** Values of columns of a type. */
export const mariadbColumns: readonly (TypeCase & { readonly column: string })[] = [
  { column: 'BOOLEAN', sql: 'true', type: integer(8), value: 1 },
  { column: 'TINYINT', sql: '-128', type: integer(8), value: -128 },
  { column: 'TINYINT UNSIGNED', sql: '255', type: integer(8, false), value: 255 },
  { column: 'SMALLINT', sql: '-32768', type: integer(16), value: -32768 },
  { column: 'SMALLINT UNSIGNED', sql: '65535', type: integer(16, false), value: 65535 },
  { column: 'MEDIUMINT', sql: '-8388608', type: integer(32), value: -8388608 },
  { column: 'INT', sql: '-2147483648', type: integer(32), value: -2147483648 },
  { column: 'INT UNSIGNED', sql: '4294967295', type: integer(32, false), value: 4294967295 },
  { column: 'INT(5) ZEROFILL', sql: '42', type: integer(32, false), value: 42 },
  { column: 'BIGINT', sql: '9223372036854775807', type: integer(64), value: 2n ** 63n - 1n },
  { column: 'BIGINT(20) ZEROFILL', sql: '42', type: integer(64, false), value: 42n },
  { column: 'BIGINT UNSIGNED', sql: '18446744073709551615', type: integer(64, false), value: 2n ** 64n - 1n },
  { column: 'YEAR', sql: '1901', type: integer(16, false), value: 1901 },
  { column: 'YEAR', sql: '0', type: integer(16, false), value: 0 },
  { column: 'BIT(1)', sql: "b'1'", type: TEXT, value: '1' },
  { column: 'BIT(10)', sql: "b'1000000011'", type: TEXT, value: '1000000011' },
  { column: 'BIT(64)', sql: '~0', type: TEXT, value: '1'.repeat(64) },
  { column: 'BIT(3)', sql: 'NULL', type: TEXT, value: null },
  { column: 'DECIMAL(4, 2)', sql: '-99.99', type: decimal(4, 2), value: -9999 },
  { column: 'DECIMAL(4, 2) UNSIGNED', sql: '0.07', type: decimal(4, 2), value: 7 },
  { column: 'DECIMAL(5, 5)', sql: '-0.00001', type: decimal(5, 5), value: -1 },
  { column: 'DECIMAL(18, 3)', sql: '-0.5', type: decimal(18, 3), value: -500n },
  { column: 'DECIMAL(38, 10)', sql: '1', type: decimal(38, 10), value: 10n ** 10n },
  { column: 'DECIMAL(8, 2) ZEROFILL', sql: '12.3', type: decimal(8, 2), value: 1230 },
  { column: 'DECIMAL(39, 1)', sql: '1', type: DIGITS, value: '1.0' },
  { column: 'FLOAT', sql: '1.5', type: { kind: 'float' }, value: 1.5 },
  { column: 'FLOAT', sql: '16777217', type: { kind: 'float' }, value: 16777200 },
  { column: 'DOUBLE', sql: '0.1 + 0.2e0', type: { kind: 'double' }, value: 0.1 + 0.2 },
  { column: 'DOUBLE', sql: '-1e300', type: { kind: 'double' }, value: -1e300 },
  { column: 'DATE', sql: "'1000-01-01'", type: { kind: 'date' }, value: -354_285 },
  { column: 'DATE', sql: "'9999-12-31'", type: { kind: 'date' }, value: 2_932_896 },
  { column: 'DATE', sql: "'0000-00-00'", type: { kind: 'date' }, value: null },
  { column: 'DATE', sql: "'2024-00-10'", type: { kind: 'date' }, value: null },
  { column: 'DATE', sql: "'2024-10-00'", type: { kind: 'date' }, value: null },
  { column: 'DATE', sql: "'2023-02-29'", type: { kind: 'date' }, value: null },
  { column: 'DATE', sql: "'0000-03-01'", type: { kind: 'date' }, value: -719_468 },
  { column: 'DATETIME', sql: "'0000-00-00 00:00:00'", type: timestamp(), value: null },
  {
    column: 'DATETIME(6)',
    sql: "'2024-01-02 03:04:05.000006'",
    type: timestamp(),
    value: 1_704_164_645_000_006n,
  },
  { column: 'TIMESTAMP', sql: "'2024-01-02 03:04:05'", type: timestamp(true), value: 1_704_164_645_000_000n },
  { column: 'TIMESTAMP NULL', sql: 'NULL', type: timestamp(true), value: null },
  { column: 'TIME', sql: "'-838:59:59'", type: TIME, value: '-838:59:59' },
  { column: 'TIME(3)', sql: "'25:00:00.5'", type: TIME, value: '25:00:00.500' },
  { column: 'CHAR(3)', sql: "'a'", type: TEXT, value: 'a' },
  { column: 'VARCHAR(5) CHARACTER SET latin1', sql: "'é'", type: TEXT, value: 'é' },
  { column: 'VARCHAR(5) COLLATE utf8mb4_bin', sql: "'é💛'", type: TEXT, value: 'é💛' },
  { column: 'TINYTEXT', sql: "'x'", type: TEXT, value: 'x' },
  { column: 'LONGTEXT', sql: "''", type: TEXT, value: '' },
  { column: 'BINARY(3)', sql: "'a'", type: BINARY, value: new Uint8Array([97, 0, 0]) },
  { column: 'VARBINARY(5)', sql: "x'00ff'", type: BINARY, value: new Uint8Array([0, 255]) },
  { column: 'BLOB', sql: "''", type: BINARY, value: new Uint8Array() },
  { column: "ENUM('a', 'é')", sql: "'é'", type: TEXT, value: 'é' },
  { column: "SET('a', 'b', 'c')", sql: "'a,c'", type: TEXT, value: 'a,c' },
  { column: 'JSON', sql: `'{"a": [1,  2]}'`, type: JSON_TEXT, value: '{"a": [1,  2]}' },
  {
    column: 'UUID',
    sql: "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'",
    type: TEXT,
    value: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  },
  { column: 'INET6', sql: "'::1'", type: TEXT, value: '::1' },
  { column: 'INET4', sql: "'10.0.0.1'", type: TEXT, value: '10.0.0.1' },
  {
    column: 'GEOMETRY',
    sql: 'POINT(1, 2)',
    type: { kind: 'geometry' },
    value: new Uint8Array(Buffer.from('0101000000000000000000f03f0000000000000040', 'hex')),
  },
  { column: 'POINT', sql: 'NULL', type: { kind: 'geometry' }, value: null },
];
