import { describe, expect, it, onTestFinished } from 'vitest';
import { abortOnceBusy } from '../../support/waiting.ts';
import { openMemory } from '../result/encode.ts';
import { never, query, readError } from './results.ts';

async function openSession() {
  const connection = await openMemory();
  onTestFinished(() => connection.close());
  const { relations } = connection;
  return {
    connection,
    run: (sql: string) => query(connection, sql),
    isRepeatable: (sql: string) => relations.isRepeatable(sql, never),
    createTable: (name: string, sql: string) => relations.createTable(name, sql, never),
    createView: (name: string, sql: string) => relations.createView!(name, sql, never),
    /** A table whose untyped NULL columns have the type VARCHAR. */
    async createTyped(name: string, sql: string) {
      const { mayBeIn, printTypes, listColumns, printTexts } = relations.nulls!;
      const [head, tail] = printTypes();
      const untyped = mayBeIn(sql) ? await listColumns(head + sql + tail, never) : [];
      const [before, after] = untyped.length === 0 ? ['', ''] : printTexts(untyped);
      await relations.createTable(name, before + sql + after, never);
      return untyped;
    },
    dropTemporary: async () => relations.dropTemporary(await relations.listTemporary(never), never),
    async list() {
      const objects = await relations.listTemporary(never);
      return objects.map(({ type, name }) => `${type} ${name}`).sort();
    },
    /** The columns of a relation with their types, as the database reports them. */
    async describe(name: string) {
      const rows = await query(
        connection,
        `SELECT column_name || ' ' || column_type FROM (DESCRIBE ${name})`,
      );
      return rows.map(([text]) => text);
    },
  };
}

describe('a query', () => {
  it.each([
    ['of a generator', 'SELECT range AS x FROM range(3)'],
    ['of a table', 'FROM people'],
    [
      'with functions of the engine',
      'SELECT upper(name) AS x, length(name) FROM people WHERE contains(name, $$a$$)',
    ],
    ['with groups', 'SELECT id % 2 AS x, count(*), max(name) FROM people GROUP BY ALL'],
    ['with the current time', 'SELECT now() >= current_date AS x FROM people'],
    ['of values', 'VALUES (1), (2)'],
    ['in parentheses', '(SELECT 1) UNION ALL (SELECT 2)'],
    ['of a view that is always the same', 'FROM adults'],
    ['with a comment at its end', 'SELECT 1 AS x -- and no more'],
    ['with a comment before it', '/* random() */ SELECT 1 AS x'],
    ['of a variable', "SELECT getvariable('v') AS x"],
    ['of NULLs', 'SELECT NULL AS x, coalesce(NULL, 1) AS y'],
  ])('is repeatable if its result is always the same: %s', async (_, sql) => {
    const { run, isRepeatable } = await openSession();
    await run("CREATE TABLE people AS SELECT range AS id, 'anna' AS name FROM range(3)");
    await run('CREATE VIEW adults AS FROM people WHERE id > 1');
    expect(await isRepeatable(sql)).toBe(true);
  });

  it.each([
    ['chance', 'SELECT random() AS x FROM range(3)'],
    ['new ids', 'SELECT uuid() AS x FROM range(3)'],
    ['the next number of a sequence', "SELECT nextval('numbers') AS x"],
    ['a limited number of rows', 'SELECT * FROM range(10000) LIMIT 3'],
    ['a sample', 'SELECT * FROM range(10000) USING SAMPLE 3 ROWS'],
    ['a window', 'SELECT row_number() OVER () AS x FROM range(3)'],
    ['a list', 'SELECT list(range) AS x FROM range(3)'],
    ['a macro of the user', 'SELECT dice() AS x FROM range(3)'],
    ['a table macro of the user', 'FROM rolls(3)'],
    ['a view with a random function', 'FROM rolled'],
    ['a view with a random function in another case', 'FROM ROLLED'],
    ['a view of a view with a random function', 'FROM "again"'],
    ['what writes', 'WITH a AS (SELECT 1 AS x) INSERT INTO people FROM a'],
  ])('is not repeatable in these cases: %s', async (_, sql) => {
    const { run, isRepeatable } = await openSession();
    await run('CREATE SEQUENCE numbers');
    await run('CREATE MACRO dice() AS random()');
    await run('CREATE MACRO rolls(n) AS TABLE SELECT random() AS x FROM range(n)');
    await run('CREATE VIEW "Rolled" AS SELECT random() AS x FROM range(3)');
    await run('CREATE VIEW again AS FROM rolled');
    expect(await isRepeatable(sql)).toBe(false);
  });

  it('is no longer repeatable after a view is replaced by one with a random function', async () => {
    const { run, isRepeatable } = await openSession();
    await run('CREATE VIEW v AS SELECT 1 AS x');
    expect(await isRepeatable('FROM v')).toBe(true);
    await run('CREATE OR REPLACE VIEW v AS SELECT random() AS x');
    expect(await isRepeatable('FROM v')).toBe(false);
  });
});

