import { describe, expect, it } from 'vitest';
import { judge, makeGate } from './judge.ts';

describe('the statement gate', () => {
  it('refuses stored objects that use refused functions or files', () => {
    const stored = [
      { name: 'good', sql: 'CREATE VIEW good AS SELECT * FROM t;' },
      { name: 'Bad', sql: "CREATE VIEW Bad AS SELECT * FROM read_csv('/etc/passwd');" },
      { name: 'worse', sql: 'CREATE VIEW worse AS SELECT * FROM "BAD";' },
      { name: 'run', sql: 'SELECT * FROM query(s)' },
      { name: 'noted', sql: "CREATE TABLE noted(a VARCHAR DEFAULT(write_log('x')));" },
    ];
    expect(judge('SELECT * FROM good', stored)).toBeNull();
    expect(judge('DROP VIEW worse', stored)).toBeNull();
    const expected = '`worse` is not allowed on a server, because of its definition: `BAD` is not allowed';
    expect(judge('SELECT * FROM worse', stored)?.message).toContain(expected);
    expect(judge('SELECT * FROM main."bad"', stored)?.message).toContain('in its file folder, and');
    expect(judge("FROM run('SELECT 1')", stored)?.message).toContain('the function query');
    expect(judge('INSERT INTO noted DEFAULT VALUES', stored)?.message).toContain('write_log');
    expect(judge('UPDATE noted SET a = 1', stored)?.message).toContain('write_log');
    expect(judge('MERGE INTO noted USING t ON true WHEN MATCHED THEN DELETE', stored)?.code).toBe('gate');
  });

  it('refuses a stored object by its name where it is used, and accepts the name elsewhere', () => {
    const words = ['from', 'select', 'bad', 'x'];
    const stored = words.map((name) => ({ name, sql: `CREATE VIEW "${name}" AS FROM query('SELECT 1');` }));
    for (const sql of [
      'SELECT x FROM t',
      'SELECT 1 AS bad, t.bad FROM t AS x',
      'WITH n(bad) AS (SELECT 1) SELECT x.bad FROM n AS x ORDER BY bad',
      'CREATE TABLE u (bad INTEGER, "from" INTEGER)',
      "SELECT 'bad', {'bad': 1}.bad, extract(year FROM d) FROM t",
    ]) {
      expect(judge(sql, stored), sql).toBeNull();
    }
    for (const sql of [
      'FROM "from"',
      'SELECT 1 FROM t, BAD',
      'SELECT (FROM s.bad)',
      'DESCRIBE "select"',
      'TABLE x',
    ]) {
      expect(judge(sql, stored)?.message, sql).toContain('because of its definition');
    }
  });

  it('allows lists of files in stored views, which the engine writes as calls', () => {
    const { files } = makeGate();
    const stored = [
      {
        name: 'two',
        sql: "CREATE VIEW two AS SELECT * FROM read_csv(main.list_value('a.csv', 'sub/b.csv'), x := 1);",
      },
      { name: 'none', sql: `CREATE VIEW "none" AS SELECT * FROM "glob"(main.list_value('*.nothing'));` },
      {
        name: 'out',
        sql: "CREATE VIEW out AS SELECT * FROM read_csv(main.list_value('a.csv', '/etc/passwd'));",
      },
    ];
    expect(judge('FROM two, "none"', stored, files)).toBeNull();
    expect(judge('FROM out', stored, files)?.message).toContain('`/etc/passwd` is outside');
    expect(judge("FROM read_csv(main.list_value('a.csv'))", [], files)?.message).toContain(
      'a string literal',
    );
  });

  it('finds files in the places of table names', () => {
    for (const sql of [
      "INSERT INTO temp TABLE '/etc/passwd'",
      "INSERT INTO local TABLE '/etc/passwd'",
      "INSERT INTO t AS global TABLE '/etc/passwd'",
      "INSERT INTO '/etc/passwd' VALUES (1)",
      "ANALYZE '/etc/passwd'",
      "UPDATE '/etc/passwd' SET x = 1",
      "EXPLAIN ANALYZE UPDATE '/etc/passwd' SET x = 1",
      "MERGE INTO '/etc/passwd' USING t ON true WHEN MATCHED THEN DELETE",
    ]) {
      expect(judge(sql)?.message, sql).toContain('`/etc/passwd` is outside');
    }
    for (const sql of [
      'CREATE OR REPLACE TEMP TABLE "x.csv" (a INTEGER)',
      'EXPLAIN (FORMAT json) DROP TABLE "/x.csv"',
    ]) {
      expect(judge(sql), sql).toBeNull();
    }
  });

  it('does not reveal the machine', () => {
    for (const sql of [
      'FROM duckdb_databases()',
      'FROM duckdb_databases',
      'FROM duckdb_settings()',
      'FROM pg_catalog.pg_settings',
      'FROM pragma_database_list',
      "SELECT current_setting('temp_directory')",
      "SELECT main.current_setting('Secret_Directory')",
      "SELECT current_setting('temp' || '_directory')",
      "SELECT current_setting(E'temp_directory')",
    ]) {
      expect(judge(sql)?.code, sql).toBe('gate');
    }
    expect(judge("SELECT current_setting('TimeZone'), pg_settings FROM t")).toBeNull();
  });
});
