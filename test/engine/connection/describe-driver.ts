import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type {
  Connection,
  ConnectionSpec,
  Driver,
} from '../../../src/engine/connection/contract/connection.ts';
import type { ColumnType, Value } from '../../../src/engine/result/columns/column.ts';
import { describePublishing } from './describe-publishing.ts';
import { countRows, never, query, readError, readRows } from './results.ts';
import { watchSlow } from './watch-slow.ts';

/** One value of one type, as a literal of the database. */
export interface TypeCase {
  readonly sql: string;
  readonly type: ColumnType;
  readonly value: Value;
}

/** The SQL that the suite needs for a database; every text is one statement. */
export interface DriverUnderTest {
  load(): Promise<Driver>;
  /** A database that all sessions of the suite share. */
  spec(overrides?: Readonly<Record<string, string>>): ConnectionSpec;
  readonly sql: {
    /** `count` rows of one integer, from 0. */
    rows(count: number): string;
    /** The same, but the database fails with `boom` at row `at`. */
    failing(count: number, at: number): string;
    /** Works for hours before the first row. */
    slow: string;
    /** Returns a million rows and then works for hours before the next. */
    slowAfterRows: string;
    /** Returns rows for hours. */
    endless: string;
    readonly begin: string;
    readonly rollback: string;
    /** Names a missing column, and the offset of its name. */
    readonly unknownColumn: { readonly sql: string; readonly offset: number; readonly name: string };
    readonly currentSchema: string;
    createTemporary(name: string): string;
    /** A value that differs each time. */
    readonly chance: string;
    /** Whether the database itself makes sessions wait that publish to the same target. */
    readonly waits: boolean;
  };
  /** A schema that the suite creates. */
  readonly schema: string;
  /** Statements without a result set, in this order, with the rows they change. */
  readonly done: readonly (readonly [sql: string, rowsChanged: number])[];
  /** Statements with a result set, which run after `done`, with the number of rows. */
  readonly rows: readonly (readonly [sql: string, rows: number])[];
  readonly types: readonly TypeCase[];
}

/** The statements of `done` that DuckDB and PostgreSQL share. */
export const STANDARD_STATEMENTS: DriverUnderTest['done'] = [
  ['CREATE TABLE t (a INTEGER PRIMARY KEY, b VARCHAR)', 0],
  ["INSERT INTO t VALUES (1, 'x'), (2, 'y')", 2],
  ["UPDATE t SET b = 'z' WHERE a = 1", 1],
  ['DELETE FROM t WHERE a = 2', 1],
  ['CREATE TABLE u AS SELECT 1 AS x', 0],
  ['ALTER TABLE u ADD COLUMN y INTEGER', 0],
  ['CREATE VIEW v AS SELECT 1 AS x', 0],
  ["COMMENT ON TABLE t IS 'a table'", 0],
];

/** The requirements of every driver (results 3, 4); each engine runs them with its own SQL. */
export function describeDriver(name: string, database: DriverUnderTest): void {
  describe(name, () => {
    let driver: Driver;
    let open: Connection[] = [];
    const connect = async (overrides?: Readonly<Record<string, string>>) => {
      const connection = await driver.connect(database.spec(overrides), never);
      open.push(connection);
      return connection;
    };
    beforeAll(async () => {
      driver = await database.load();
    });
    afterEach(async () => {
      await Promise.all(open.map((connection) => connection.close()));
      open = [];
    });
    afterAll(() => driver.close());

    describeResults(database, connect);
    describeErrors(database, connect);
    describeCancel(database, connect);
    describeLeaving(database, connect);
    describeSessions(database, connect);
    describeRelations(database, connect);
    describePublishing(database, connect);
  });
}

export type Connect = (overrides?: Readonly<Record<string, string>>) => Promise<Connection>;

function describeResults({ sql, done, rows, types }: DriverUnderTest, connect: Connect): void {
  describe('results', () => {
    it('streams rows in order, in chunks of at least one row', async () => {
      const connection = await connect();
      const result = await connection.run(sql.rows(100_000), never);
      expect(result.kind).toBe('rows');
      const { rows: all } = await readRows(result);
      expect(all.length).toBe(100_000);
      expect(all.every(([value], i) => Number(value) === i)).toBe(true);
    });

    it('keeps the columns of an empty result', async () => {
      const connection = await connect();
      const result = await readRows(await connection.run(sql.rows(0), never));
      expect(result.columns.length).toBe(1);
      expect(result.rows).toEqual([]);
    });

    it('distinguishes statements with and without a result set', async () => {
      const connection = await connect();
      for (const [statement, rowsChanged] of done) {
        expect([statement, await connection.run(statement, never)]).toEqual([
          statement,
          { kind: 'done', rowsChanged },
        ]);
      }
      for (const [statement, count] of rows) {
        expect([statement, (await readRows(await connection.run(statement, never))).rows.length]).toEqual([
          statement,
          count,
        ]);
      }
    });

    it('runs nothing for a text without a statement', async () => {
      const connection = await connect();
      for (const text of ['', '  \n', '-- nothing', '/* nothing */']) {
        expect(await connection.run(text, never)).toEqual({ kind: 'done', rowsChanged: 0 });
      }
    });

    it.each(types)('reads $sql', async ({ sql: expression, type, value }) => {
      const connection = await connect();
      const result = await readRows(await connection.run(`SELECT ${expression} AS x`, never));
      expect(result.columns).toEqual([{ name: 'x', type }]);
      expect(result.rows).toEqual([[value]]);
    });
  });
}

