import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/engine/connection/contract/connection.ts';
import { createArrowEncoder } from '../../../src/engine/result/arrow/to-arrow.ts';
import type {
  Chunk,
  Column,
  ColumnType,
  ColumnValue,
  Vector,
} from '../../../src/engine/result/columns/column.ts';
import { FORMATS } from '../../../src/engine/result/formats.ts';
import { share } from '../../support/rotation.ts';
import {
  encodeAnswer,
  encodeArrow,
  findDifference,
  readMessages,
  readWithApache,
  readWithFlechette,
} from './arrow-readers.ts';
import { openMemory, stats, toBytes, toChunk, toFixed } from './encode.ts';

const INTEGER: ColumnType = { kind: 'integer', bits: 32, signed: true };
const TEXT: ColumnType = { kind: 'text', label: 'STRING' };
const LIST: ColumnType = { kind: 'list', element: TEXT };

/** Columns of each memory layout. */
const COLUMNS: readonly Column[] = [
  { name: 'integer', type: INTEGER },
  { name: 'decimal', type: { kind: 'decimal', precision: 18, scale: 2 } },
  { name: 'boolean', type: { kind: 'boolean' } },
  { name: 'text', type: TEXT },
  { name: 'shared', type: TEXT },
  { name: 'list', type: LIST },
];
const TYPES = COLUMNS.map(({ type }) => type);

/** Row `n` of each column. */
const WORDS = ['a', '', 'a word of more than twelve bytes', 'é'];
function valuesOf(n: number): readonly Exclude<ColumnValue, null>[] {
  return [n * 7, BigInt(n) * -1000003n, n % 3 === 0, 'x'.repeat(n % 30), WORDS[n % 4]!, [`e${n}`, null]];
}

type IsNull = (row: number, column: number) => boolean;

/** Chunks of the given sizes, and the expected values. */
function makeChunks(
  sizes: readonly number[],
  isNull: IsNull,
): { chunks: readonly Chunk[]; expected: ColumnValue[][] } {
  const expected: ColumnValue[][] = COLUMNS.map(() => []);
  let start = 0;
  const chunks = sizes.map((rows) => {
    const numbers = Array.from({ length: rows }, (_, i) => start + i);
    start += rows;
    const vectors = COLUMNS.map((_, column) => {
      const present = numbers.map((n) => !isNull(n, column));
      numbers.forEach((n, i) => {
        expected[column]!.push(present[i] ? valuesOf(n)[column]! : null);
      });
      return makeVector(column, numbers, present);
    });
    return toChunk(rows, vectors);
  });
  return { chunks, expected };
}

/** NULL rows have random data; without a NULL, the mask is optional. */
function makeVector(column: number, numbers: readonly number[], present: readonly boolean[]): Vector {
  const mask = new Uint8Array(((numbers.length + 63) >> 6) << 3).fill(0xff);
  present.forEach((is, i) => {
    if (!is) mask[i >> 3]! &= ~(1 << (i & 7));
  });
  const validity = present.includes(false) || numbers.length % 2 === 0 ? mask : null;
  const values = numbers.map((n) => valuesOf(n)[column]);
  switch (column) {
    case 0:
      return toFixed(Int32Array.from(values as number[]), validity);
    case 1:
      return toFixed(BigInt64Array.from(values as bigint[]), validity);
    case 2:
      return toFixed(Uint8Array.from(values as boolean[], Number), validity);
    case 3: {
      const vector = toBytes(values as string[]);
      const lengths = vector.lengths.map((length, i) => (present[i] ? length : -1));
      return { ...vector, validity, lengths };
    }
    case 4:
      return { ...pickWords(numbers), validity };
    default: {
      const texts = numbers.map(() => '');
      const lists = numbers.map((n, i) => (present[i] ? valuesOf(n)[column]! : null));
      return { kind: 'nested', validity, values: lists, texts };
    }
  }
}

