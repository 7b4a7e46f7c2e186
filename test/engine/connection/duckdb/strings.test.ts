import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { collectGarbage } from '../../../../src/engine/connection/contract/early-collection.ts';
import { RECORD } from '../../../../src/engine/connection/duckdb/values/string-reader.ts';
import { type BytesVector, isValid } from '../../../../src/engine/result/columns/column.ts';
import { encodeAnswer, findDifference, readWithApache } from '../../result/arrow-readers.ts';
import { openMemory } from '../../result/encode.ts';
import { never, query } from '../results.ts';

/** More rows than those of several record batches. */
const ROWS = 40_000;
const LONG = "'a string of more than twelve bytes ' || i";

/** Strings of `range(ROWS) r(i)`; dense ones need no copy of their records. */
const COLUMNS: readonly [name: string, sql: string, isDense: boolean][] = [
  ['long strings', LONG, true],
  ['long strings and NULL', `CASE WHEN i % 3 > 0 THEN ${LONG} END`, true],
  ['long and empty strings', `CASE WHEN i % 3 > 0 THEN ${LONG} ELSE '' END`, true],
  ['only NULL', 'NULL::VARCHAR', true],
  ['empty strings', "''", true],
  ['short strings', "'k' || i", false],
  ['short and long strings', `CASE WHEN i % 3 > 0 THEN ${LONG} ELSE 'é' || i END`, false],
  ['the same long string', "'always the same string'", true],
  ['strings of a dictionary', `['${'a'.repeat(40)}', '${'b'.repeat(13)}', 'c'][1 + i % 3]`, false],
  ['blobs', "repeat('\\xFF'::BLOB, 20 + i::INT % 3)", true],
];

let connection: Connection;
beforeAll(async () => {
  connection = await openMemory();
  await connection.run(`CREATE TABLE stored AS SELECT i, ${LONG} AS s FROM range(${ROWS}) r(i)`, never);
});
afterAll(() => connection.close());

async function readVectors(sql: string): Promise<readonly BytesVector[]> {
  const result = await connection.run(sql, never);
  if (result.kind !== 'rows') throw new Error('no result set');
  const vectors: BytesVector[] = [];
  for await (const chunk of result.chunks) vectors.push(chunk.vector(0) as BytesVector);
  return vectors;
}

/** The values of a vector, one after another. */
function join({ bytes, starts, lengths, validity }: BytesVector): Buffer {
  return Buffer.concat(
    [...lengths].map((length, row) =>
      isValid(validity, row) ? bytes.subarray(starts[row], starts[row]! + length) : Buffer.alloc(0),
    ),
  );
}

/** The first difference between the values in Arrow and those of the connection; null if they are equal. */
async function compareWithArrow(select: string) {
  const { bytes, types } = await encodeAnswer(connection, select);
  const expected = (await query(connection, select)).map((row) => row[0]!);
  return findDifference(readWithApache(bytes, types).columns, [expected]);
}

describe.each(COLUMNS)('%s', (_, sql, isDense) => {
  const select = `SELECT ${sql} AS s FROM range(${ROWS}) r(i)`;

  it('are copied as they are joined', async () => {
    for (const vector of await readVectors(select)) {
      const parts = vector.parts!;
      const copy = Buffer.alloc(parts.length + 2, 7);
      parts.copy(copy, 1);
      expect(copy.subarray(1, -1).equals(vector.bytes)).toBe(true);
      expect([copy[0], copy.at(-1)]).toEqual([7, 7]);
    }
  });

  it(`${isDense ? 'can' : 'cannot'} be copied alone`, async () => {
    const vectors = await readVectors(select);
    const dense = vectors.filter(({ parts }) => parts!.isDense);
    if (!isDense) expect(dense).toHaveLength(0);
    else expect(dense.length).toBeGreaterThan(vectors.length / 2);
    for (const { parts, lengths, total } of isDense ? vectors : []) {
      // Two areas of the engine's memory that are less than 64 bytes apart are read as one area with a gap.
      const gap = parts!.length - lengths.length * RECORD - total!;
      expect(parts!.isDense).toBe(gap === 0);
      expect(gap).toBeLessThan(2 * 64);
    }
    for (const vector of dense) {
      const parts = vector.parts!;
      const copy = Buffer.alloc(vector.total! + 1);
      parts.copyValues(copy, 1);
      expect(copy.subarray(1).equals(join(vector))).toBe(true);
    }
  });

  it('are equal in Arrow', async () => {
    expect(await compareWithArrow(select)).toBeNull();
  });
});

it('are equal in Arrow if a record batch ends within a chunk', async () => {
  expect(await compareWithArrow('SELECT repeat(s, 5000) AS s FROM stored WHERE i < 300')).toBeNull();
});

it('can be read when nothing else refers to their chunk', async () => {
  const vectors = await readVectors('SELECT s FROM stored ORDER BY i');
  for (let i = 0; i < 5; i += 1) {
    collectGarbage('major');
    await new Promise((resolve) => setImmediate(resolve));
  }
  const expected = Array.from({ length: ROWS }, (_, i) => `a string of more than twelve bytes ${i}`);
  expect(Buffer.concat(vectors.map(join)).equals(Buffer.from(expected.join('')))).toBe(true);
});
