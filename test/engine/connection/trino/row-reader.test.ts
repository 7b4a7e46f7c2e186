import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ColumnDescription, Rows } from '../../../../src/engine/connection/trino/page.ts';
import { RowReader } from '../../../../src/engine/connection/trino/row-reader.ts';
import { createDecoder } from '../../../../src/engine/connection/trino/types.ts';
import type { ColumnValue } from '../../../../src/engine/result/columns/column.ts';
import { createReader } from '../../../../src/engine/result/columns/read-value.ts';

const plain = (rawType: string): ColumnDescription => ({
  name: rawType,
  type: rawType,
  typeSignature: { rawType, arguments: [] },
});
const list: ColumnDescription = {
  name: 'list',
  type: 'array(varchar)',
  typeSignature: {
    rawType: 'array',
    arguments: [{ kind: 'TYPE', value: { rawType: 'varchar', arguments: [] } }],
  },
};
const columns = [plain('bigint'), plain('varchar'), list];

/** Reads rows that arrive in pieces. */
function read(pieces: readonly Buffer[], last = pieces.length - 1): readonly (readonly ColumnValue[])[] {
  const decoders = columns.map(createDecoder);
  const reader = new RowReader(decoders);
  return pieces.flatMap((bytes, i) => {
    const rows: Rows = { bytes, start: 0, end: bytes.length, isPartial: i < last, free: () => bytes.fill(0) };
    reader.open(rows);
    const found: ColumnValue[][] = [];
    for (let chunk = reader.read(); chunk !== null; chunk = reader.read()) {
      const reads = decoders.map(({ type }, column) => createReader(type, chunk.vector(column)));
      for (let row = 0; row < chunk.rows; row += 1) found.push(reads.map((value) => value(row)));
    }
    expect(reader.isEmpty).toBe(true);
    return found;
  });
}

/** Bytes of rows as the server writes them. */
const print = (rows: readonly unknown[]) => Buffer.from(JSON.stringify(rows).slice(1, -1));

/** Cuts bytes into pieces of some lengths; the last length repeats. */
function cut(bytes: Buffer, lengths: readonly number[]): readonly Buffer[] {
  const pieces: Buffer[] = [];
  for (let [at, i] = [0, 0]; at < bytes.length; i += 1) {
    const end = at + lengths[Math.min(i, lengths.length - 1)]!;
    pieces.push(Buffer.from(bytes.subarray(at, end)));
    at = end;
  }
  return pieces;
}

describe('rows that arrive in pieces', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^["\\,[\]\n]*$/), fc.string({ unit: 'binary' }));
  const row = fc.tuple(
    fc.option(fc.integer()),
    fc.option(text),
    fc.option(fc.array(fc.option(text), { maxLength: 3 })),
  );

  it('are those of one piece', () => {
    const rows = fc.array(row, { minLength: 1, maxLength: 20 });
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
    fc.assert(
      fc.property(rows, lengths, (expected, sizes) => {
        const bytes = print(expected);
        expect(read(cut(bytes, sizes))).toEqual(read([bytes]));
      }),
    );
  });

  it('can be cut at each byte', () => {
    const bytes = print([
      [1, 'é"\\', ['],[', null]],
      [null, null, null],
      [-20, '', []],
    ]);
    const whole = read([Buffer.from(bytes)]);
    expect(whole).toHaveLength(3);
    for (let at = 1; at < bytes.length; at += 1) expect(read(cut(bytes, [at, bytes.length]))).toEqual(whole);
  });

  it('can be longer than many pieces', () => {
    const long = 'x"'.repeat(50_000);
    const bytes = print([
      [1, long, [long]],
      [2, 'y', []],
    ]);
    expect(read(cut(bytes, [100]))).toEqual(read([bytes]));
  });

  it.each([
    ['that end within a row', '[1,"a",[]],[2,"b"'],
    ['that end within a string', '[1,"a",[]],[2,"b'],
    ['that end within a list', '[1,"a",[]],[2,"b",["c"'],
    ['that end within a number', '[1,"a",[]],[2'],
    ['with a value too few', '[1,"a"],[2,"b",[]]'],
    ['without a bracket', '1,"a",[]],[2,"b",[]]'],
  ])('%s are damaged', (_, damaged) => {
    const bytes = Buffer.from(damaged);
    for (const size of [1, 5, 8, bytes.length]) {
      expect(() => read(cut(bytes, [size]))).toThrow('The rows that the server sent are damaged.');
    }
  });
});
