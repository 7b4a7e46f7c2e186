import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { copyDatabase } from '../../../../../src/engine/connection/duckdb/copy/copy-database.ts';
import { never, query, readError } from '../../results.ts';
import { makeSandboxedHome } from './sandbox.ts';

describe('a session in a sandbox', () => {
  it('runs all harmless kinds of SQL', async () => {
    const { connect, home } = makeSandboxedHome();
    const session = await connect();
    const statements = [
      'CREATE TABLE t (a INTEGER, b VARCHAR, c DOUBLE DEFAULT random())',
      "INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y')",
      'CREATE VIEW v AS SELECT a + 1 AS b FROM t',
      "CREATE TYPE mood AS ENUM ('ok')",
      'CREATE SEQUENCE s',
      'CREATE MACRO plus(x, y) AS x + y',
      'CREATE MACRO upto(n) AS TABLE SELECT * FROM range(n)',
      'CREATE UNIQUE INDEX i ON t(a)',
      'ALTER TABLE t ADD COLUMN d mood',
      'UPDATE t SET b = upper(b) WHERE a = 2',
      'MERGE INTO t USING (SELECT 3 AS a) AS n ON t.a = n.a WHEN NOT MATCHED THEN INSERT (a) VALUES (n.a)',
      'WITH w AS (SELECT 4 AS a) INSERT INTO t (a) FROM w',
      'DELETE FROM t WHERE a = 4 RETURNING *',
      'ANALYZE',
      'BEGIN',
      'CREATE SCHEMA other',
      'ROLLBACK',
      'USE main_db.main',
      'SET VARIABLE n = (SELECT max(a) FROM t)',
      'PIVOT t ON b USING sum(a)',
      'CREATE TABLE wide AS PIVOT t ON b USING sum(a)',
      'INSERT INTO t (a) SELECT 9 FROM (PIVOT t ON b USING sum(a)) LIMIT 0',
      'UNPIVOT t ON a INTO NAME n VALUE v',
      'EXPLAIN ANALYZE SELECT * FROM v',
      'EXPLAIN (FORMAT json) PIVOT t ON b USING sum(a)',
      'SHOW ALL TABLES',
      'DESCRIBE t',
      'SUMMARIZE t',
      "SELECT current_setting('threads')",
      "FROM pragma_table_info('t')",
      'DROP VIEW v',
    ];
    for (const statement of statements) {
      await query(session, statement);
    }
    const rows = await query(
      session,
      `SELECT plus(getvariable('n'), (SELECT count(*) FROM upto(4))), b, x
       FROM t, '${home}/files/sub/*.csv' WHERE a = 2`,
    );
    expect(rows).toEqual([[7n, 'Y', 3n]]);
  });

  it('reads relative paths in the folder for files when it is the working directory', async () => {
    const { connect, sandbox } = makeSandboxedHome();
    const session = await connect();
    const before = process.cwd();
    process.chdir(sandbox.files);
    try {
      await query(session, "CREATE VIEW v AS FROM read_csv('sub/b.csv')");
      expect(await query(session, "SELECT * FROM 'a.csv' UNION ALL FROM v")).toEqual([
        [1n, 2n],
        [3n, 4n],
      ]);
    } finally {
      process.chdir(before);
    }
  });

  it('checks queries that become parts of generated statements', async () => {
    const { connect, home, list } = makeSandboxedHome();
    const session = await connect();
    const files = list();
    const target = { database: 'main_db', schema: 'main', name: 'p' };
    const { publishing, relations } = session;
    const queries = [
      "FROM query('SELECT 1')",
      `SELECT 1) TO '${home}/files/x.csv' (FORMAT csv); COPY (SELECT 1`,
      `SELECT 1) TO '${home}/files/x.csv' (FORMAT csv) --`,
      `SELECT 1) TO '${home}/db/main.duckdb' (FORMAT csv, NULLSTR $$`,
      'SELECT 1); DROP TABLE precious; SELECT (1',
      "COPY t TO 'x'",
      'EXPLAIN ANALYZE SELECT 1',
      'DROP TABLE precious',
      'SELECT 1 /*',
    ];
    await query(session, 'CREATE TABLE precious AS SELECT 1 AS a');
    const history = { key: ['a'], changes: null, time: '2026-01-01 00:00:00.000000' };
    for (const own of queries) {
      const file = path.join(home, 'staging/x');
      const works = [
        () => session.exportParquet(own, file, 10, never),
        () => publishing.writeFile(own, file, { type: 'parquet', compression: 'zstd' }, never),
        () => publishing.replaceTable(target, own, { primary: [], unique: [] }, never),
        () => publishing.replaceView(target, own, never),
        () => publishing.append(target, own, {}, never),
        () => publishing.merge(target, own, { key: ['a'], changes: null }, never),
        () => publishing.compareColumns(target, own, {}, never),
        () => publishing.startHistory(target, own, history, never),
        () => publishing.continueHistory(target, own, history, never),
        () => relations.createTable('x', own, never),
        () => relations.createView!('y', own, never),
        () => relations.nulls!.listColumns(own, never),
      ];
      for (const work of works) expect((await readError(work())).code, `${own} ${work}`).toBe('gate');
    }
    expect(list()).toEqual(files);
    expect(await query(session, 'FROM precious')).toEqual([[1]]);
  });

  it('lets generated statements write files in the allowed folders only', async () => {
    const { connect, home } = makeSandboxedHome();
    const session = await connect();
    const format = { type: 'parquet', compression: 'zstd' } as const;
    const staged = path.join(home, 'staging/x.parquet');
    await session.publishing.writeFile('SELECT 42 AS a', staged, format, never);
    expect(await session.exportParquet('FROM range(9)', path.join(home, 'staging/y'), 5, never)).toBe(5);
    await session.exportParquet('PIVOT (SELECT 1 AS a) ON a', path.join(home, 'staging/z'), 5, never);
    expect(readdirSync(path.join(home, 'staging')).sort()).toEqual(['x.parquet', 'y', 'z']);
    expect(readFileSync(staged).toString('latin1', 0, 4)).toBe('PAR1');
    const elsewhere = path.join(home, 'publish/x.parquet');
    const error = await readError(session.publishing.writeFile('SELECT 42', elsewhere, format, never));
    expect(error.message).toContain('disabled by configuration');
    expect(existsSync(elsewhere)).toBe(false);
  });

  it('refuses objects that were created without a gate', async () => {
    const { connect, connectFreely, home } = makeSandboxedHome();
    const free = await connectFreely();
    for (const statement of [
      'CREATE TABLE t AS SELECT 1 AS a',
      'CREATE VIEW good AS FROM t',
      `CREATE VIEW peek AS FROM read_csv('${home}/secret.csv')`,
      'CREATE VIEW over_peek AS SELECT * FROM peek',
      'CREATE MACRO run(s) AS TABLE FROM query(s)',
      "CREATE MACRO note(s) AS write_log('x')",
      "CREATE TABLE noted (a INTEGER, b VARCHAR DEFAULT write_log('x'))",
      'CREATE TABLE gone AS SELECT 1 AS a',
      'CREATE VIEW broken AS FROM gone',
      'DROP TABLE gone',
    ]) {
      await query(free, statement);
    }
    await free.close();
    const session = await connect();
    expect(await query(session, 'FROM good')).toEqual([[1]]);
    for (const statement of [
      'FROM peek',
      'SELECT * FROM main_db.main."OVER_PEEK"',
      "FROM run('FROM enable_logging()')",
      "SELECT note('x')",
      'INSERT INTO noted (a) VALUES (1)',
      'CREATE VIEW mine AS FROM peek',
    ]) {
      const error = await readError(session.run(statement, never));
      expect(error.code, statement).toBe('gate');
      expect(error.message).toContain('because of its definition');
    }
    await query(session, 'DROP VIEW over_peek');
    await query(session, 'DROP VIEW peek');
    // After a forbidden object is dropped, every session can create another one with its name.
    await query(session, 'CREATE VIEW peek AS FROM good');
    expect(await query(session, 'FROM peek')).toEqual([[1]]);
    expect(await query(await connect(), 'FROM peek')).toEqual([[1]]);
  });

  it("stores no view that the gate refuses later, also in the engine's notation", async () => {
    const { connect, home } = makeSandboxedHome();
    const first = await connect();
    const views = {
      from: `FROM glob(['${home}/files/*.nothing'])`,
      pair: `FROM read_csv(['${home}/files/a.csv', '${home}/files/sub/b.csv'])`,
      named: `FROM read_csv(['${home}/files/a.csv'], columns = {'x': 'INTEGER', 'y': 'INTEGER'}, nullstr = ['-', '.'])`,
      plain: `SELECT [x, y] AS pair, trim(BOTH FROM ' x ') AS t FROM '${home}/files/a.csv'`,
      piece: `FROM '${home}/files/a.csv' TABLESAMPLE 100%`,
      json: `SELECT q.x FROM read_json(['${home}/files/q.json']), '${home}/files/a.csv' AS q`,
    };
    for (const [name, sql] of Object.entries(views)) await query(first, `CREATE VIEW "${name}" AS ${sql}`);
    await query(first, 'CREATE MACRO files() AS TABLE FROM pair');
    await first.close();
    const session = await connect();
    for (const name of Object.keys(views)) await query(session, `FROM "${name}"`);
    expect(await query(session, 'SELECT count(*) FROM pair UNION ALL SELECT count(*) FROM files()')).toEqual([
      [2n],
      [2n],
    ]);
  });

  it('shows no setting that contains a path', async () => {
    const { connect, connectFreely, home } = makeSandboxedHome();
    const free = await connectFreely();
    const names = await query(free, 'SELECT name FROM duckdb_settings() ORDER BY 1');
    await free.close();
    const session = await connect();
    const shown: string[] = [];
    for (const [name] of names) {
      const rows = await query(session, `SELECT current_setting('${name}')::VARCHAR`).catch(() => null);
      if (rows === null) continue;
      shown.push(String(name));
      expect(String(rows[0]), String(name)).not.toContain(home);
    }
    expect(shown).toContain('threads');
    expect(shown.filter((name) => /director|file|proxy|secret|password|(?<!search)_path/.test(name))).toEqual(
      [],
    );
  });

  it('does not prevent backups', async () => {
    const { connect, file, home } = makeSandboxedHome();
    const session = await connect();
    await query(session, 'CREATE TABLE t AS SELECT 42 AS a');
    const target = path.join(home, 'copy.duckdb');
    await copyDatabase(file, target, never);
    const copy = await DuckDBInstance.create(target);
    const connection = await copy.connect();
    expect((await connection.runAndReadAll('FROM t')).getRows()).toEqual([[42]]);
    connection.closeSync();
    copy.closeSync();
    expect(readdirSync(home)).not.toContain('copy.duckdb.wal');
  });
});