/** Rows that share the bytes of a dictionary. */
function pickWords(numbers: readonly number[]) {
  const { bytes, starts, lengths } = toBytes(WORDS);
  return {
    kind: 'bytes',
    bytes,
    starts: Int32Array.from(numbers, (n) => starts[n % 4]!),
    lengths: Int32Array.from(numbers, (n) => lengths[n % 4]!),
  } as const;
}

const PATTERNS: Readonly<Record<string, IsNull>> = {
  'no NULL': () => false,
  'nothing but NULL': () => true,
  'every third': (row, column) => (row + column) % 3 === 0,
  'the last ones': (row) => row > 2046,
  'one of thousands': (row) => row % 4099 === 1000,
};

async function checkRoundTrip(sizes: readonly number[], isNull: IsNull): Promise<void> {
  const { chunks, expected } = makeChunks(sizes, isNull);
  const bytes = Buffer.concat(await encodeArrow(COLUMNS, chunks));
  expect(findDifference(readWithApache(bytes, TYPES).columns, expected)).toBeNull();
  expect(findDifference(readWithFlechette(bytes, TYPES).columns, expected)).toBeNull();
  const rows = sizes.reduce((sum, size) => sum + size, 0);
  expect(readMessages(bytes).batches.map((batch) => batch.rows)).toEqual(splitRows(rows));
}

/** Rows of the batches of a result without long texts. */
function splitRows(rows: number): number[] {
  const sizes: number[] = [];
  for (let left = rows; left > 0; left -= sizes.at(-1)!) {
    sizes.push(Math.min(left, sizes.length === 0 ? 2048 : 16_384));
  }
  return sizes;
}

describe('chunks and batches', () => {
  describe.each(Object.entries(PATTERNS))('with %s', (_name, isNull) => {
    it.each([1, 7, 8, 9, 63, 64, 65, 2047, 2048, 2049, 16_383, 16_384, 16_385, 18_433, 40_000])(
      'reads back one chunk of %i rows',
      (rows) => checkRoundTrip([rows], isNull),
    );

    it('reads back chunks of odd sizes', () =>
      checkRoundTrip([1, 7, 8, 9, 2047, 2048, 2049, 3, 16_383, 5, 1, 16_385, 2048, 2], isNull));
  });

  it('reads back any chunks with any NULLs', async () => {
    const size = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 40 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 5000 }) },
    );
    const cases = fc.record({
      sizes: fc.array(size, { minLength: 1, maxLength: 12 }),
      share: fc.constantFrom(0, 1, 2, 50, 97, 100),
      seed: fc.integer({ min: 1, max: 1_000_003 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, ({ sizes, share, seed }) =>
        checkRoundTrip(
          sizes,
          (row, column) => Math.imul(row * 31 + column + seed, 0x9e3779b1) >>> 24 < share * 2.56,
        ),
      ),
      { numRuns: share(60) },
    );
    expect.hasAssertions();
  });

  it('reads only the rows of a chunk if its vectors have more', async () => {
    const { chunks, expected } = makeChunks([100], () => false);
    const bytes = Buffer.concat(await encodeArrow(COLUMNS, [{ ...chunks[0]!, rows: 10 }]));
    const first = expected.map((values) => values.slice(0, 10));
    expect(findDifference(readWithApache(bytes, TYPES).columns, first)).toBeNull();
  });

  it('has a validity bitmap only for columns with NULLs', async () => {
    const { chunks } = makeChunks([2048, 2048], (row, column) => row === 3000 && column === 3);
    const { batches } = readMessages(Buffer.concat(await encodeArrow(COLUMNS, chunks)));
    const [first, second] = batches.map(({ buffers, nulls }) => ({
      masks: [0, 2, 4, 6, 9].map((buffer) => buffers[buffer]!.length),
      nulls,
    }));
    expect(first).toEqual({ masks: [0, 0, 0, 0, 0], nulls: [0, 0, 0, 0, 0, 0, 2048] });
    expect(second).toEqual({ masks: [0, 0, 0, 256, 0], nulls: [0, 0, 0, 1, 0, 0, 2048] });
  });

  it('aligns every buffer to 64 bytes, and pads with zeros', async () => {
    const { chunks } = makeChunks([2048, 77], PATTERNS['every third']!);
    const { batches } = readMessages(Buffer.concat(await encodeArrow(COLUMNS, chunks)));
    const filling = batches.flatMap(({ buffers, body }) =>
      buffers.flatMap(({ offset, length }, i) => [
        ...body.subarray(offset + length, buffers[i + 1]?.offset ?? body.length),
      ]),
    );
    expect(batches.flatMap(({ buffers }) => buffers.filter(({ offset }) => offset % 64 !== 0))).toEqual([]);
    expect(filling.length).toBeGreaterThan(0);
    expect(filling.filter((byte) => byte !== 0)).toEqual([]);
  });
});

