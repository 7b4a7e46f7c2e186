import path from 'node:path';
import duckdb from '@duckdb/node-bindings';
import { describe, expect, it } from 'vitest';
import type { Connection, Sandbox } from '../../../../src/engine/connection/contract/connection.ts';
import { openEngine } from '../../../../src/engine/connection/duckdb/instance/open-engine.ts';
import { readOptions } from '../../../../src/engine/connection/duckdb/instance/options.ts';
import { isOneRow } from '../../../../src/engine/connection/duckdb/is-one-row.ts';
import { DuckDbSession } from '../../../../src/engine/connection/duckdb/session.ts';
import { abortOnceBusy } from '../../../support/waiting.ts';
import { never, query, readError } from '../results.ts';
import { makeSandboxedHome } from './gate/sandbox.ts';

/** A session of a file, and the engine's id of its connection. */
async function openSession(file: string, sandbox: Sandbox | undefined) {
  const engine = await openEngine(readOptions({ file, threads: '2' }, sandbox));
  const context = duckdb.connection_get_client_context(engine.connection);
  return { session: new DuckDbSession(engine), id: duckdb.client_context_get_connection_id(context) };
}

/**
 * Whether the next session uses the same connection as one that has run `work`, while a third keeps the file
 * open.
 */
async function isReused(work: (session: DuckDbSession) => Promise<unknown>, isFree = false) {
  const { file, sandbox, connect, connectFreely } = makeSandboxedHome();
  await (isFree ? connectFreely() : connect());
  const own = isFree ? undefined : sandbox;
  const first = await openSession(file, own);
  await query(first.session, 'CREATE TABLE t AS SELECT range AS n FROM range(100000)');
  await first.session.close();
  const second = await openSession(file, own);
  await work(second.session);
  await second.session.close();
  const third = await openSession(file, own);
  await third.session.close();
  return second.id === third.id;
}

const run = (statement: string) => (session: DuckDbSession) => query(session, statement);

describe('a connection of a locked-down database', () => {
  it.each([
    'SELECT 42',
    'FROM t',
    'SELECT count(*) FROM t',
    'INSERT INTO t VALUES (1)',
    'UPDATE t SET n = 2 WHERE n = 1',
    'DELETE FROM t WHERE n = 3',
    'VALUES (1)',
  ])('is used by the next session after %s', async (statement) => {
    expect(await isReused(run(statement))).toBe(true);
  });

  it.each([
    'SET VARIABLE x = 1',
    'CREATE TEMP TABLE own (n INTEGER)',
    'CREATE TABLE other (n INTEGER)',
    'BEGIN',
    'USE main',
    'SELECT setseed(0.5)',
    'PIVOT (FROM t LIMIT 3) ON n',
  ])('closes with the session after %s', async (statement) => {
    expect(await isReused(run(statement))).toBe(false);
  });

  it('closes with the session after a statement that fails, is not read to the end, or is cancelled', async () => {
    expect(await isReused((session) => readError(query(session, 'SELECT nothing FROM t')))).toBe(false);
    const leave = async (session: DuckDbSession) => {
      const result = await session.run('FROM t', never);
      if (result.kind === 'rows') for await (const _ of result.chunks) break;
    };
    expect(await isReused(leave)).toBe(false);
    const cancel = async (session: DuckDbSession) => {
      const answer = session.run('SELECT count(*) FROM t a, t b WHERE a.n + b.n > 5', abortOnceBusy());
      await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    };
    expect(await isReused(cancel)).toBe(false);
  });

  it.each([
    ['CREATE MACRO seed(x) AS setseed(x)', 'SELECT seed(0.5)'],
    ['CREATE VIEW seed AS SELECT setseed(0.5)', 'FROM seed'],
    [
      'CREATE TABLE seed (n INTEGER, s VARCHAR DEFAULT (setseed(0.5)::VARCHAR))',
      'INSERT INTO seed (n) VALUES (1)',
    ],
  ])(
    'closes with the session that uses %s, created by another session or an earlier process',
    async (create, use) => {
      const draw = async (connect: () => Promise<Connection>) => {
        const session = await connect();
        await query(session, use);
        await session.close();
        const next = await connect();
        const drawn = await query(next, 'SELECT random()');
        await next.close();
        return drawn;
      };
      const { connect, connectFreely } = makeSandboxedHome();
      const holder = await connect();
      const maker = await connect();
      await query(maker, create);
      await maker.close();
      expect(await draw(connect)).not.toEqual(await draw(connect));
      await holder.close();
      // The object is stored now; the file is opened and locked down again.
      await (await connectFreely()).close();
      await connect();
      expect(await draw(connect)).not.toEqual(await draw(connect));
    },
  );

  it('closes with the session without a sandbox, which protects the settings', async () => {
    expect(await isReused(run('SELECT 42'), true)).toBe(false);
  });

  it('reveals nothing of the last session to the next one, and lets other processes open the file', async () => {
    const { connect, connectFreely, file } = makeSandboxedHome();
    const first = await connect();
    await query(first, 'CREATE SEQUENCE s');
    await query(first, 'SET VARIABLE x = 1');
    await query(first, 'CREATE TEMP TABLE own (n INTEGER)');
    await first.close();
    const second = await connect();
    expect(await query(second, "SELECT getvariable('x')")).toEqual([[null]]);
    expect(await query(second, "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'own'")).toEqual([
      [0n],
    ]);
    await second.close();
    // If a connection were still open, the file would still be locked down.
    const free = await connectFreely();
    expect(await query(free, `ATTACH '${path.join(path.dirname(file), 'new.duckdb')}' AS new`)).toEqual([]);
  });
});

describe('a query whose text shows that it has one row', () => {
  it.each([
    'SELECT 42',
    ' select 1 + 1 AS two, 2 AS more;',
    "SELECT 'a''b', DATE '2024-01-01'",
    'SELECT current_date',
    'SELECT 1 WHERE false',
  ])('is %s', (statement) => {
    expect(isOneRow(statement)).toBe(true);
  });

  it.each([
    'SELECT 1 FROM t',
    'FROM t',
    'SELECT unnest(x)',
    'SELECT [1]',
    'SELECT 1 UNION ALL TABLE t',
    'SELECT 1 union all select 2',
    "SELECT 'a' -- it's",
    'SELECT 1; FROM t',
    "SELECT 'from'",
    'SELECT "a""b',
    'SELECT $$x$$',
    "SELECT E'\\' FROM t --'",
    'TABLE t',
    'WITH a AS (SELECT 1) SELECT 2',
  ])('is not %s', (statement) => {
    expect(isOneRow(statement)).toBe(false);
  });

  it('is recognized fast, also in a long text with any content', () => {
    const blank = ' \n'.repeat(4_000_000);
    expect(isOneRow(`SELECT${blank}(1)`)).toBe(false);
    expect(isOneRow(`SELECT 1${blank}`)).toBe(false);
    expect(isOneRow(`SELECT ${"'a', ".repeat(4_000_000)}1`)).toBe(false);
    expect(isOneRow(`SELECT ${"'a', ".repeat(100)}1`)).toBe(true);
  });

  it('returns its columns and all rows', async () => {
    const session = await makeSandboxedHome().connect();
    expect(await query(session, "SELECT 42 AS a, 'x' AS b, NULL")).toEqual([[42, 'x', null]]);
    expect(await query(session, 'SELECT 1 WHERE 1 = 0')).toEqual([]);
    expect(await query(session, "SELECT 'from' AS a")).toEqual([['from']]);
    expect(await readError(query(session, 'SELECT nothing'))).toMatchObject({ code: 'sql' });
  });
});
