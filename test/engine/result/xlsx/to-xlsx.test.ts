import { afterAll, describe, expect, it } from 'vitest';
import type { Chunk, Column } from '../../../../src/engine/result/columns/column.ts';
import { checkResult } from '../../../../src/engine/result/xlsx/sheet-limits.ts';
import { createXlsxEncoder } from '../../../../src/engine/result/xlsx/to-xlsx.ts';
import { never } from '../../connection/results.ts';
import { encodeBytes, openMemory, stats, toBytes, toChunk, toFixed } from '../encode.ts';
import { readBook, readPart } from './read-book.ts';

const memory = await openMemory();
afterAll(() => memory.close());

async function encodeSql(sql: string): Promise<Buffer> {
  const result = await memory.run(sql, never);
  if (result.kind === 'done') throw new Error(`no rows: ${sql}`);
  return encodeBytes('xlsx', result.columns, result.chunks);
}

/** The cell of one value. */
async function writeValue(sql: string): Promise<string | null | undefined> {
  const [, row] = await readBook(await encodeSql(`SELECT 0 AS first, ${sql} AS value`));
  return row?.[1] ?? null;
}

describe('a value in a workbook', () => {
  it.each([
    ['999999999999999', 'whole 999999999999999'],
    ['-999999999999999', 'whole -999999999999999'],
    ['1000000000000000', 'text 1000000000000000'],
    ['(-128)::TINYINT', 'whole -128'],
    ['18446744073709551615::UBIGINT', 'text 18446744073709551615'],
    ["'12'::HUGEINT", 'whole 12'],
    ["'170141183460469231731687303715884105727'::HUGEINT", 'text 170141183460469231731687303715884105727'],
    ["'123456789012345'::BIGNUM", 'whole 123456789012345'],
    ["'1234567890123456'::BIGNUM", 'text 1234567890123456'],
    ['12.30::DECIMAL(9,2)', 'fraction 12.3'],
    ['-0.05::DECIMAL(2,2)', 'fraction -0.05'],
    ["'7.0000000000'::DECIMAL(38,10)", 'whole 7'],
    ["'12345678901.2345'::DECIMAL(18,4)", 'fraction 12345678901.2345'],
    ["'12345678901.23456'::DECIMAL(18,5)", 'text 12345678901.23456'],
    ['0.1::DOUBLE', 'fraction 0.1'],
    ['1e300::DOUBLE', 'fraction 1e+300'],
    ['0.1::FLOAT', 'fraction 0.1'],
    ['1e-7::DOUBLE', 'fraction 1e-7'],
    ["'nan'::DOUBLE", 'text nan'],
    ["'-inf'::FLOAT", 'text -inf'],
  ])('is exact as the number %s', async (sql, cell) => {
    expect(await writeValue(sql)).toBe(cell);
  });

  it.each([
    ["DATE '2024-02-29'", 'date 2024-02-29'],
    ["DATE '1900-03-01'", 'date 1900-03-01'],
    ["DATE '1900-02-28'", 'text 1900-02-28'],
    ["DATE '9999-12-31'", 'date 9999-12-31'],
    ["DATE '10000-01-01'", 'text 10000-01-01'],
    ["DATE '0044-03-15 (BC)'", 'text 0044-03-15 (BC)'],
    ["'infinity'::DATE", 'text infinity'],
    ["TIMESTAMP '1969-12-31 23:59:59.5'", 'timestamp 1969-12-31 23:59:59.500'],
    ["TIMESTAMP '2024-01-02 03:04:05.678999'", 'timestamp 2024-01-02 03:04:05.678'],
    ["TIMESTAMP '9999-12-31 23:59:59.999999'", 'timestamp 9999-12-31 23:59:59.999'],
    ["'2024-01-02 03:04:05'::TIMESTAMP_S", 'timestamp 2024-01-02 03:04:05'],
    ["'2024-01-02 03:04:05.006'::TIMESTAMP_MS", 'timestamp 2024-01-02 03:04:05.006'],
    ["'2024-01-02 03:04:05.007000001'::TIMESTAMP_NS", 'timestamp 2024-01-02 03:04:05.007'],
    ["TIMESTAMPTZ '2024-01-02 03:04:05+02'", 'timestamp 2024-01-02 01:04:05'],
    ["TIMESTAMPTZ '1900-02-28 00:00:00+00'", 'text 1900-02-28 00:00:00+00'],
    ["'-infinity'::TIMESTAMP", 'text -infinity'],
    ["TIME '01:02:03.000004'", 'text 01:02:03.000004'],
    ['INTERVAL 1 DAY', 'text 1 day'],
  ])('is a date where sheets have it: %s', async (sql, cell) => {
    expect(await writeValue(sql)).toBe(cell);
  });

  it.each([
    ["'=1+1'", 'text =1+1'],
    ["'007'", 'text 007'],
    ["''", 'text '],
    ["' a '", 'text  a '],
    ["'<b>&amp;]]>\"'", 'text <b>&amp;]]>"'],
    ["'é😀' || chr(8203)", 'text é😀\u200b'],
    ['chr(1) || chr(9) || chr(10) || chr(13) || chr(31) || chr(127)', 'text \u0001\t\n\r\u001f\u007f'],
    ['chr(65534) || chr(65535)', 'text \ufffe\uffff'],
    ["'_x0041_ _x0041_x0042_ _x00g1_'", 'text _x0041_ _x0041_x0042_ _x00g1_'],
    ["'_X0041_ __x005F_'", 'text _X0041_ __x005F_'],
    ["'_x0041' || chr(2) || '_x0003_'", 'text _x0041\u0002_x0003_'],
    ["'\\xAA\\x00'::BLOB", 'text \\xAA\\x00'],
    ['[1, NULL]', 'text [1, NULL]'],
    ["{'a': 1}", "text {'a': 1}"],
    ['\'{"a": 1}\'::JSON', 'text {"a": 1}'],
    ["'POINT (1 2)'::GEOMETRY", 'text POINT (1 2)'],
    ['true', 'boolean true'],
    ['false', 'boolean false'],
    ['NULL', null],
    ['NULL::VARCHAR', null],
    ['NULL::DOUBLE', null],
  ])('is what it was: %s', async (sql, cell) => {
    expect(await writeValue(sql)).toBe(cell);
  });
});