/** Texts of the given lengths, which share their bytes. */
function makeTexts(lengths: readonly number[]): Vector {
  return {
    kind: 'bytes',
    validity: null,
    bytes: Buffer.alloc(Math.max(...lengths), 'x'),
    starts: new Int32Array(lengths.length),
    lengths: Int32Array.from(lengths),
  };
}

describe('a stream', () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await openMemory();
  });
  afterAll(() => connection.close());

  async function run(sql: string) {
    const { bytes, types } = await encodeAnswer(connection, sql);
    return { bytes, types, ...readMessages(bytes) };
  }

  it('has the format of the specification', () => {
    expect(FORMATS.arrow.mediaType).toBe('application/vnd.apache.arrow.stream');
    expect(FORMATS.arrow.create).toBe(createArrowEncoder);
  });

  it('has its columns and no batch without rows', async () => {
    const { bytes, batches, ended } = await run("SELECT 1 AS a, 'x' AS a WHERE false");
    expect([batches, ended]).toEqual([[], true]);
    expect(readWithApache(bytes, []).names).toEqual(['a', 'a']);
    expect(readWithFlechette(bytes, []).names).toEqual(['a', 'a']);
  });

  it('has no columns without a result set', async () => {
    const bytes = Buffer.concat(await encodeArrow(null, []));
    expect(readMessages(bytes)).toEqual({ batches: [], ended: true });
    expect(readWithApache(bytes, []).names).toEqual([]);
    expect(readWithFlechette(bytes, []).names).toEqual([]);
  });

  it('writes one row at once', async () => {
    const { chunks } = makeChunks([1], () => false);
    expect(await encodeArrow(COLUMNS, chunks)).toHaveLength(1);
  });

  it('can have 5,000 columns', async () => {
    const list = Array.from({ length: 5000 }, (_, i) => (i % 2 === 0 ? `i * ${i}` : `'t' || (i + ${i})`));
    const { bytes, types } = await run(`SELECT ${list.join(', ')} FROM range(100) r(i)`);
    const expected = list.map((_, column) =>
      Array.from({ length: 100 }, (_, i) => (column % 2 === 0 ? BigInt(i * column) : `t${i + column}`)),
    );
    expect(findDifference(readWithApache(bytes, types).columns, expected)).toBeNull();
    expect(findDifference(readWithFlechette(bytes, types).columns, expected)).toBeNull();
  });

  it('splits long texts into batches of at most 32 MiB', async () => {
    const { bytes, batches, types } = await run(
      'SELECT i, repeat(chr(65 + (i % 26)::INTEGER), 1048576) AS t FROM range(100) r(i)',
    );
    expect(Math.max(...batches.map(({ body }) => body.length))).toBeLessThan(33 << 20);
    const { columns } = readWithApache(bytes, types);
    expect(columns[1]!.length).toBe(100);
    expect(columns[1]!.every((text, i) => text === String.fromCharCode(65 + (i % 26)).repeat(1 << 20))).toBe(
      true,
    );
  });

  it('also splits one large chunk, at any of its columns', async () => {
    const columns: Column[] = ['a', 'b'].map((name) => ({ name, type: TEXT }));
    const sizes = Array.from({ length: 150 }, (_, i) => (i < 75 ? 1 << 20 : 3));
    const chunk = toChunk(150, [makeTexts(sizes), makeTexts(sizes.toReversed())]);
    const stream = Buffer.concat(await encodeArrow(columns, [chunk]));
    const { batches } = readMessages(stream);
    expect(batches.map(({ rows }) => rows)).toEqual([32, 32, 42, 32, 12]);
    const { columns: found } = readWithFlechette(stream, [TEXT, TEXT]);
    const lengths = found.map((values) => values.map((text) => (text as string).length));
    expect(lengths).toEqual([sizes, sizes.toReversed()]);
  });

  it('has one text in each batch if texts are larger than a batch', async () => {
    const sizes = [20, 20, 40, 33, 1].map((size) => size << 20);
    const stream = Buffer.concat(
      await encodeArrow([{ name: 'a', type: TEXT }], [toChunk(5, [makeTexts(sizes)])]),
    );
    const { columns } = readWithFlechette(stream, [TEXT]);
    expect(readMessages(stream).batches.map(({ rows }) => rows)).toEqual([1, 1, 1, 1, 1]);
    expect(columns[0]!.map((text) => (text as string).length)).toEqual(sizes);
  });

  it('also splits nested long texts', async () => {
    const { batches, bytes, types } = await run(
      "SELECT [repeat('x', 100000), NULL] AS l FROM range(1000) r(i)",
    );
    expect(batches.length).toBeGreaterThan(2);
    expect(Math.max(...batches.map(({ body }) => body.length))).toBeLessThan(48 << 20);
    const { columns } = readWithApache(bytes, types);
    expect(columns[0]!.map((list) => (list as string[])[0]!.length)).toEqual(Array(1000).fill(100_000));
  });
});

