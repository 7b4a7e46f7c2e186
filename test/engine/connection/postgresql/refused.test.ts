import { afterEach, describe, expect, inject, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { postgresqlDriver } from '../../../../src/engine/connection/postgresql/driver.ts';
import { never, query, readError, readRows } from '../results.ts';

const server = inject('postgresql');
const open: Connection[] = [];

afterEach(async () => {
  for (const connection of open.splice(0)) await connection.close();
});

async function connect(): Promise<Connection> {
  const spec = { name: 'test', kind: 'postgresql', options: server!, overrides: {} } as const;
  const connection = await postgresqlDriver.connect(spec, never);
  open.push(connection);
  return connection;
}

/**
 * Two sessions and a table of 10,000 rows whose `n` is 0; `count` returns the rows by `n`, as others see
 * them.
 */
async function prepare() {
  const [own, other] = [await connect(), await connect()];
  const table = `refused_${Math.random().toString(36).slice(2)}`;
  await query(own, `CREATE TABLE ${table} AS SELECT i, 0 AS n FROM generate_series(1, 10000) AS i`);
  const count = () => query(other, `SELECT n, count(*) FROM ${table} GROUP BY n ORDER BY n`);
  const drop = () => query(other, `DROP TABLE ${table}`);
  return { own, table, count, drop };
}

const UNCHANGED = [[0, 10_000n]];
const CHANGED = [[1, 10_000n]];

describe.skipIf(server === null)('a statement on PostgreSQL whose rows are refused', () => {
  it.each([
    ['a NaN in the first row', "'NaN'::numeric(5, 2)"],
    ['a NaN in the last row', "(CASE WHEN i = 10000 THEN 'NaN'::numeric ELSE 1 END)::numeric(5, 2)"],
    ['a NaN in each row', "(CASE WHEN i > 5 THEN 'NaN'::numeric ELSE 1 END)::numeric(25, 2)"],
    ['an array of two dimensions', "'{{1,2},{3,4}}'::int[]"],
    [
      'an array that does not start at 1, in the last row',
      "(CASE WHEN i = 10000 THEN '[0:1]={1,2}' END)::int[]",
    ],
    ['a timestamp that is too late', "'294250-01-01'::timestamp"],
  ])('changes nothing: %s', async (_, value) => {
    const { own, table, count, drop } = await prepare();
    const update = `UPDATE ${table} SET n = 1 RETURNING ${value} AS x`;
    expect((await readError(query(own, update))).message).toMatch(/cast/i);
    expect(await count()).toEqual(UNCHANGED);
    const cte = `WITH changed AS (UPDATE ${table} SET n = 1 RETURNING i) SELECT ${value} FROM changed`;
    await readError(query(own, cte));
    expect(await count()).toEqual(UNCHANGED);
    // The session continues, and its later changes are kept.
    expect(await query(own, `UPDATE ${table} SET n = 1 WHERE i = 1 RETURNING i`)).toEqual([[1]]);
    expect(await count()).toEqual([
      [0, 9999n],
      [1, 1n],
    ]);
    await drop();
  });

  it('changes nothing when its rows are not read to the end, and everything when they are', async () => {
    const { own, table, count, drop } = await prepare();
    const update = `UPDATE ${table} SET n = n + 1 RETURNING i, repeat('x', 1000)`;
    const result = await own.run(update, never);
    if (result.kind === 'rows') for await (const _ of result.chunks) break;
    expect(await count()).toEqual(UNCHANGED);
    const { rows } = await readRows(await own.run(update, never));
    expect(rows.length).toBe(10_000);
    expect(await count()).toEqual(CHANGED);
    await drop();
  });

  it('changes nothing when it is cancelled between its rows', async () => {
    const { own, table, count, drop } = await prepare();
    const stop = new AbortController();
    const result = await own.run(`UPDATE ${table} SET n = 1 RETURNING i`, stop.signal);
    const reading = (async () => {
      if (result.kind === 'rows') for await (const _ of result.chunks) stop.abort();
    })();
    expect((await readError(reading)).code).toBe('cancelled');
    expect(await count()).toEqual(UNCHANGED);
    await drop();
  });

  it('leaves a transaction of its user unchanged', async () => {
    const { own, table, count, drop } = await prepare();
    await query(own, 'BEGIN');
    await query(own, `UPDATE ${table} SET n = 1`);
    await readError(query(own, "SELECT 'NaN'::numeric(5, 2)"));
    await query(own, 'COMMIT');
    expect(await count()).toEqual(CHANGED);
    await drop();
  });

  it('does not block statements that cannot run in a transaction, or that have no rows', async () => {
    const { own, table, count, drop } = await prepare();
    for (const sql of [`VACUUM ${table}`, 'SELECT 1 WHERE false', '', `UPDATE ${table} SET n = 1`]) {
      expect(await query(own, sql)).toEqual([]);
    }
    expect(await count()).toEqual(CHANGED);
    await drop();
  });
});
