import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it, vi } from 'vitest';
import type { FunctionListResponse } from '../../../src/server/exec/functions.ts';
import { expectRefusal } from '../../support/http.ts';
import { modelWith } from '../../support/models.ts';
import { hasCluster, useCluster } from '../../support/trino/use-cluster.ts';
import { createExecWorld, type ExecWorld } from './world.ts';

type Listed = FunctionListResponse['data'];

const ask = ({ ask: send }: ExecWorld, name: string, asking = {}) =>
  send('GET', `/api/v1/manage/connections/${name}/functions`, asking);

async function list(world: ExecWorld, name = 'duckdb'): Promise<Listed> {
  const { status, text, body } = await ask(world, name);
  expect(status, text).toBe(200);
  return (body as FunctionListResponse).data;
}

async function run({ exec }: ExecWorld, sql: string, name = 'duckdb'): Promise<void> {
  const { status, text } = await exec('sql', { sql, connection: { name } });
  expect(status, text).toBe(200);
}

async function createServer(world: ExecWorld, kind: string, server: Record<string, string>): Promise<void> {
  const { password, ...options } = server;
  const body = { name: 'warehouse', kind, options, secrets: { password } };
  expect((await world.ask('POST', '/api/v1/manage/connections', { body })).status).toBe(201);
}

const find = (functions: Listed, name: string) => functions.find((one) => one.name === name);

