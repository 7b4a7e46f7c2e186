import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { hasLandlock } from '../../support/landlock.ts';
import { modelWith } from '../../support/models.ts';
import { makeFolder } from '../../support/quern.ts';
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

it('a DuckDB connection that is created while the engine process runs opens its file', async () => {
  const world = await createExecWorld();
  expect(rowsOf(await world.sql('SELECT 1'))).toEqual([[1]]);
  for (const name of ['first', 'second']) {
    const body = { name, kind: 'duckdb', options: { file: path.join(makeFolder(), 'own.duckdb') } };
    expect((await world.ask('POST', '/api/v1/manage/connections', { body })).status).toBe(201);
    const run = (sql: string) => world.sql(sql, { connection: { name } });
    expect((await run('CREATE TABLE t AS SELECT 7 AS x')).status).toBe(200);
    expect(rowsOf(await run('FROM t'))).toEqual([[7]]);
  }
  expect(rowsOf(await world.sql('SELECT 1'))).toEqual([[1]]);
});

it.skipIf(!hasLandlock)(
  'a new DuckDB connection is refused with 503 while another query keeps the engine process',
  async () => {
    const world = await createExecWorld();
    await world.sql('SELECT 1');
    const busy = world.sql(
      'SELECT count(*) FROM range(10000000000) a, range(10000000000) b WHERE a.range + b.range = 7',
    );
    const list = async () => {
      const { body } = await world.ask('GET', '/api/v1/executions');
      return (body as { data: readonly { id: string; state: string }[] }).data;
    };
    await expect.poll(async () => (await list()).map(({ state }) => state)).toEqual(['running']);
    const body = { name: 'own', kind: 'duckdb', options: { file: path.join(makeFolder(), 'own.duckdb') } };
    expect((await world.ask('POST', '/api/v1/manage/connections', { body })).status).toBe(201);
    const run = () => world.sql('SELECT 7', { connection: { name: 'own' } });
    const message =
      'The files of a new connection can be opened when the running executions have ended (running: 1)';
    expectRefusal(await run(), 503, message);
    const [found] = await list();
    expect((await world.ask('DELETE', `/api/v1/executions/${found!.id}`)).status).toBe(204);
    await busy;
    expect(rowsOf(await run())).toEqual([[7]]);
  },
);

it('a change on DuckDB is rolled back when its format refuses the rows with 422', async () => {
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
  it.skipIf(server === null)(
    'runs executions, and reports its own errors at the original position',
    async () => {
      const world = await createExecWorld();
      await connect(world, kind);
      const { exec } = world;
      expect(rowsOf(await exec('sql', { sql: "SELECT 7 AS a, 'ü' AS b", connection }))).toEqual([[7, 'ü']]);
      const csv = await exec(
        'sql',
        { sql: 'SELECT 1 AS a', connection },
        { headers: { accept: 'text/csv' } },
      );
      expect(csv.text).toBe('a\n1\n');
      const refused = await exec('sql', { sql: 'SELECT 1;\nSELECT * FROM nowhere', connection });
      expectRefusal(refused, 422, expect.stringMatching(/^sql:2:\d+: error: [\s\S]*nowhere/));
      await world.put('@Shared/shop/blocks', '#+src sql One()\n#+begin SELECT 1 AS one #+end');
      await world.put('@Shared/shop/script', 'SELECT one + 1 AS two FROM {{ One() }} o');
      expect(rowsOf(await exec('script', { path: '@Shared/shop/script', connection }))).toEqual([[2]]);
    },
  );

  it.skipIf(server === null)('supports a model whose scripts run, test and publish', async () => {
    const world = await createExecWorld();
    await connect(world, kind);
    const suffix = randomUUID().slice(0, 8);
    const [table, target] = [`sold_${suffix}`, `by_kind_${suffix}`];
    const run = (sql: string) => world.exec('sql', { sql, connection });
    await run(`CREATE TABLE ${table} AS SELECT 'a' AS kind, 1 AS amount UNION ALL SELECT 'b', 4`);
    const model = modelWith(`    - name: sold
      table_name: ${table}
      dimensions: [{ name: kind, data_type: TEXT, expr: kind }]
      measures: [{ name: total, data_type: INTEGER, aggregation_type: SUM, expr: amount }]
`).replace('platform: duckdb', `platform: ${kind}`);
    await world.put('@Shared/model.yaml', model);
    const options = { model: '@Shared/model.yaml', connection: connection.name };
    await world.ask('POST', '/api/v1/manage/connections', {
      body: { name: 'model', kind: 'semantic', options },
    });
    const on = { connection: { name: 'model' } };
    await world.put(
      '@Shared/report/blocks',
      `#+src sql Totals() #+begin SELECT kind, SUM(total) AS total FROM sold GROUP BY kind #+end
#+src sql ByKind() #+meta { :publication { :type "table", :name "${target}" } }
#+begin SELECT t.kind, NULL AS remark, t.total FROM {{ Totals() }} AS t #+end
#+test sql NothingIsLarge() #+begin SELECT kind FROM sold GROUP BY kind HAVING SUM(total) > 3 #+end`,
    );
    await world.put(
      '@Shared/report/publish',
      '#+import "std/publication"\n{{ publication.Run(blocks=[ByKind]) }};\nSELECT 0 AS n #+for row : ByKind() do UNION SELECT {{ row.total }} #+end ORDER BY n',
    );
    const published = await world.script('@Shared/report/publish', on);
    expect((rowsOf(published) as readonly unknown[][]).map(([n]) => Number(n))).toEqual([0, 1, 4]);
    const rows = rowsOf(await run(`SELECT kind, remark, total FROM ${target} ORDER BY kind`));
    expect((rows as readonly unknown[][]).map(([name, remark, n]) => [name, remark, Number(n)])).toEqual([
      ['a', null, 1],
      ['b', null, 4],
    ]);
    const test = { package: '@Shared/report', block_name: 'NothingIsLarge', ...on };
    expect((await world.exec('block', test)).body).toMatchObject({ stats: { tests: 1, failed: 1 } });
    expectRefusal(
      await world.exec('sql', { sql: 'SELECT kind FROM sold;\nTRUNCATE sold', ...on }),
      422,
      expect.stringMatching(/^sql:2:1: error: TRUNCATE is not supported/),
    );
    await run(`DROP TABLE ${table}`);
    await run(`DROP TABLE ${target}`);
  });

  it.skipIf(server === null)('rolls back a change whose rows are refused with 422', async () => {
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

  it.skipIf(server === null)('is released at the deadline, and when its login is refused', async () => {
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
