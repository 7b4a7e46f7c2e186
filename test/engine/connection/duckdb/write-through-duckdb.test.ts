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
