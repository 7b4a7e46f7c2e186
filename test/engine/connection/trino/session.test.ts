import { describe, expect, it } from 'vitest';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { countRows, never, query, readError } from '../results.ts';
import { openTrino } from './sessions.ts';

describe.skipIf(!hasCluster)('a session of Trino', () => {
  const cluster = useCluster();
  const open = (options: Readonly<Record<string, string>> = {}, overrides = {}) => {
    const { host, httpPort } = cluster();
    return openTrino({ host, port: String(httpPort), user: 'test', ...options }, overrides);
  };

  it('keeps the place that USE sets', async () => {
    const connection = await open({ catalog: 'tpch', schema: 'tiny' });
    expect(await countRows(connection, 'SELECT * FROM nation')).toBe(25);
    expect(await connection.run('USE memory.default', never)).toEqual({ kind: 'done', rowsChanged: 0 });
    expect(await query(connection, 'SELECT current_catalog, current_schema')).toEqual([
      ['memory', 'default'],
    ]);
  });

  it('starts where the overrides say', async () => {
    const connection = await open(
      { catalog: 'memory', schema: 'default' },
      { database: 'tpch', schema: 'sf1' },
    );
    expect(await query(connection, 'SELECT current_catalog, current_schema')).toEqual([['tpch', 'sf1']]);
  });

  it.each([
    [{ catalog: 'nowhere' }, "Catalog 'nowhere' not found"],
    [{ catalog: 'tpch', schema: 'nowhere' }, 'Schema does not exist: tpch.nowhere'],
    [{ schema: 'tiny' }, 'has no catalog'],
  ])('does not start in %o', async (options, message) => {
    expect(await readError(open(options))).toMatchObject({
      code: 'sql',
      message: expect.stringContaining(message),
    });
  });

  it('keeps and clears session properties', async () => {
    const connection = await open({ session: 'query_max_run_time=7m; join_distribution_type=BROADCAST' });
    const show = async (name: string) => (await query(connection, `SHOW SESSION LIKE '${name}'`))[0]?.[1];
    expect(await show('query_max_run_time')).toBe('7m');
    expect(await show('join_distribution_type')).toBe('BROADCAST');
    await connection.run("SET SESSION query_max_run_time = '1h'", never);
    await connection.run("SET SESSION query_max_cpu_time = '3h'", never);
    expect([await show('query_max_run_time'), await show('query_max_cpu_time')]).toEqual(['1h', '3h']);
    await connection.run('RESET SESSION query_max_cpu_time', never);
    expect(await show('query_max_cpu_time')).not.toBe('3h');
  });

  it('keeps prepared statements until they are deallocated', async () => {
    const connection = await open();
    await connection.run('PREPARE "a b" FROM SELECT ? AS x, \'=,é 100%\'', never);
    expect(await query(connection, 'EXECUTE "a b" USING 42')).toEqual([[42, '=,é 100%']]);
    await connection.run('DEALLOCATE PREPARE "a b"', never);
    expect((await readError(connection.run('EXECUTE "a b" USING 42', never))).message).toContain('a b');
  });

  it('keeps long prepared statements', async () => {
    const connection = await open();
    const numbers = Array.from({ length: 4000 }, (_, i) => i * 7919);
    await connection.run(`PREPARE long FROM SELECT cardinality(ARRAY[${numbers.join(', ')}])`, never);
    expect(await query(connection, 'EXECUTE long')).toEqual([[4000n]]);
  });

  it('has transactions', async () => {
    const connection = await open();
    await connection.run('START TRANSACTION READ ONLY', never);
    expect((await readError(connection.run('START TRANSACTION', never))).message).toMatch(/transaction/i);
    await connection.run('ROLLBACK', never);
    expect((await readError(connection.run('COMMIT', never))).message).toMatch(/no transaction/i);
  });

  it('ends an open transaction when it is closed', async () => {
    const connection = await open();
    await connection.run('START TRANSACTION', never);
    const [[id] = []] = await query(
      connection,
      'SELECT transaction_id FROM system.runtime.transactions WHERE NOT auto_commit_context ORDER BY create_time DESC LIMIT 1',
    );
    await connection.close();
    const other = await open();
    const text = `SELECT 1 FROM system.runtime.transactions WHERE transaction_id = '${id}'`;
    expect(await query(other, text)).toEqual([]);
  });

  it('has the user of the connection, with letters outside ASCII', async () => {
    expect(await query(await open({ user: 'änn' }), 'SELECT current_user')).toEqual([['änn']]);
    expect(await readError(open({ user: '💛' }))).toMatchObject({ code: 'sql' });
  });

  it('keeps a schema with letters outside ASCII', async () => {
    const connection = await open();
    const schema = `"é ${Math.random().toString(36).slice(2)}"`;
    await connection.run(`CREATE SCHEMA memory.${schema}`, never);
    await connection.run(`USE memory.${schema}`, never);
    expect(await query(connection, 'SELECT current_schema')).toEqual([[schema.slice(1, -1)]]);
    await connection.run(`DROP SCHEMA memory.${schema}`, never);
  });

  it('keeps roles', async () => {
    const connection = await open({ role: 'ALL' });
    expect(await connection.run('SET ROLE NONE', never)).toEqual({ kind: 'done', rowsChanged: 0 });
    const message = expect.stringContaining('admin');
    expect(await readError(open({ role: 'admin' }))).toMatchObject({ code: 'sql', message });
  });

  it('has the time zone of the connection', async () => {
    const connection = await open({ time_zone: 'Asia/Tokyo' });
    expect(await query(connection, 'SELECT current_timezone()')).toEqual([['Asia/Tokyo']]);
  });

  it('counts the rows that a statement changes', async () => {
    const connection = await open({ catalog: 'memory', schema: 'default' });
    const table = `changed_${Math.random().toString(36).slice(2)}`;
    const run = (statement: string) => connection.run(statement, never);
    expect(await run(`CREATE TABLE ${table} AS SELECT 1 AS x`)).toEqual({ kind: 'done', rowsChanged: 1 });
    expect(await run(`INSERT INTO ${table} VALUES 2, 3`)).toEqual({ kind: 'done', rowsChanged: 2 });
    expect(await run(`DROP TABLE ${table}`)).toEqual({ kind: 'done', rowsChanged: 0 });
  });

  it('reports the position of an error in characters of the statement', async () => {
    const connection = await open();
    const text = "-- 💛\r\nSELECT '💛é', nothing";
    expect(await readError(connection.run(text, never))).toMatchObject({
      code: 'sql',
      offset: text.indexOf('nothing'),
      message: "Column 'nothing' cannot be resolved",
    });
    expect(await readError(connection.run('SELEC 1', never))).toMatchObject({ code: 'sql', offset: 0 });
    expect(await readError(connection.run('SELECT 1 / 0', never))).toMatchObject({
      message: 'Division by zero',
    });
  });
});
