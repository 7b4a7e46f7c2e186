import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { makeFolder } from '../../../support/quern.ts';
import { never, query, readError, readRows } from '../results.ts';

/**
 * Two sessions of a database with an empty table; `count` returns the number of rows that the other one sees
 * in it.
 */
async function prepare() {
  const driver = await loadDriver('duckdb');
  const options = { file: path.join(makeFolder(), 'data.duckdb') };
  const connect = async () => {
    const connection = await driver.connect({ name: 'test', kind: 'duckdb', options, overrides: {} }, never);
    onTestFinished(() => connection.close());
    return connection;
  };
  const [own, other] = [await connect(), await connect()];
  await query(own, 'CREATE TABLE t (i INTEGER PRIMARY KEY)');
  const count = async () => Number((await query(other, 'SELECT count(*) FROM t'))[0]![0]);
  return { own, other, count };
}

const INSERT = 'INSERT INTO t SELECT range FROM range(10000) RETURNING i';

describe('a statement on DuckDB that changes rows and returns them', () => {
  it.each([
    ['INSERT', INSERT, 0],
    ['a few rows', 'INSERT INTO t VALUES (1), (2) RETURNING i', 0],
    ['UPDATE', 'UPDATE t SET i = i + 100000 RETURNING i', 3],
    ['DELETE', 'DELETE FROM t RETURNING *', 3],
    [
      'MERGE',
      'MERGE INTO t USING (SELECT 7 AS i) s ON t.i = s.i WHEN NOT MATCHED THEN INSERT RETURNING i',
      3,
    ],
    ['WITH', 'WITH s AS (FROM range(3, 10000) r(i)) INSERT INTO t FROM s RETURNING i', 3],
  ])('changes nothing when its rows are not read to the end: %s', async (_, sql, rows) => {
    const { own, count } = await prepare();
    if (rows > 0) await query(own, `INSERT INTO t FROM range(${rows})`);
    const sum = () => query(own, 'SELECT count(*), sum(i) FROM t');
    const before = await sum();
    const result = await own.run(sql, never);
    if (result.kind === 'rows') for await (const _ of result.chunks) break;
    expect(await sum()).toEqual(before);
    await own.run(sql, never);
    expect(await sum()).toEqual(before);
    expect(await count()).toBe(rows);
    const all = await readRows(await own.run(sql, never));
    expect(all.rows.length).toBeGreaterThan(0);
    expect(await sum()).not.toEqual(before);
  });

  it('changes nothing when it fails, is cancelled, or its session ends', async () => {
    const { own, other, count } = await prepare();
    expect((await readError(query(own, 'INSERT INTO t VALUES (1), (1) RETURNING i'))).code).toBe('sql');
    const stop = new AbortController();
    const result = await own.run(INSERT, stop.signal);
    const reading = (async () => {
      if (result.kind === 'rows') for await (const _ of result.chunks) stop.abort();
    })();
    expect((await readError(reading)).code).toBe('cancelled');
    expect(await count()).toBe(0);
    expect(await query(own, 'INSERT INTO t VALUES (5) RETURNING i')).toEqual([[5]]);
    await own.run(INSERT.replace('range(10000)', 'range(100, 10000)'), never);
    await own.close();
    expect(await count()).toBe(1);
    expect(await query(other, 'INSERT INTO t VALUES (6) RETURNING i')).toEqual([[6]]);
  });

  it('leaves an open transaction to the user who started it', async () => {
    const { own, count } = await prepare();
    await query(own, 'BEGIN');
    expect(await query(own, 'INSERT INTO t VALUES (1) RETURNING i')).toEqual([[1]]);
    expect(await count()).toBe(0);
    await query(own, 'COMMIT');
    expect(await count()).toBe(1);
    await query(own, '/* again */ BEGIN TRANSACTION');
    expect(await query(own, 'DELETE FROM t RETURNING i')).toEqual([[1]]);
    await query(own, 'ROLLBACK');
    expect(await count()).toBe(1);
  });
});
