import { describe, expect, inject, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';

const SERVERS = [
  {
    kind: 'postgresql',
    server: inject('postgresql'),
    nap: 'SELECT pg_sleep(60)',
    unreadable: "'NaN'::numeric(5, 2)",
  },
  {
    kind: 'mysql',
    server: inject('mariadb'),
    nap: 'SELECT sleep(60)',
    unreadable: "JSON_OBJECT('a', X'E4')",
  },
];
const connection = { name: 'warehouse' };

async function connect(world: ExecWorld, kind: string, more: object = {}): Promise<void> {
  const { password, ...options } = SERVERS.find((own) => own.kind === kind)!.server!;
  const body = { ...connection, kind, options, secrets: { password }, ...more };
  const { status, text } = await world.ask('POST', '/api/v1/manage/connections', { body });
  if (status !== 201) throw new Error(text);
}

it('a change on DuckDB changes nothing where its format refuses the rows with 422', async () => {
  const world = await createExecWorld();
  const run = (sql: string, accept = 'application/json') =>
    world.exec('sql', { sql, connection: { name: 'duckdb' } }, { headers: { accept } });
  await run('CREATE TABLE t (i HUGEINT)');
  const insert = 'INSERT INTO t VALUES (170141183460469231731687303715884105727) RETURNING i';
  const refused = await run(insert, 'application/vnd.apache.arrow.stream');
  expectRefusal(refused, 422, expect.stringMatching(/more than 38 digits/));
  expect(rowsOf(await run('SELECT count(*)::INT FROM t'))).toEqual([[0]]);
  expect((await run(insert)).status).toBe(200);
  expect(rowsOf(await run('SELECT count(*)::INT FROM t'))).toEqual([[1]]);
});

describe.each(SERVERS)('a connection of the kind $kind', ({ kind, server, nap, unreadable }) => {
  it.skipIf(server === null)('is run on, and tells its own faults where the author wrote them', async () => {
    const world = await createExecWorld();
    await connect(world, kind);
    const { exec } = world;
    expect(rowsOf(await exec('sql', { sql: "SELECT 7 AS a, 'ü' AS b", connection }))).toEqual([[7, 'ü']]);
    const csv = await exec('sql', { sql: 'SELECT 1 AS a', connection }, { headers: { accept: 'text/csv' } });
    expect(csv.text).toBe('a\n1\n');
    const refused = await exec('sql', { sql: 'SELECT 1;\nSELECT * FROM nowhere', connection });
    expectRefusal(refused, 422, expect.stringMatching(/^sql:2:\d+: error: [\s\S]*nowhere/));
    await world.put('@Shared/shop/blocks', '#+src sql One()\n#+begin SELECT 1 AS one #+end');
    await world.put('@Shared/shop/script', 'SELECT one + 1 AS two FROM {{ One() }} o');
    expect(rowsOf(await exec('script', { path: '@Shared/shop/script', connection }))).toEqual([[2]]);
  });

  it.skipIf(server === null)('changes nothing where the rows of a change are refused with 422', async () => {
    const world = await createExecWorld();
    await connect(world, kind);
    const run = (sql: string, accept = 'application/json') =>
      world.exec('sql', { sql, connection }, { headers: { accept } });
    const table = `changed_${Math.random().toString(36).slice(2)}`;
    const count = async () => {
      const rows = rowsOf(await run(`SELECT count(*) FROM ${table}`)) as readonly unknown[][];
      return rows.flat().map(Number);
    };
    await run(`CREATE TABLE ${table} (i INT)`);
    const insert = `INSERT INTO ${table} VALUES (1), (2) RETURNING`;
    for (const accept of ['application/json', 'text/csv', 'application/vnd.apache.arrow.stream']) {
      expectRefusal(
        await run(`${insert} ${unreadable} AS x`, accept),
        422,
        expect.stringMatching(/cast it to/),
      );
      expect(await count()).toEqual([0]);
    }
    await world.put('@Shared/shop/change', `${insert} i, ${unreadable} AS x;\nSELECT 1;`);
    expect((await world.exec('script', { path: '@Shared/shop/change', connection })).status).toBe(422);
    expect(await count()).toEqual([0]);
    expect(rowsOf(await run(`${insert} i`))).toEqual([[1], [2]]);
    expect(await count()).toEqual([2]);
    await run(`DELETE FROM ${table} RETURNING ${unreadable} AS x`);
    expect(await count()).toEqual([2]);
    await run(`DROP TABLE ${table}`);
  });

  it.skipIf(server === null)('is left at the deadline, and when its login is refused', async () => {
    const world = await createExecWorld();
    await connect(world, kind, { timeout_ms: 3_000 });
    expect((await world.exec('sql', { sql: nap, connection })).status).toBe(504);
    const wrong = { ...connection, name: 'wrong' };
    await connect(world, kind, { ...wrong, secrets: { password: 'wrong' } });
    const refused = await world.exec('sql', { sql: 'SELECT 1', connection: wrong });
    expect(refused.status).toBe(502);
    expect(refused.text).not.toContain(String(server!.password));
  });
});
