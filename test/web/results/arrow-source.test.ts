import { afterAll, describe, expect, it } from 'vitest';
import type { Column } from '../../../src/engine/result/columns/column.ts';
import { duckdbTypes } from '../../engine/connection/duckdb/types.ts';
import { encodeAnswer, encodeArrow } from '../../engine/result/arrow-readers.ts';
import { openMemory } from '../../engine/result/encode.ts';
import { decode, readCsvCells, readSource, readTexts } from './arrow-bytes.ts';

const connection = await openMemory();
afterAll(() => connection.close());

/** Values outside the range of Arrow, which the server refuses. */
const REFUSED: readonly unknown[] = [-(2n ** 127n), 86_400_000_000n];

/** Values whose text inside others depends on a type that Arrow does not have. */
const NESTED = [
  `['{"a": 1}'::JSON, NULL, '"x"'::JSON]`,
  `['{"a": 1}'::JSON]::JSON[1]`,
  `{'j': '[1]'::JSON, 't': '[1]'}`,
  `['POINT Z (1 2.5 3)'::GEOMETRY, NULL]`,
  `[union_value(l := [1, NULL])::UNION(l INTEGER[], d DATE), union_value(d := DATE '2024-01-02')]`,
  `{'v': 'a, b'::VARIANT, 'w': [1, 2]::VARIANT, 'n': NULL::VARIANT}`,
  `[INTERVAL '1 day 2 hours', NULL]`,
  `{'a b': 'it''s', 'c': ['', 'NULL', ' x', NULL]}`,
  `MAP {DATE '2024-01-02': '\\xAA''"'::BLOB}`,
  `[TIMESTAMP '2024-01-02 03:04:05.5', 'infinity'::TIMESTAMP]`,
  `[0.5::DECIMAL(2, 2), NULL, 1e300::DOUBLE]`,
  `[chr(65279) || 'after a byte order mark']`,
];

describe('a cell', () => {
  it.each([...duckdbTypes.filter(({ value }) => !REFUSED.includes(value)).map(({ sql }) => sql), ...NESTED])(
    'has the text that CSV has: %s',
    async (sql) => {
      const one = `SELECT ${sql} AS x`;
      const all = `${one} UNION ALL SELECT NULL UNION ALL ${one}`;
      const source = await readSource(connection, all);
      const [first, second, third] = await readCsvCells(connection, all);
      expect(readTexts(source)).toEqual([first, second, third]);
      expect(second).toEqual([null]);
    },
  );

  it('has the text that CSV has, in many rows and batches', async () => {
    const sql = `
      SELECT i::BIGINT * 1000000007 AS big, (i * 0.37)::DECIMAL(12, 2) AS price, i / 7.0 AS ratio, (i / 3)::FLOAT AS f,
             DATE '2000-01-01' + i::INTEGER AS day, TIMESTAMP '2000-01-01' + INTERVAL (i) SECOND AS at,
             CASE WHEN i % 3 > 0 THEN 'text ' || i END AS t, i % 2 = 0 AS flag, [i, NULL] AS l
      FROM range(30000) r(i)`;
    const source = await readSource(connection, sql, 10_007);
    expect(source.rowCount).toBe(30_000);
    expect(source.isComplete).toBe(true);
    expect(readTexts(source)).toEqual(await readCsvCells(connection, sql));
  });

  it('has exact values beyond 2^53', async () => {
    const source = await readSource(
      connection,
      "SELECT 9007199254740993::BIGINT, 12345678901234567890.12::DECIMAL(38, 2), '-1.5'::DECIMAL(4, 2)",
    );
    expect([0, 1, 2].map((column) => source.getValue(0, column))).toEqual([
      9007199254740993n,
      1234567890123456789012n,
      -150,
    ]);
  });

  it('can be printed up to a length', async () => {
    const source = await readSource(
      connection,
      "SELECT repeat('é𝄞', 400000), repeat('x', 10)::BLOB, range(1000), NULL",
    );
    const start = (column: number) => source.getText(0, column, 7);
    expect([0, 1, 2, 3].map(start)).toEqual(['é𝄞é𝄞é', 'xxxxxxx', '[0, 1, ', null]);
  });

  it('has a nearest double for charts', async () => {
    const source = await readSource(
      connection,
      `SELECT 2::BIGINT, 1.25::DECIMAL(18, 2), DATE '1970-01-02', TIMESTAMP '1970-01-01 00:00:01.5', TIME '00:00:02',
              'x', 'infinity'::DATE, NULL::INTEGER, true, (2::UHUGEINT ** 100)::UHUGEINT`,
    );
    expect(source.columns.map((_, column) => source.getNumber(0, column))).toEqual([
      2,
      1.25,
      86_400_000,
      1_500,
      2_000,
      null,
      null,
      null,
      null,
      2 ** 100,
    ]);
  });
});

describe('the columns', () => {
  it('keep duplicate and empty names, also without rows', async () => {
    const columns: readonly Column[] = [
      { name: 'a', type: { kind: 'integer', bits: 32, signed: true } },
      { name: 'a', type: { kind: 'text', label: 'STRING' } },
      { name: '', type: { kind: 'decimal', precision: 4, scale: 2 } },
    ];
    const source = decode(Buffer.concat(await encodeArrow(columns, [])));
    expect(source.columns.map(({ name, type }) => [name, type])).toEqual([
      ['a', 'INTEGER'],
      ['a', 'STRING'],
      ['', 'DECIMAL'],
    ]);
    expect([source.rowCount, source.isComplete]).toEqual([0, true]);
  });

  it('can be thousands', async () => {
    const list = Array.from({ length: 5_000 }, (_, i) => `i + ${i} AS c${i}`).join(', ');
    const source = await readSource(connection, `SELECT ${list} FROM range(3000) r(i)`, 1_000_003);
    expect(source.columns.length).toBe(5_000);
    expect(source.getText(2_999, 4_999)).toBe('7998');
  });
});

describe('a stream', () => {
  it.each([1, 7, 8, 4_096])('can arrive in pieces of %i bytes', async (size) => {
    const sql = "SELECT i, 'n' || i AS name FROM range(40) r(i)";
    const source = await readSource(connection, sql, size);
    expect(readTexts(source)).toEqual(await readCsvCells(connection, sql));
  });

  it('is not complete before its end', async () => {
    const { bytes } = await encodeAnswer(connection, 'SELECT * FROM range(10000)');
    const source = decode(bytes.subarray(0, bytes.length - 1));
    expect([source.rowCount, source.isComplete]).toEqual([10_000, false]);
  });

  it('is refused when it is damaged', async () => {
    const { bytes } = await encodeAnswer(connection, 'SELECT 1');
    expect(() => decode(bytes.subarray(1))).toThrow('The rows arrived damaged.');
  });
});