describe('a relation', () => {
  it('keeps its rows when the tables of its query change or are dropped', async () => {
    const { run, createTable } = await openSession();
    await run('CREATE TABLE t AS SELECT 1 AS x');
    await createTable('quern_1', 'FROM t');
    await run('INSERT INTO t VALUES (2)');
    expect(await run('FROM quern_1')).toEqual([[1]]);
    await run('DROP TABLE t');
    expect(await run('FROM quern_1')).toEqual([[1]]);
  });

  it('returns columns of untyped NULLs as strings', async () => {
    const { createTyped, describe } = await openSession();
    const sql = 'SELECT NULL AS a, 1 AS b, NULL::DATE AS c, null AS "d ""e""", NULL AS Ä';
    expect(await createTyped('quern_1', sql)).toEqual(['a', 'd "e"', 'Ä']);
    expect(await describe('quern_1')).toEqual([
      'a VARCHAR',
      'b INTEGER',
      'c DATE',
      'd "e" VARCHAR',
      'Ä VARCHAR',
    ]);
  });

  it('keeps the types of columns that contain only NULLs', async () => {
    const { run, createTyped, describe } = await openSession();
    const sql =
      'SELECT * FROM (VALUES (NULL, 1, NULL), (DATE $$2020-01-02$$, NULL, NULL)) AS t(a, b, c) WHERE a IS NULL';
    await createTyped('quern_1', sql);
    expect((await describe('quern_1')).slice(0, 2)).toEqual(['a DATE', 'b INTEGER']);
    expect(await run('FROM quern_1')).toEqual([[null, 1, null]]);
  });

  it('has no rows if the query returns no rows, but has its columns', async () => {
    const { run, createTyped, describe } = await openSession();
    await createTyped('quern_1', 'SELECT NULL AS a, 1 AS b WHERE false');
    expect(await describe('quern_1')).toEqual(['a VARCHAR', 'b INTEGER']);
    expect(await run('FROM quern_1')).toEqual([]);
  });

  it('may have several columns with the same name', async () => {
    const { run, createTyped } = await openSession();
    await createTyped('quern_1', 'SELECT 1 AS a, 2 AS a, NULL AS a, 4 AS A');
    expect(await run('FROM quern_1')).toEqual([[1, 2, null, 4]]);
    expect(await run('SELECT a FROM quern_1')).toEqual([[1]]);
  });

  it('may have 2,000 columns', async () => {
    const { run, createTyped, describe } = await openSession();
    const columns = Array.from({ length: 2000 }, (_, i) => `${i % 2 === 0 ? i : 'NULL'} AS c${i}`);
    await createTyped('quern_1', `SELECT ${columns.join(', ')}`);
    expect((await describe('quern_1')).length).toBe(2000);
    const [row] = await run('FROM quern_1');
    expect(row!.slice(1996)).toEqual([1996, null, 1998, null]);
  });

  it.each(['createTable', 'createView'] as const)(
    'is found by its name in any schema, and hides a table of this name (%s)',
    async (create) => {
      const session = await openSession();
      const { run } = session;
      await run('CREATE TABLE quern_1 AS SELECT 5 AS x');
      await session[create]('quern_1', 'SELECT 1 AS x');
      await run('CREATE SCHEMA s');
      await run('USE s');
      expect(await run('FROM quern_1')).toEqual([[1]]);
      expect(await run('FROM QUERN_1')).toEqual([[1]]);
      expect(await run('FROM memory.main.quern_1')).toEqual([[5]]);
    },
  );
});

