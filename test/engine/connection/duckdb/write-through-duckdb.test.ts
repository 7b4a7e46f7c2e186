import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  TooManyBytesError,
  writeThroughDuckDb,
} from '../../../../src/engine/connection/duckdb/write-through-duckdb.ts';
import { toTextVector } from '../../../../src/engine/result/arrow/to-vector.ts';
import { makeFolder } from '../../../support/quern.ts';

const FORMAT = { type: 'parquet', compression: 'snappy' } as const;
const { signal } = new AbortController();

/** Four rows in two chunks. */
async function* listChunks() {
  for (const texts of [
    ['a', 'b'],
    ['c', 'd'],
  ])
    yield { rows: texts.length, vector: () => toTextVector(texts) };
}

const result = () =>
  ({
    kind: 'rows',
    columns: [{ name: 'x', type: { kind: 'text', label: 'STRING' } }],
    chunks: listChunks(),
  }) as const;

it('a file that DuckDB writes can have a limit, and leaves nothing when the rows are larger', async () => {
  const folder = makeFolder();
  const file = path.join(folder, 'rows.parquet');
  await expect(writeThroughDuckDb(result(), file, FORMAT, signal, { bytes: 5 })).rejects.toThrow(
    TooManyBytesError,
  );
  expect(readdirSync(folder)).toEqual([]);
  expect(await writeThroughDuckDb(result(), file, FORMAT, signal, { bytes: 100, rows: 3 })).toBe(3);
  expect(readdirSync(folder)).toEqual(['rows.parquet']);
});

it.each(['text', 'json'] as const)('a file refuses %s that is not valid UTF-8', async (kind) => {
  const file = path.join(makeFolder(), 'rows.parquet');
  const bytes = Buffer.from([0x61, 0xff]);
  const vector = {
    kind: 'bytes',
    validity: null,
    bytes,
    starts: Int32Array.of(0, 0),
    lengths: Int32Array.of(1, 2),
  } as const;
  async function* chunks() {
    yield { rows: 2, vector: () => vector };
  }
  const type = kind === 'text' ? ({ kind, label: 'STRING' } as const) : { kind };
  const rows = { kind: 'rows', columns: [{ name: 'a b', type }], chunks: chunks() } as const;
  await expect(writeThroughDuckDb(rows, file, FORMAT, signal)).rejects.toThrow(
    'The column "a b" cannot be written as text: `a\ufffd` is not valid UTF-8. Cast the column to bytes',
  );
});
