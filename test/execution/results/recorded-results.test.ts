import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { tableFromIPC } from 'apache-arrow';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StatementResult } from '../../../src/engine/connection/contract/connection.ts';
import { toVector } from '../../../src/engine/result/arrow/to-vector.ts';
import type { Chunk, Column } from '../../../src/engine/result/columns/column.ts';
import { createNanoClock } from '../../../src/engine/run/outcome/clock.ts';
import { createResultRecorder } from '../../../src/engine/run/record/result-recorder.ts';
import { createResultStore } from '../../../src/execution/results/recorded-results.ts';
import { createResultFiles } from '../../../src/execution/results/result-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quern-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const COLUMN: Column = { name: 'n', type: { kind: 'integer', bits: 32, signed: true } };
const STATEMENT = { sql: 'SELECT n', start: 0, findOrigin: () => null };
const MODE = { toEnd: false, counts: false };

function toChunk(start: number, rows: number): Chunk {
  const values = Array.from({ length: rows }, (_, row) => start + row);
  const vector = toVector(COLUMN.type, values);
  return { rows, vector: () => vector };
}

/** A result set of `chunks` chunks of 2,048 rows, which fails after them with the given error. */
function makeRows(chunks: number, error?: Error): StatementResult {
  async function* generate(): AsyncGenerator<Chunk> {
    for (let at = 0; at < chunks; at += 1) yield toChunk(at * 2_048, 2_048);
    if (error !== undefined) throw error;
  }
  return { kind: 'rows', columns: [COLUMN], chunks: generate() };
}

function createStore(limits = { result: 1e9, perOwner: 1e9, total: 1e9 }) {
  const files = createResultFiles(folder, limits);
  const [file, texts] = [files.create('one', 'ada'), files.create('one-texts', 'ada')];
  return { file, store: createResultStore({ file, texts }, limits, createNanoClock()) };
}

const OPTIONS = { maxBytes: 1e9, clock: createNanoClock(), yieldTurn: () => undefined };

const readRows = async ({ store }: ReturnType<typeof createStore>, index: number) => {
  const { bytes } = store.list()[index]!;
  return tableFromIPC(await buffer(await store.read(index, 0, bytes))).numRows;
};

it('results that lie in one file are separate streams', async () => {
  const own = createStore();
  const recorder = createResultRecorder(own.store, OPTIONS);
  for (const chunks of [3, 0, 20]) await recorder.record(STATEMENT, MODE, async () => makeRows(chunks));
  await recorder.finish();
  await own.store.end();
  expect(readdirSync(folder)).toEqual(['one']);
  expect(await readRows(own, 0)).toBe(3 * 2_048);
  expect(await readRows(own, 1)).toBe(0);
  expect(await readRows(own, 2)).toBe(20 * 2_048);
  expect(own.store.rows).toBe(23 * 2_048);
});

it('a batch that arrives in part is dropped, and the stream has an orderly end', async () => {
  const parts: Uint8Array[] = [];
  const recorder = createResultRecorder({ write: (bytes) => void parts.push(Buffer.from(bytes)) }, OPTIONS);
  await recorder.record(STATEMENT, MODE, async () => makeRows(20));
  const sent = Buffer.concat(parts);
  for (const share of [0.2, 0.5, 0.9, 0.999]) {
    const own = createStore();
    await own.store.write(sent.subarray(0, Math.floor(sent.length * share)));
    await own.store.end();
    const [found] = own.store.list();
    expect(found).toMatchObject({ isComplete: true, isTruncated: true });
    expect(await readRows(own, 0)).toBe(found!.rows);
    own.file.remove();
    await own.file.end();
  }
});

it('a failed statement ends with the rows before the error', async () => {
  const own = createStore();
  const recorder = createResultRecorder(own.store, OPTIONS);
  const failing = recorder.record(STATEMENT, MODE, async () => makeRows(5, new Error('too far')));
  await expect(failing).rejects.toThrow('too far');
  await own.store.end();
  expect(own.store.list()).toMatchObject([{ isComplete: true, isTruncated: true, rows: 2_048 }]);
  expect(await readRows(own, 0)).toBe(2_048);
});

it('rows can be read while the statement waits, though they are few', async () => {
  const own = createStore();
  const waiting = Promise.withResolvers<void>();
  async function* generate(): AsyncGenerator<Chunk> {
    yield toChunk(0, 3);
    yield toChunk(3, 4);
    await waiting.promise;
    yield toChunk(7, 5);
  }
  const result: StatementResult = { kind: 'rows', columns: [COLUMN], chunks: generate() };
  const recording = createResultRecorder(own.store, OPTIONS).record(STATEMENT, MODE, async () => result);
  const never = new AbortController();
  while ((own.store.list()[0]?.rows ?? 0) < 7) await own.store.whenChanged(never.signal);
  expect(await readRows(own, 0)).toBe(7);
  expect(own.store.list()).toMatchObject([{ isComplete: false }]);
  waiting.resolve();
  await recording;
  await own.store.end();
  expect(await readRows(own, 0)).toBe(12);
});

it('a waiting request ends after a change, at the end of its time, and after a deletion', async () => {
  const { store } = createStore();
  const never = new AbortController();
  const changed = store.whenChanged(never.signal);
  await createResultRecorder(store, OPTIONS).record(STATEMENT, MODE, async () => ({
    kind: 'done',
    rowsChanged: 0,
  }));
  await changed;
  const late = new AbortController();
  const waiting = store.whenChanged(late.signal);
  late.abort();
  await waiting;
  const deleted = store.whenChanged(never.signal);
  store.noteChange();
  await deleted;
  expect(store.list()).toMatchObject([{ kind: 'none', isComplete: true }]);
});

it('the room of others is not used, even if the recorder sends more', async () => {
  const own = createStore({ result: 1e9, perOwner: 60_000, total: 1e9 });
  const recorder = createResultRecorder(own.store, OPTIONS);
  await recorder.record(STATEMENT, { ...MODE, toEnd: true }, async () => makeRows(40));
  await own.store.end();
  const [found] = own.store.list();
  expect(found!.isTruncated).toBe(true);
  expect(found!.bytes).toBeLessThanOrEqual(30_008);
  expect(await readRows(own, 0)).toBe(found!.rows);
});
