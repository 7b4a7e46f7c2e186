import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Connection, PublishedName } from '../../../../src/engine/connection/contract/connection.ts';
import { hashTarget } from '../../../../src/engine/connection/trino/publish/publishing-sql.ts';
import { notNull } from '../../../../src/invariants/must.ts';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { never, query, readError } from '../results.ts';
import { openTrino } from './sessions.ts';

const NO_KEYS = { primary: [], unique: [] };

describe.skipIf(!hasCluster)('a publication on Trino', () => {
  const cluster = useCluster();

  async function open(catalog: 'iceberg' | 'memory') {
    const { host, httpPort } = cluster();
    const options = { host, port: String(httpPort), user: 'test', catalog };
    const connect = () => openTrino(options);
    const session = await connect();
    const schema = `published_${randomUUID().slice(0, 8)}`;
    await query(session, `CREATE SCHEMA ${schema}`);
    onTestFinished(async () => {
      const other = await connect();
      await query(other, `DROP SCHEMA ${schema} CASCADE`);
      await other.close();
    });
    const target = await session.publishing.resolve(schema, 'Target', never);
    const list = async () => (await query(session, `SHOW TABLES FROM ${schema}`)).flat().map(String).sort();
    const replace = (text: string, own = session) =>
      own.publishing.replaceTable(target, text, NO_KEYS, never);
    return { session, connect, schema, target, list, replace, name: `${schema}.target` };
  }

  const check = (
    { publishing }: Connection,
    target: PublishedName,
    how: 'table' | 'view' | 'append' | 'merge',
  ) => notNull(publishing.check)(target, how, never);

  it('needs a catalog', async () => {
    const { host, httpPort } = cluster();
    const { publishing } = await openTrino({ host, port: String(httpPort), user: 'test' });
    expect(await readError(publishing.resolve('mart', 'target', never))).toMatchObject({
      code: 'sql',
      message: 'The session has no current catalog: set the option `catalog` of the connection.',
    });
  });

  it.each(['iceberg', 'memory'] as const)(
    'belongs to the current catalog and schema, on %s',
    async (catalog) => {
      const { session, schema, name } = await open(catalog);
      const resolve = () => session.publishing.resolve(null, 'Target', never);
      expect((await readError(resolve())).message).toBe(
        'The session has no current schema: say which one in `:schema`.',
      );
      await query(session, `USE ${schema.toUpperCase()}`);
      const [place = []] = await query(session, 'SELECT current_catalog, current_schema');
      const target = await resolve();
      expect([target.database, target.schema, target.name]).toEqual([...place, 'target']);
      await session.publishing.replaceTable(target, 'SELECT 1 AS id', NO_KEYS, never);
      expect(await query(session, `SELECT id FROM ${name}`)).toEqual([[1]]);
      const { host, httpPort } = cluster();
      const upper = { catalog, schema: schema.toUpperCase() };
      const other = await openTrino({ host, port: String(httpPort), user: 'test', ...upper });
      expect(await other.publishing.resolve(null, 'TARGET', never)).toEqual(target);
      expect(await other.publishing.find(target, never)).toBe('table');
    },
  );

  it.each(['iceberg', 'memory'] as const)('leaves only what it publishes, on %s', async (catalog) => {
    const { session, target, list, replace, name } = await open(catalog);
    await replace('SELECT 1 AS id, NULL AS nothing');
    await replace('SELECT 2 AS id, NULL AS nothing');
    const { publishing } = session;
    await publishing.replaceTable(
      target,
      "SELECT 3 AS id, 'c' AS s",
      { primary: ['ID'], unique: ['s'] },
      never,
    );
    await publishing.append(target, "SELECT 's4' AS s, 4 AS id", {}, never);
    const rows = "SELECT 4 AS id, 'm4' AS s UNION ALL SELECT 5, 'm5' UNION ALL SELECT NULL, 'none'";
    await publishing.merge(target, rows, { key: ['id'], changes: null }, never);
    await publishing.merge(target, rows, { key: ['id'], changes: ['s'] }, never);
    const longer = "SELECT 5 AS id, 'longer' AS s";
    await publishing.merge(target, longer, { key: ['id'], changes: null }, never);
    expect(await query(session, `SELECT id, s FROM ${name} ORDER BY id`)).toEqual([
      [3, 'c'],
      [4, 'm4'],
      [5, 'longer'],
      [null, 'none'],
    ]);
    await publishing.replaceView(target, `SELECT 6 AS id, NULL AS nothing`, never);
    expect(await query(session, `SELECT id, nothing FROM ${name}`)).toEqual([[6, null]]);
    await replace('SELECT 7 AS id');
    expect(await query(session, `SELECT id FROM ${name}`)).toEqual([[7]]);
    expect(await list()).toEqual(['target']);
  });

  it.each(['iceberg', 'memory'] as const)('has the states of its rows, on %s', async (catalog) => {
    const { session, target, list, name } = await open(catalog);
    const { publishing } = session;
    const at = (day: number) => ({ key: ['ID'], changes: null, time: `2026-01-0${day} 00:00:00.000000` });
    await publishing.startHistory(target, "SELECT 1 AS id, 'a' AS s UNION ALL SELECT 2, 'b'", at(1), never);
    await publishing.continueHistory(
      target,
      "SELECT 1 AS id, 'c' AS s UNION ALL SELECT 3, NULL",
      at(2),
      never,
    );
    await publishing.continueHistory(
      target,
      "SELECT 2 AS id, 'b' AS s UNION ALL SELECT 3, NULL",
      at(2),
      never,
    );
    const rows = await query(
      session,
      `SELECT id, s, day(valid_from), day(valid_to) FROM ${name} ORDER BY 1, 3`,
    );
    expect(
      rows.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value))),
    ).toEqual([
      [1, 'a', 1, 2],
      [2, 'b', 1, 2],
      [2, 'b', 2, null],
      [3, null, 2, null],
    ]);
    expect(await list()).toEqual(['target']);
  });

  it.each(['iceberg', 'memory'] as const)(
    'can be a query that declares a function, on %s',
    async (catalog) => {
      const { session, replace, name } = await open(catalog);
      await replace(
        'WITH FUNCTION seven() RETURNS integer BEGIN RETURN 7; END SELECT seven() AS id, 1 IS NULL AS no',
      );
      expect(await query(session, `SELECT id, no FROM ${name}`)).toEqual([[7, false]]);
    },
  );

  it('checks keys, and keeps the table if they are violated', async () => {
    const { session, target, list, replace, name } = await open('iceberg');
    await replace('SELECT 1 AS id');
    const refuse = async (text: string, keys: { primary: string[]; unique: string[] }) =>
      (await readError(session.publishing.replaceTable(target, text, keys, never))).message;
    const twice = 'SELECT 5 AS id UNION ALL SELECT 5';
    expect(await refuse(twice, { primary: ['id'], unique: [] })).toContain(
      '"target" have the key 5 more than once',
    );
    expect(await refuse(twice, { primary: [], unique: ['id'] })).toContain(
      '"target" have the key 5 more than once',
    );
    const empty = 'SELECT CAST(NULL AS integer) AS id';
    expect(await refuse(empty, { primary: ['id'], unique: [] })).toContain(
      'no value in the primary key (id)',
    );
    expect(await query(session, `SELECT id FROM ${name}`)).toEqual([[1]]);
    expect(await list()).toEqual(['target']);
  });

  it('warns of what is not atomic, depending on the catalog', async () => {
    const lake = await open('iceberg');
    const memory = await open('memory');
    for (const { replace } of [lake, memory]) await replace('SELECT 1 AS id');
    const found: Record<string, readonly (string | null)[]> = {};
    for (const how of ['table', 'view', 'append', 'merge'] as const) {
      const gaps = [lake, memory].map(({ session, target }) => check(session, target, how));
      found[how] = (await Promise.all(gaps)).map(
        (gap) => /missing for a moment|built again/.exec(gap ?? '')?.[0] ?? null,
      );
    }
    expect(found).toEqual({
      table: [null, 'missing for a moment'],
      view: ['missing for a moment', 'missing for a moment'],
      append: [null, null],
      merge: [null, 'built again'],
    });
    expect([await lake.list(), await memory.list()]).toEqual([['target'], ['target']]);
  });

  it.each(['iceberg', 'memory'] as const)(
    'of two sessions at once is complete, or ends with a conflict, on %s',
    async (catalog) => {
      const { session, connect, list, replace, name } = await open(catalog);
      const others = await Promise.all([connect(), connect(), connect()]);
      await replace('SELECT 0 AS id');
      const outcomes = await Promise.all(
        others.map((other, at) =>
          replace(`SELECT * FROM UNNEST(repeat(${at + 1}, 10)) AS t (id)`, other).then(
            () => 'done',
            ({ code }) => code,
          ),
        ),
      );
      expect(outcomes).toContain('done');
      expect(['conflict', 'done']).toEqual(expect.arrayContaining(outcomes));
      const rows = (await query(session, `SELECT count(*), min(id), max(id) FROM ${name}`))
        .flat()
        .map(Number);
      expect(rows[0]).toBe(10);
      expect(rows[1]).toBe(rows[2]);
      expect(await list()).toEqual(['target']);
    },
  );

  it('gives the table of a killed process its name back, and drops what else the process has left', async () => {
    const { session, schema, target, list, replace, name } = await open('memory');
    await replace('SELECT 1 AS id');
    const owner = 'quern_0123456789_1_1_aaaaaaaa';
    const hash = hashTarget(target);
    await query(session, `ALTER TABLE ${name} RENAME TO ${schema}.${owner}_old_${hash}_0000`);
    await query(session, `CREATE TABLE ${schema}.${owner}_new_${hash} AS SELECT 9 AS id`);
    const failed = await readError(replace('SELECT nothing'));
    expect(failed.code).toBe('sql');
    expect(await query(session, `SELECT id FROM ${name}`)).toEqual([[1]]);
    expect(await list()).toEqual(['target']);
  });
});
