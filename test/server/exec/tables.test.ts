import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { modelWith } from '../../support/models.ts';
import { createExecWorld, type ExecWorld } from './world.ts';

interface Listed {
  readonly data: readonly {
    readonly schema: string;
    readonly name: string;
    readonly kind: string;
    readonly columns: readonly { readonly name: string; readonly type: string }[];
  }[];
  readonly omitted: number;
}

const ask = ({ ask: send }: ExecWorld, name: string, asking = {}, query = '') =>
  send('GET', `/api/v1/manage/connections/${name}/tables${query}`, asking);

async function list(world: ExecWorld, name = 'duckdb', q = ''): Promise<Listed> {
  const query = q === '' ? '' : `?q=${encodeURIComponent(q)}`;
  const { status, text, body } = await ask(world, name, {}, query);
  expect(status, text).toBe(200);
  return body as Listed;
}

async function run({ exec }: ExecWorld, sql: string, name = 'duckdb'): Promise<void> {
  const { status, text } = await exec('sql', { sql, connection: { name } });
  if (status !== 200) throw new Error(text);
}

const SERVERS = [
  { kind: 'postgresql', server: inject('postgresql'), type: 'integer' },
  { kind: 'mysql', server: inject('mariadb'), type: 'int' },
];

describe('the tables of a connection', () => {
  it('have their columns in order, and views are marked', async () => {
    const world = await createExecWorld();
    expect(await list(world)).toEqual({ data: [], omitted: 0 });
    await run(
      world,
      `CREATE TABLE orders (id INTEGER, "a b" DECIMAL(9, 2)); CREATE SCHEMA mart;
      CREATE TABLE mart.daily (day DATE); CREATE VIEW mart.v AS SELECT 1 AS one`,
    );
    const day = { name: 'day', type: 'DATE' };
    const one = { name: 'one', type: 'INTEGER' };
    expect(await list(world)).toEqual({
      data: [
        {
          schema: 'main',
          name: 'orders',
          kind: 'table',
          columns: [
            { name: 'id', type: 'INTEGER' },
            { name: 'a b', type: 'DECIMAL(9,2)' },
          ],
        },
        { schema: 'mart', name: 'daily', kind: 'table', columns: [day] },
        { schema: 'mart', name: 'v', kind: 'view', columns: [one] },
      ],
      omitted: 0,
    });
  });

  it('are bounded, and only complete tables are listed', async () => {
    const world = await createExecWorld();
    const many = (name: string, count: number) =>
      `CREATE TABLE ${name} (${Array.from({ length: count }, (_, i) => `c${i} INT`).join(', ')});`;
    await run(world, [1, 2, 3].map((i) => many(`wide_${i}`, 20_000)).join(''));
    const { data, omitted } = await list(world);
    expect(data.map(({ name, columns }) => [name, columns.length])).toEqual([
      ['wide_1', 20_000],
      ['wide_2', 20_000],
    ]);
    expect(omitted).toBe(1);
    await run(world, [1, 2, 3].map((i) => `DROP TABLE wide_${i};`).join(''));
    const tables = Array.from({ length: 2_001 }, (_, i) => `CREATE TABLE t${i} (a INT);`);
    await run(world, `BEGIN; ${tables.join('')} COMMIT`);
    const all = await list(world);
    expect([all.data.length, all.omitted]).toEqual([2_000, 1]);
    const found = await list(world, 'duckdb', 'T200');
    expect(found.data.map(({ name }) => name)).toEqual(['t200', 't2000']);
    expect(found.omitted).toBe(0);
  });

  it('are found by any part of the name', async () => {
    const world = await createExecWorld();
    await run(
      world,
      `CREATE TABLE "it's $q {{ x }} 100%_" (a INT); CREATE TABLE "Größe" (a INT); CREATE TABLE other (a INT)`,
    );
    const find = async (q: string) => (await list(world, 'duckdb', q)).data.map(({ name }) => name);
    for (const q of ["IT'S", '$q', '{{ x }}', '%', '_'])
      expect(await find(q), q).toEqual(["it's $q {{ x }} 100%_"]);
    expect(await find('GRÖSSE')).toEqual([]);
    expect(await find('GRÖ')).toEqual(['Größe']);
    expect(await find("' OR 1 = 1 --")).toEqual([]);
    expect(await find('')).toHaveLength(3);
    expect((await ask(world, 'duckdb', {}, '?q=a&q=b')).status).toBe(400);
  });

  it.each(SERVERS.filter(({ server }) => server !== null))(
    'of the kind $kind are listed',
    async ({ kind, server, type }) => {
      const world = await createExecWorld();
      const { password, ...options } = server!;
      const body = { name: 'warehouse', kind, options, secrets: { password } };
      expect((await world.ask('POST', '/api/v1/manage/connections', { body })).status).toBe(201);
      const table = `listed_${randomUUID().slice(0, 8)}`;
      await run(world, `CREATE TABLE ${table} (id INT, total INT)`, 'warehouse');
      try {
        const { data } = await list(world, 'warehouse');
        const columns = ['id', 'total'].map((name) => ({ name, type }));
        expect(data.find(({ name }) => name === table)).toMatchObject({ kind: 'table', columns });
        expect(data.some(({ schema }) => schema === 'information_schema')).toBe(false);
        const found = await list(world, 'warehouse', table.slice(2).toUpperCase());
        expect(found.data.map(({ name }) => name)).toEqual([table]);
        expect((await list(world, 'warehouse', "\\' OR 1 = 1 -- $q")).data).toEqual([]);
      } finally {
        await run(world, `DROP TABLE ${table}`, 'warehouse');
      }
    },
  );

  it('of a semantic model are its entities, with the fields that are not hidden', async () => {
    const world = await createExecWorld();
    await world.put(
      '@Shared/live.yaml',
      modelWith(`    - name: orders
      table_name: orders
      dimensions:
        - { name: day, data_type: DATE, expr: day }
        - { name: secret, data_type: TEXT, expr: secret, hidden: true }
      measures: [{ name: total, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }]
`),
    );
    const options = { model: '@Shared/live.yaml', connection: 'duckdb' };
    const body = { name: 'live', kind: 'semantic', options };
    expect((await world.ask('POST', '/api/v1/manage/connections', { body })).status).toBe(201);
    await run(world, 'CREATE TABLE physical (a INT)');
    const { data, omitted } = await list(world, 'live');
    expect(data).toMatchObject([
      { schema: '', name: 'orders', kind: 'table', columns: [{ name: 'day' }, { name: 'total' }] },
    ]);
    expect([data[0]?.columns.length, omitted]).toEqual([2, 0]);
    expect((await list(world, 'live', 'RDE')).data).toEqual(data);
    expect(await list(world, 'live', 'physical')).toEqual({ data: [], omitted: 0 });
  });

  it('need USE on the connection', async () => {
    const world = await createExecWorld();
    const token = await world.createUser('outsider');
    expect((await ask(world, 'duckdb', { token })).status).toBe(200);
    await world.ask('DELETE', '/api/v1/manage/grants?subject=everyone&target=connection:duckdb');
    expectRefusal(
      await ask(world, 'duckdb', { token }),
      403,
      "You don't have permission to access this connection",
    );
    expectRefusal(await ask(world, 'nowhere'), 404, 'Connection not found: nowhere');
  });

  it('of a database that cannot be reached are an error', async () => {
    const world = await createExecWorld();
    const options = { host: '127.0.0.1', port: '1', user: 'x', database: 'x' };
    const body = { name: 'gone', kind: 'postgresql', options, secrets: { password: 'x' } };
    await world.ask('POST', '/api/v1/manage/connections', { body });
    const { status } = await ask(world, 'gone');
    expect(status).toBe(502);
  });
});