describe('a sink', () => {
  const integers = (rows: number) => toChunk(rows, [toFixed(Int32Array.from({ length: rows }, (_, i) => i))]);
  const columns: Column[] = [{ name: 'i', type: INTEGER }];

  it('gets the first rows early, and no bytes before them', async () => {
    const written: number[] = [];
    const encoder = createArrowEncoder({ write: (bytes) => void written.push(bytes.length) });
    await encoder.start(columns);
    await encoder.chunk(integers(2047));
    expect(written).toEqual([]);
    await encoder.chunk(integers(1));
    expect(written.length).toBe(1);
    await encoder.chunk(integers(16_383));
    expect(written.length).toBe(1);
    await encoder.chunk(integers(1));
    expect(written.length).toBeGreaterThan(1);
  });

  it('lends its memory: later batches use the memory of earlier ones again', async () => {
    const { chunks } = makeChunks(Array(80).fill(2048), PATTERNS['every third']!);
    const memories: ArrayBufferLike[] = [];
    const encoder = createArrowEncoder({
      write: ({ buffer, length }) => void (length >= 16_384 && memories.push(buffer)),
    });
    await encoder.start(COLUMNS);
    for (const chunk of chunks) await encoder.chunk(chunk);
    await encoder.end(stats);
    expect(memories.length).toBeGreaterThan(20);
    expect(new Set(memories).size).toBeLessThan(memories.length / 2);
  });

  it('is awaited after each write', async () => {
    let [open, most, writes] = [0, 0, 0];
    const encoder = createArrowEncoder({
      async write() {
        open += 1;
        writes += 1;
        most = Math.max(most, open);
        await tick();
        open -= 1;
      },
    });
    await encoder.start(columns);
    for (let i = 0; i < 10; i += 1) {
      await encoder.chunk(integers(16_384));
      expect(open).toBe(0);
    }
    await encoder.end(stats);
    expect(most).toBe(1);
    expect(writes).toBeGreaterThan(10);
  });

  it('fails the run if it fails', async () => {
    const encoder = createArrowEncoder({ write: () => Promise.reject(new Error('gone')) });
    await encoder.start(columns);
    await expect(encoder.chunk(integers(2048))).rejects.toThrow('gone');
  });
});
