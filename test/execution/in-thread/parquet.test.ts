import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNanoClock } from '../../../src/engine/run/outcome/clock.ts';
import { Outlet } from '../../../src/execution/contract/outlet.ts';
import { createInThreadHost } from '../../../src/execution/in-thread/in-thread.ts';
import { makeFolder } from '../../support/quern.ts';

function makeHost() {
  const folder = makeFolder();
  const database = path.join(makeFolder(), 'main.duckdb');
  const host = createInThreadHost(createNanoClock());
  onTestFinished(() => host.close());
  async function run(text: string, format: 'parquet' | 'csv', maxRows: number | null = null) {
    const parts: Uint8Array[] = [];
    const outcome = await host.run(
      {
        id: 'e',
        owner: 'u',
        name: 'test',
        work: { kind: 'sql', source: { name: 'test.sql', text } },
        params: {},
        connection: { name: 'duckdb', kind: 'duckdb', options: { file: database }, overrides: {} },
        format,
        encoder: {},
        limits: {
          timeoutMs: null,
          maxSessions: null,
          maxRows,
          spoolBytes: 1e9,
          spoolDirectory: folder,
          publishDirectory: folder,
        },
      },
      new Outlet(() => ({ write: (bytes) => void parts.push(Buffer.from(bytes)) })),
      new AbortController().signal,
    );
    return { outcome, bytes: Buffer.concat(parts) };
  }
  /** The rows of a Parquet answer as CSV; the engine reads them. */
  async function readBack(bytes: Buffer): Promise<string> {
    const file = path.join(makeFolder(), `${randomUUID()}.parquet`);
    writeFileSync(file, bytes);
    return (await run(`from '${file}'`, 'csv')).bytes.toString();
  }
  return { folder, run, readBack };
}

describe('a Parquet answer', () => {
  it.each([
    ['one query', "select range as a, 'x' || range as b from range(3) -- the end"],
    [
      'a script of several statements',
      "create table t as from range(3); select range as a, 'x' || range as b from t; select 1",
    ],
    ['a query in parentheses', "(select range as a, 'x' || range as b from range(3))"],
    [
      'a query with a common table expression',
      "with t as (from range(3)) select range as a, 'x' || range as b from t",
    ],
  ])('contains the rows of %s', async (_, text) => {
    const { run, readBack, folder } = makeHost();
    const { outcome, bytes } = await run(text, 'parquet');
    expect(outcome).toMatchObject({ status: 'done', rows: 3 });
    expect(await readBack(bytes)).toBe('a,b\n0,x0\n1,x1\n2,x2\n');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('stops at the limit', async () => {
    const { run, readBack } = makeHost();
    const { outcome, bytes } = await run('from range(1000)', 'parquet', 2);
    expect(outcome).toMatchObject({ status: 'done', rows: 2 });
    expect(await readBack(bytes)).toBe('range\n0\n1\n');
  });

  it('arrives complete when it is larger than a block', async () => {
    const { run, readBack } = makeHost();
    const { bytes } = await run('select md5(range::varchar) as h from range(100000)', 'parquet');
    expect(bytes.length).toBeGreaterThan(1_000_000);
    expect((await readBack(bytes)).split('\n')).toHaveLength(100_002);
  });

  it('is empty without a result set', async () => {
    const { run } = makeHost();
    const { outcome, bytes } = await run('create table t (x int)', 'parquet');
    expect({ status: outcome.status, length: bytes.length }).toEqual({ status: 'done', length: 0 });
  });

  it('sends nothing when a later statement fails', async () => {
    const { run, folder } = makeHost();
    const { outcome, bytes } = await run('select 1;\nselect 2, nope from range(2)', 'parquet');
    expect(outcome).toMatchObject({ status: 'failed', error: { diagnostics: [{ line: 2, column: 11 }] } });
    expect(bytes.length).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([null, 5])('reports an error at its position in the original query (limit %s)', async (maxRows) => {
    const { run } = makeHost();
    const { outcome } = await run('select 1,\n  nope from range(2)', 'parquet', maxRows);
    expect(outcome).toMatchObject({ status: 'failed', error: { diagnostics: [{ line: 2, column: 3 }] } });
  });

  it('is refused for rows that do not come from a query', async () => {
    const { run } = makeHost();
    const { outcome } = await run('describe select 1', 'parquet');
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'limit' } });
  });

  it.each([
    'INSERT INTO t VALUES (2) RETURNING x',
    'UPDATE t SET x = 2 RETURNING x',
    'DELETE FROM t RETURNING x',
    'EXPLAIN ANALYZE DELETE FROM t',
  ])('is refused before anything is changed: %s', async (text) => {
    const { run } = makeHost();
    await run('CREATE TABLE t AS SELECT 1 AS x', 'csv');
    const { outcome } = await run(text, 'parquet');
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'limit' } });
    expect((await run('FROM t', 'csv')).bytes.toString()).toBe('x\n1\n');
  });

  it('allows changes in a statement that is not the answer', async () => {
    const { run, readBack } = makeHost();
    const { bytes } = await run(
      'CREATE TABLE t (x INT); SELECT 1; INSERT INTO t VALUES (2) RETURNING x',
      'parquet',
    );
    expect(await readBack(bytes)).toBe('1\n1\n');
    expect((await run('FROM t', 'csv')).bytes.toString()).toBe('x\n2\n');
  });
});