function describeErrors({ sql }: DriverUnderTest, connect: Connect): void {
  describe('errors', () => {
    it('report the message and the position', async () => {
      const connection = await connect();
      const error = await readError(connection.run(sql.unknownColumn.sql, never));
      expect(error).toMatchObject({ code: 'sql', offset: sql.unknownColumn.offset });
      expect(error.message).toContain(sql.unknownColumn.name);
      expect(error.message).not.toContain('^');
    });

    it('leave the session usable', async () => {
      const connection = await connect();
      await readError(connection.run(sql.unknownColumn.sql, never));
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('after the first rows end the result with the message', async () => {
      const connection = await connect();
      const result = await connection.run(sql.failing(2_000_000, 1_500_000), never);
      if (result.kind !== 'rows') throw new Error('no result set');
      let seen = 0;
      const reading = (async () => {
        for await (const chunk of result.chunks) seen += chunk.rows;
      })();
      const error = await readError(reading);
      expect(error.code).toBe('late');
      expect(error.message).toContain('boom');
      expect(seen).toBeGreaterThan(0);
      expect(seen).toBeLessThan(1_500_001);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('before the first rows are errors of the run', async () => {
      const connection = await connect();
      expect(await readError(connection.run(sql.failing(10, 5), never))).toMatchObject({
        code: 'sql',
        message: expect.stringContaining('boom'),
      });
    });
  });
}

function describeCancel({ sql, spec }: DriverUnderTest, connect: Connect): void {
  const cancelled = { code: 'cancelled' };

  async function readAll(connection: Connection, statement: string, signal: AbortSignal): Promise<void> {
    const result = await connection.run(statement, signal);
    if (result.kind === 'rows') for await (const _ of result.chunks);
  }

  describe('a cancellation', () => {
    it('works before the run', async () => {
      const connection = await connect();
      expect(await readError(connection.run(sql.rows(1), AbortSignal.abort()))).toMatchObject(cancelled);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('works right after the start, at any step', async () => {
      const connection = await connect();
      for (let turns = 0; turns < 12; turns += 1) {
        const stop = new AbortController();
        const failure = readError(readAll(connection, sql.slow, stop.signal));
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        stop.abort();
        expect(await failure).toMatchObject(cancelled);
      }
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('works before the first row', async () => {
      const connection = await connect();
      const stop = new AbortController();
      const waitUntilSlow = await watchSlow(spec().kind, connection, await connect());
      const failure = readError(readAll(connection, sql.slow, stop.signal));
      await waitUntilSlow();
      stop.abort();
      expect(await failure).toMatchObject(cancelled);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('works during the wait for the next rows', async () => {
      const connection = await connect();
      const stop = new AbortController();
      const waitUntilSlow = await watchSlow(spec().kind, connection, await connect());
      const result = await connection.run(sql.slowAfterRows, stop.signal);
      const failure = readError(readRows(result));
      await waitUntilSlow();
      stop.abort();
      expect(await failure).toMatchObject(cancelled);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('works between two chunks', async () => {
      const connection = await connect();
      const stop = new AbortController();
      const result = await connection.run(sql.endless, stop.signal);
      if (result.kind !== 'rows') throw new Error('no result set');
      const reading = (async () => {
        for await (const _ of result.chunks) stop.abort();
      })();
      expect(await readError(reading)).toMatchObject(cancelled);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('works for a result that has no reader yet', async () => {
      const connection = await connect();
      const stop = new AbortController();
      const result = await connection.run(sql.endless, stop.signal);
      stop.abort();
      expect(await readError(readRows(result))).toMatchObject(cancelled);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('does nothing after the end', async () => {
      const connection = await connect();
      const stop = new AbortController();
      await readAll(connection, sql.rows(10), stop.signal);
      stop.abort();
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });
  });
}

function describeLeaving({ sql, spec }: DriverUnderTest, connect: Connect): void {
  async function leaveEarly(connection: Connection): Promise<void> {
    const result = await connection.run(sql.endless, never);
    if (result.kind !== 'rows') throw new Error('no result set');
    for await (const _ of result.chunks) break;
  }

  describe('a result that is not read to the end', () => {
    it('leaves the session usable', async () => {
      const connection = await connect();
      await leaveEarly(connection);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('leaves an open transaction unchanged', async () => {
      const connection = await connect();
      await connection.run(sql.createTemporary('left_early'), never);
      await connection.run(sql.begin, never);
      await connection.run('INSERT INTO left_early VALUES (2)', never);
      await leaveEarly(connection);
      expect(await countRows(connection, 'SELECT * FROM left_early')).toBe(2);
      await connection.run(sql.rollback, never);
      expect(await countRows(connection, 'SELECT * FROM left_early')).toBe(1);
    });

    it('may remain unread', async () => {
      const connection = await connect();
      const unread = await connection.run(sql.endless, never);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
      await expect(readRows(unread)).rejects.toThrow('has been left');
    });

    it('ends when the session ends', async () => {
      const connection = await connect();
      const waitUntilSlow = await watchSlow(spec().kind, connection, await connect());
      const result = await connection.run(sql.slowAfterRows, never);
      const failure = readError(readRows(result));
      await waitUntilSlow();
      await connection.close();
      expect(await failure).toMatchObject({ code: 'cancelled' });
    });
  });
}

function describeSessions({ sql, schema }: DriverUnderTest, connect: Connect): void {
  describe('sessions', () => {
    it('keep their temporary objects to themselves', async () => {
      const [one, other] = [await connect(), await connect()];
      await one.run(sql.createTemporary('only_here'), never);
      expect(await countRows(one, 'SELECT * FROM only_here')).toBe(1);
      expect((await readError(other.run('SELECT * FROM only_here', never))).code).toBe('sql');
    });

    it('lose them when they end', async () => {
      const one = await connect();
      await one.run(sql.createTemporary('gone'), never);
      await one.close();
      const other = await connect();
      expect((await readError(other.run('SELECT * FROM gone', never))).code).toBe('sql');
    });

    it('start in the place that the overrides name', async () => {
      const one = await connect();
      await one.run(`CREATE SCHEMA ${schema}`, never);
      const other = await connect({ schema });
      expect(await query(other, sql.currentSchema)).toEqual([[schema]]);
      await one.run(`DROP SCHEMA ${schema}`, never);
    });

    it('do not start in a missing database or schema', async () => {
      expect(await readError(connect({ schema: 'no "such" place' }))).toMatchObject({ code: 'sql' });
      expect((await readError(connect({ database: 'no such place' }))).message).toContain('no such place');
    });

    it('can be closed more than once', async () => {
      const connection = await connect();
      await connection.close();
      await connection.close();
      await expect(connection.run(sql.rows(1), never)).rejects.toThrow('closed');
    });
  });
}

function describeRelations({ sql }: DriverUnderTest, connect: Connect): void {
  describe('relations', () => {
    it('keep the original rows of a query', async () => {
      const connection = await connect();
      const { relations } = connection;
      await connection.run(sql.createTemporary('source_of_rows'), never);
      await relations.createTable('quern_kept', 'SELECT x FROM source_of_rows -- a comment', never);
      await connection.run('DELETE FROM source_of_rows', never);
      expect((await query(connection, 'SELECT x FROM quern_kept')).flat().map(Number)).toEqual([1]);
      const names = (await relations.listTemporary(never)).map(({ name }) => name);
      expect(names.sort()).toEqual(['quern_kept', 'source_of_rows']);
      await relations.dropTemporary(await relations.listTemporary(never), never);
      expect(await relations.listTemporary(never)).toEqual([]);
      await relations.dropTemporary([{ type: 'table', name: 'quern_kept' }], never);
    });

    it('report the position of an error in a query', async () => {
      const { relations } = await connect();
      const text = 'SELECT 1 AS x,\n nothing FROM (SELECT 1 AS one) AS t';
      const error = await readError(relations.createTable('quern_kept', text, never));
      expect(error).toMatchObject({ code: 'sql', offset: text.indexOf('nothing') });
      expect(await relations.listTemporary(never)).toEqual([]);
    });

    it('recognize repeatable queries', async () => {
      const { relations } = await connect();
      expect(await relations.isRepeatable(sql.rows(3), never)).toBe(true);
      const text = "SELECT upper('a') AS a, count(*) AS n FROM (SELECT 1 AS one) AS t WHERE one IN (1, 2)";
      expect(await relations.isRepeatable(text, never)).toBe(true);
      expect(await relations.isRepeatable(`SELECT ${sql.chance} AS x`, never)).toBe(false);
      expect(await relations.isRepeatable(`${sql.rows(3)} LIMIT 1`, never)).toBe(false);
    });
  });
}