describe('an error in the query of a relation', () => {
  it.each([
    ['a view', 'SELECT 1 AS x, nope FROM range(3)', 'createView'],
    ['a table', 'SELECT random() AS x, nope FROM range(3)', 'createTable'],
    ['a query of many lines', "SELECT 'äöü💛' AS x,\n  -- a comment\n  nope FROM range(3)", 'createTable'],
  ] as const)('has its position in that query: %s', async (_, sql, create) => {
    const session = await openSession();
    const error = await readError(session[create]('quern_1', sql));
    expect(error).toMatchObject({ code: 'sql', offset: sql.indexOf('nope') });
    expect(error.message).toContain('nope');
    expect(await session.list()).toEqual([]);
  });

  it('has its position also if it is a syntax error', async () => {
    const { createTable } = await openSession();
    const sql = 'SELECT 1 AS x FROM range(3) WHERE WHERE';
    const error = await readError(createTable('quern_1', sql));
    expect(error).toMatchObject({ code: 'sql', offset: sql.lastIndexOf('WHERE') });
  });

  it('has its position if it occurs with the rows', async () => {
    const { run, createTable, list } = await openSession();
    await run("CREATE TABLE t AS SELECT 'abc' AS s");
    const sql = 'SELECT random() AS x, CAST(s AS INTEGER) AS y FROM t';
    const error = await readError(createTable('quern_1', sql));
    expect(error.message).toContain("Could not convert string 'abc' to INT32");
    expect(error.offset).toBe(sql.indexOf('CAST'));
    expect(await list()).toEqual([]);
  });

  it('has a position within an unterminated query', async () => {
    const { createTable } = await openSession();
    const sql = 'SELECT 1 AS x, (2';
    const error = await readError(createTable('quern_1', sql));
    expect(error.offset ?? 0).toBeLessThanOrEqual(sql.length);
  });

  it('leaves the session unchanged', async () => {
    const { run, createTable } = await openSession();
    await readError(createTable('quern_1', 'SELECT nope'));
    await createTable('quern_1', 'SELECT 1 AS x');
    expect(await run('FROM quern_1')).toEqual([[1]]);
  });

  it('is `cancelled` when the query is cancelled', async () => {
    const { connection } = await openSession();
    const sql =
      'SELECT count(*), random() FROM range(10000000000) a, range(10000000000) b WHERE a.range + b.range = 7';
    const error = await readError(connection.relations.createTable('quern_1', sql, abortOnceBusy()));
    expect(error.code).toBe('cancelled');
  });
});

describe('temporary objects', () => {
  it('are listed with their types, without other objects', async () => {
    const { run, createView, createTable, list } = await openSession();
    await run('CREATE TABLE t (x INTEGER)');
    await run('CREATE VIEW v AS FROM t');
    await run('CREATE TEMP TABLE "A ""table""" (x INTEGER)');
    await run('CREATE TEMP VIEW "Eine Sicht" AS FROM t');
    await createView('quern_1', 'SELECT 1 AS x');
    await createTable('quern_2', 'SELECT random() AS x');
    expect(await list()).toEqual(['table A "table"', 'table quern_2', 'view Eine Sicht', 'view quern_1']);
  });

  it('are dropped with any names, and other objects are not', async () => {
    const { run, createView, list, dropTemporary } = await openSession();
    await run('CREATE TABLE t AS SELECT 5 AS x');
    await run('CREATE TEMP TABLE t AS SELECT 6 AS x');
    await run('CREATE TEMP TABLE "A ""table""; DROP TABLE t" (x INTEGER)');
    await run('CREATE TEMP VIEW "eine Sicht" AS FROM t');
    await createView('quern_1', 'FROM t');
    await dropTemporary();
    expect(await list()).toEqual([]);
    expect(await run('FROM t')).toEqual([[5]]);
  });

  it('belong to one session', async () => {
    const [one, other] = [await openSession(), await openSession()];
    await one.createTable('quern_1', 'SELECT 1 AS x');
    expect(await other.list()).toEqual([]);
  });

  it('are removed by the rollback of their transaction', async () => {
    const { run, createTable, list } = await openSession();
    await run('BEGIN');
    await createTable('quern_1', 'SELECT random() AS x');
    await run('ROLLBACK');
    expect(await list()).toEqual([]);
    await createTable('quern_1', 'SELECT random() AS x');
    expect(await list()).toEqual(['table quern_1']);
  });
});