describe('a workbook', () => {
  it('has the names of the columns in its first row, and every row', async () => {
    const sql = `SELECT range AS "a&b", 'x' || range AS "a&b", CASE range % 2 WHEN 0 THEN true END AS "=c"
      FROM range(5000)`;
    const rows = await readBook(await encodeSql(sql));
    expect(rows).toHaveLength(5001);
    expect(rows.slice(0, 3)).toEqual([
      ['text a&b', 'text a&b', 'text =c'],
      ['whole 0', 'text x0', 'boolean true'],
      ['whole 1', 'text x1'],
    ]);
    expect(rows.at(-1)).toEqual(['whole 4999', 'text x4999']);
  });

  it('has the columns of a result without rows, and none without a result', async () => {
    expect(await readBook(await encodeSql('SELECT 1 AS a, 2 AS b WHERE false'))).toEqual([
      ['text a', 'text b'],
    ]);
    expect(await readBook(await encodeBytes('xlsx', null, []))).toEqual([]);
  });

  it('has the same bytes for the same result', async () => {
    const sql = "SELECT range, 'x' || range FROM range(3000)";
    expect(await encodeSql(sql)).toEqual(await encodeSql(sql));
  });

  it('has a text of the longest length in each of many columns', async () => {
    const columns: readonly Column[] = Array.from({ length: 200 }, (_, i) => ({
      name: `c${i}`,
      type: { kind: 'text', label: 'STRING' },
    }));
    const text = '\u0001'.repeat(32_767);
    const chunk = toChunk(
      1,
      columns.map(() => toBytes([text])),
    );
    const [, row] = await readBook(await encodeBytes('xlsx', columns, [chunk]));
    expect(row).toHaveLength(200);
    expect(new Set(row)).toEqual(new Set([`text ${text}`]));
  });
});

const NUMBER: Column = { name: 'a', type: { kind: 'integer', bits: 32, signed: true } };