describe('the functions of a connection', () => {
  it('have signatures and descriptions, and their kinds', async () => {
    const functions = await list(await createExecWorld());
    expect(functions.length).toBeGreaterThan(700);
    expect(find(functions, 'list_aggregate')).toEqual({
      name: 'list_aggregate',
      kind: 'scalar',
      signatures: ['(list ANY[], function_name VARCHAR, ...) -> ANY'],
      description: 'Executes the aggregate function `function_name` on the elements of `list`.',
    });
    expect(find(functions, 'date_trunc')?.signatures).toContain(
      '(part VARCHAR, timestamp TIMESTAMP) -> TIMESTAMP',
    );
    expect(find(functions, 'sum')?.kind).toBe('aggregate');
    expect(find(functions, 'read_csv')?.kind).toBe('table');
    expect(find(functions, 'row_number')).toMatchObject({ kind: 'window', signatures: ['() -> BIGINT'] });
    expect(functions.filter(({ name }) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
  });

  it('have the window functions of the engine', async () => {
    const world = await createExecWorld();
    const functions = await list(world);
    const windows = functions.filter(({ kind }) => kind === 'window');
    const calls = windows.map(({ name, signatures: [signature] }) => {
      const values =
        /^\((.*)\)/
          .exec(signature ?? '')?.[1]
          ?.split(', ')
          .filter(Boolean) ?? [];
      return `${name}(${values.map(() => '1').join(', ')}) OVER (ORDER BY x)`;
    });
    expect(calls.length).toBeGreaterThan(10);
    await run(world, `SELECT ${calls.join(', ')} FROM range(3) AS t(x)`);
    const others = functions.filter(({ name, kind }) => kind !== 'window' && /^(rank|lag|ntile)$/.test(name));
    expect(others).toEqual([]);
  });

  it('are kept for ten minutes, until the connection changes', async () => {
    const world = await createExecWorld();
    expect(find(await list(world), 'added_later')).toBeUndefined();
    await run(world, 'CREATE MACRO added_later(a) AS a + 1');
    expect(find(await list(world), 'added_later')).toBeUndefined();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
    try {
      expect(find(await list(world), 'added_later')).toMatchObject({ kind: 'scalar', signatures: ['(a)'] });
    } finally {
      vi.useRealTimers();
    }
  });

  it.skipIf(inject('postgresql') === null)('of PostgreSQL are those that SQL can call', async () => {
    const world = await createExecWorld();
    await createServer(world, 'postgresql', inject('postgresql')!);
    const name = `added_${randomUUID().slice(0, 8)}`;
    await run(
      world,
      `CREATE FUNCTION ${name}(amount numeric, day date DEFAULT current_date) RETURNS numeric LANGUAGE sql AS 'SELECT amount';
      COMMENT ON FUNCTION ${name} IS 'The amount.'`,
      'warehouse',
    );
    try {
      const functions = await list(world, 'warehouse');
      expect(find(functions, name)).toEqual({
        name,
        kind: 'scalar',
        signatures: ['(amount numeric, day date DEFAULT CURRENT_DATE) -> numeric'],
        description: 'The amount.',
      });
      expect(find(functions, 'string_agg')?.kind).toBe('aggregate');
      expect(find(functions, 'row_number')?.kind).toBe('window');
      expect(find(functions, 'generate_series')?.kind).toBe('table');
      expect(find(functions, 'int4in')).toBeUndefined();
    } finally {
      await run(world, `DROP FUNCTION ${name}`, 'warehouse');
    }
  });

  it.skipIf(inject('mariadb') === null)('of MySQL are names, which the database knows', async () => {
    const world = await createExecWorld();
    await createServer(world, 'mysql', inject('mariadb')!);
    const functions = await list(world, 'warehouse');
    expect(find(functions, 'group_concat')).toEqual({
      name: 'group_concat',
      kind: 'aggregate',
      signatures: [],
      description: null,
    });
    expect(new Set(functions.map(({ name }) => name)).size).toBe(functions.length);
    await run(
      world,
      'SELECT concat_ws(1, 2, 3), group_concat(1), row_number() OVER (ORDER BY 1)',
      'warehouse',
    );
  });

  it('of a semantic connection are those of Semantic SQL', async () => {
    const world = await createExecWorld();
    await world.put(
      '@Shared/live.yaml',
      modelWith(`    - name: orders
      table_name: orders
      dimensions: [{ name: status, data_type: TEXT, expr: status }]
`),
    );
    const options = { model: '@Shared/live.yaml', connection: 'duckdb' };
    const body = { name: 'live', kind: 'semantic', options };
    expect((await world.ask('POST', '/api/v1/manage/connections', { body })).status).toBe(201);
    await run(world, "CREATE TABLE orders AS SELECT 'paid' AS status");
    const functions = await list(world, 'live');
    expect(find(functions, 'LOWER')).toMatchObject({ kind: 'scalar', description: 'Takes a TEXT' });
    expect(find(functions, 'MEDIAN')?.kind).toBe('aggregate');
    expect(find(functions, 'ROW_NUMBER')?.kind).toBe('window');
    await run(
      world,
      "SELECT LOWER(status) AS s, DATE_TRUNC('month', DATE '2026-03-04') AS m FROM orders",
      'live',
    );
    expect(find(functions, 'DATE_TRUNC')?.kind).toBe('scalar');
  });

  it('need READ on the connection', async () => {
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
});

describe.skipIf(!hasCluster)('the functions of Trino', () => {
  const cluster = useCluster();

  it('have signatures and descriptions', async () => {
    const world = await createExecWorld();
    const { host, httpPort } = cluster();
    const place = { catalog: 'memory', schema: 'default', sslmode: 'disable' };
    const options = { host, port: String(httpPort), user: 'test', ...place };
    const body = { name: 'warehouse', kind: 'trino', options };
    expect((await world.ask('POST', '/api/v1/manage/connections', { body })).status).toBe(201);
    const functions = await list(world, 'warehouse');
    expect(find(functions, 'date_trunc')).toMatchObject({ kind: 'scalar' });
    expect(find(functions, 'date_trunc')?.signatures).toContain('(varchar(x), date) -> date');
    expect(find(functions, 'date_trunc')?.description).toMatch(/^Truncate/);
    expect(find(functions, 'row_number')?.kind).toBe('window');
    expect(find(functions, 'approx_distinct')?.kind).toBe('aggregate');
  });
});