function* countUp(rows: number): Iterable<Chunk> {
  for (let at = 0; at < rows; at += 65_536) {
    const size = Math.min(65_536, rows - at);
    yield toChunk(size, [toFixed(new Int32Array(size))]);
  }
}

describe('checkResult', () => {
  it.each([
    "SELECT chr(1) || range AS a, '\\x00\\xAA'::BLOB AS b, ['€', NULL] AS c FROM range(3000)",
    "SELECT TIMESTAMP '2024-01-02 03:04:05.006' AS a, pi() AS b, ' é ' AS c, 12345678901.123::DECIMAL(18,3) AS d FROM range(3000)",
    "SELECT '' AS a, 'POINT (0.1 0.2)'::GEOMETRY AS b FROM range(3000)",
  ])('resolves with at least the bytes of the sheet: %s', async (sql) => {
    const result = await memory.run(sql, never);
    if (result.kind === 'done') throw new Error('no rows');
    const most = await checkResult(result.columns, result.chunks);
    const sheet = await readPart(await encodeSql(sql), 'xl/worksheets/sheet1.xml');
    expect(most).toBeGreaterThan(sheet.length);
    expect(most).toBeLessThan(sheet.length * 10);
  });
});

describe('a limit of sheets', () => {
  it('allows 1,048,575 rows, and refuses one more', { timeout: 60_000 }, async () => {
    const bytes = await encodeBytes('xlsx', [NUMBER], countUp(1_048_575));
    expect(bytes.length).toBeGreaterThan(1_048_575);
    await expect(encodeBytes('xlsx', [NUMBER], countUp(1_048_576))).rejects.toThrow(
      'The result cannot be written as xlsx: it has more than 1,048,575 rows. Choose another format, such as csv',
    );
  });

  it('allows 16,384 columns, and refuses one more', async () => {
    const columns = Array.from({ length: 16_385 }, () => NUMBER);
    const row = toChunk(
      1,
      columns.map(() => toFixed(new Int32Array(1))),
    );
    const [, cells] = await readBook(await encodeBytes('xlsx', columns.slice(1), [row]));
    expect(cells).toHaveLength(16_384);
    await expect(encodeBytes('xlsx', columns, [row])).rejects.toThrow(
      'it has 16,385 columns, more than 16,384',
    );
  });

  it.each([
    ["repeat('x', 32768)", '32,768'],
    ["repeat('😀', 16384)", '32,768'],
    ["[repeat('x', 40000)]", '40,002'],
    ["repeat('x', 1000000)", '1,000,000'],
    ["repeat('\\x00', 9000)::BLOB", '36,000'],
  ])('refuses the text %s by its column', async (sql, length) => {
    await expect(encodeSql(`SELECT 1 AS a, ${sql} AS "b c"`)).rejects.toThrow(
      `The column "b c" cannot be written as xlsx: a text has ${length} characters, more than 32,767`,
    );
  });

  it('refuses a name that is too long, before the first byte', async () => {
    const sink = { write: () => expect.unreachable() };
    const encoder = createXlsxEncoder(sink);
    await expect(encoder.start([{ ...NUMBER, name: 'x'.repeat(32_768) }])).rejects.toThrow(
      '32,768 characters',
    );
  });

  it('ends with the error of a sink that is full', async () => {
    const full = new Error('full');
    const encoder = createXlsxEncoder({ write: () => Promise.reject(full) });
    await encoder.start([NUMBER]);
    await expect(encoder.chunk(toChunk(1, [toFixed(new Int32Array(1))]))).rejects.toBe(full);
  });

  it('ends with the error of a sink that fails later', async () => {
    const full = new Error('full');
    let room = 200_000;
    const sink = {
      async write(bytes: Uint8Array) {
        room -= bytes.length;
        if (room < 0) throw full;
      },
    };
    const encoder = createXlsxEncoder(sink);
    const write = async () => {
      await encoder.start([NUMBER]);
      for (const chunk of countUp(1_000_000)) await encoder.chunk(chunk);
      await encoder.end(stats);
    };
    await expect(write()).rejects.toBe(full);
  });
});
