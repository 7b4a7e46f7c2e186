import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_TOKENS } from '../../../../../src/engine/connection/duckdb/gate/tokens.ts';
import { share } from '../../../../support/rotation.ts';
import { judge, makeGate } from './judge.ts';

describe('the statement gate', () => {
  it.each([
    'SELECT 1',
    '  -- first\n/* second /* third */ */ select 1',
    '(SELECT 1) UNION (SELECT 2)',
    '((VALUES (1)))',
    'FROM t',
    'TABLE t',
    "VALUES ('COPY')",
    'WITH a AS (SELECT 1) INSERT INTO t FROM a',
    'WITH a AS (SELECT 1) UPDATE t SET x = 1',
    'PIVOT t ON a USING sum(b)',
    'UNPIVOT t ON a, b',
    'DESCRIBE t',
    'DESC (SELECT 1)',
    'SHOW ALL TABLES',
    'SHOW TABLES FROM main',
    'SUMMARIZE t',
    "INSERT INTO t VALUES ('x', 'y.csv')",
    "UPDATE t SET a = 'x.csv', b = 'y.csv' WHERE c IN ('a.csv', 'b.csv')",
    "DELETE FROM t WHERE a = 'x.csv' RETURNING a, 'y.csv'",
    "MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET a = 'x.csv', b = 'y.csv'",
    'CREATE TABLE t (a INTEGER)',
    'CREATE OR REPLACE TEMP TABLE t AS SELECT 1',
    'CREATE TABLE "sales.csv" (a INTEGER)',
    'CREATE OR REPLACE VIEW v AS SELECT 1',
    'CREATE RECURSIVE VIEW v(n) AS SELECT 1',
    'CREATE SCHEMA IF NOT EXISTS s',
    'CREATE SEQUENCE s',
    "CREATE TYPE mood AS ENUM ('a')",
    'CREATE TEMP MACRO m(a) AS extract(year FROM a)',
    'CREATE FUNCTION m(a) AS TABLE SELECT a',
    'CREATE UNIQUE INDEX i ON t(a)',
    'ALTER TABLE t ADD COLUMN x INTEGER',
    'ALTER VIEW v RENAME TO w',
    'DROP TABLE IF EXISTS t',
    'DROP MACRO TABLE m',
    'DROP INDEX i',
    'BEGIN',
    'START TRANSACTION',
    'COMMIT',
    'END',
    'ROLLBACK',
    'ABORT',
    'USE main',
    'SET VARIABLE x = (SELECT 1)',
    'ANALYZE',
    'EXPLAIN SELECT 1',
    'EXPLAIN ANALYZE INSERT INTO t VALUES (1)',
    'EXPLAIN (FORMAT json) SELECT 1',
    'EXPLAIN (SELECT 1) UNION SELECT 2',
    "SELECT query, copy, load, 'COPY t TO x' FROM t AS attach",
    "SELECT histogram(a), glob, x GLOB 'a*.csv' FROM t",
    "SELECT a IS DISTINCT FROM 'x.csv', trim(both 'a' FROM 'b.csv'), substring('x.csv' FROM 2) FROM t",
    "SELECT string_agg(a, 'x.csv' ORDER BY b), [1, 2], {'k': 'v.csv'} FROM t GROUP BY ALL",
    "FROM t SELECT 'a.csv', 'b.csv' ORDER BY 1 DESC, 2",
    "SELECT 'a.csv' FROM t JOIN u USING (a) ORDER BY a, 'x.csv'",
    'SELECT * FROM "sales.csv"',
    'SELECT * FROM main.db',
    'SELECT * FROM raw.json, s."data.parquet"',
    '',
    '-- nothing',
    "SELECT\u00a0'one', '\u00a0' -- \u2003\nFROM\u2003t",
  ])('accepts %j', (sql) => {
    expect(judge(sql)).toBeNull();
  });

  it.each([
    ["COPY t TO 'x'", 'COPY is not allowed on a server: publish', 0],
    ["  cOpY\u00a0t TO 'x'", 'COPY is not allowed', 2],
    ["/* a */ -- b\nCOPY t TO 'x'", 'COPY is not allowed', 13],
    ["EXPLAIN COPY t TO 'x'", 'COPY is not allowed', 8],
    ["EXPLAIN ANALYZE COPY t TO 'x'", 'COPY is not allowed', 16],
    ["EXPLAIN/**/ANALYZE--\nCOPY t TO 'x'", 'COPY is not allowed', 21],
    ["EXPLAIN (ANALYZE, FORMAT json) COPY t TO 'x'", 'COPY is not allowed', 31],
    ["EXPLAIN (VALUES json) COPY t TO 'x'", 'COPY is not allowed', 22],
    ["EXPLAIN EXPLAIN COPY t TO 'x'", 'COPY is not allowed', 16],
    ["EXPLAIN (COPY t TO 'x')", 'only a query is allowed here', 9],
    ["(COPY t TO 'x')", 'only a query is allowed here', 1],
    ["SELECT 1; COPY t TO 'x'", 'a statement ends here', 8],
    ['SELECT 1;', 'a statement ends here', 8],
    ["PREPARE p AS COPY t TO 'x'", 'PREPARE is not allowed', 0],
    ['EXECUTE p', 'EXECUTE is not allowed', 0],
    ["ATTACH 'x'", 'ATTACH is not allowed on a server: add the other database', 0],
    ['CALL enable_logging()', 'CALL is not allowed', 0],
    ['PRAGMA enable_profiling', 'PRAGMA is not allowed', 0],
    ['SET threads = 1', 'SET is not allowed', 0],
    ["SET TIME ZONE 'UTC'", 'time zone', 0],
    ["SET GLOBAL TimeZone = 'UTC'", 'time zone', 0],
    ['SET VARIABLE = 1', 'SET is not allowed', 0],
    ['RESET VARIABLE x', 'RESET is not allowed', 0],
    ['CREATE SECRET s (TYPE http)', 'CREATE SECRET is not allowed', 0],
    ['CREATE OR REPLACE PERSISTENT SECRET s (TYPE http)', 'CREATE SECRET is not allowed', 0],
    ['CREATE TEMPORARY SECRET IF NOT EXISTS s (TYPE http)', 'CREATE SECRET is not allowed', 0],
    ['CREATE "TABLE" t', 'CREATE TABLE is not allowed', 0],
    ['DROP PERSISTENT SECRET s', 'DROP SECRET is not allowed', 0],
    ['ALTER DATABASE d SET ALIAS TO e', 'ALTER DATABASE is not allowed', 0],
    ['CREATE', 'CREATE is not allowed', 0],
    ['UPDATE EXTENSIONS', 'UPDATE EXTENSIONS is not allowed', 0],
    ['UPDATE EXTENSIONS (httpfs)', 'UPDATE EXTENSIONS is not allowed', 0],
    ['TRUNCATE t', 'TRUNCATE is not allowed on a server: DELETE FROM', 0],
    ["COMMENT ON TABLE t IS 'x'", 'COMMENT is not allowed on a server', 0],
    ['SELEC 1', 'a server supports no statement that starts with `SELEC`; did you mean `SELECT`?', 0],
    ['constructor 1', 'a server supports no statement that starts with `constructor`', 0],
    ['__proto__', 'a server supports no statement that starts with `__proto__`', 0],
    ['1', 'starts with `1`', 0],
    ['"SELECT" 1', 'starts with `SELECT`', 0],
    ["SELECT $\u00a0$ ' $\u00a0$, * FROM read_text('/x') --'", 'write a plain space', 8],
    ["SELECT /*'*/ 1 FROM t GROUP\u2003BY, '/x.csv' --'", 'write a plain space', 27],
    ["SELECT E'\\'' FROM t GROUP\u00a0BY, '/x.csv'", 'write a plain space', 25],
    ['SELECT (1', 'is not closed or not opened', 7],
    ['SELECT 1)', 'is not closed or not opened', 8],
    ['SELECT (1]', 'is not closed or not opened', 9],
    ["SELECT 'a", 'is not closed or not opened', 7],
    ['SELECT /* /* */ 1', 'is not closed or not opened', 7],
    ['SELECT $a$ 1', 'is not closed or not opened', 7],
  ] as const)('refuses %j', (sql, message, offset) => {
    const error = judge(sql);
    expect(error?.message).toContain(message);
    expect(error).toMatchObject({ code: 'gate', offset });
  });

  it.each([
    ["FROM query('SELECT 1')", 5],
    ["FROM QUERY ('SELECT 1')", 5],
    ["FROM query/* */(\n'SELECT 1')", 5],
    [`FROM "query"('SELECT 1')`, 5],
    [`FROM main."Query"('SELECT 1')`, 10],
    [`SELECT 'x'.write_log()`, 11],
    [`SELECT list_transform([1], x -> write_log('x'))`, 32],
    ['CREATE MACRO m(s) AS TABLE FROM query(s)', 32],
    ["CREATE VIEW v AS FROM query('SELECT 1')", 22],
    ["CREATE TABLE t (a VARCHAR DEFAULT write_log('x'))", 34],
    ['WITH a AS (FROM enable_logging()) FROM a', 16],
    ['SELECT 1 WHERE EXISTS (FROM duckdb_logs)', 28],
    ['SELECT * FROM t, LATERAL (FROM histogram(t, a))', 31],
    ['FROM system.main.histogram(t, a)', 5],
    ["SELECT * FROM (histogram('t', a) h JOIN t ON true)", 15],
    ['SELECT * FROM t, ONLY histogram(t, a)', 22],
    ['SELECT * FROM h: histogram(t, a)', 17],
  ] as const)('refuses the function in %j', (sql, offset) => {
    expect(judge(sql)).toMatchObject({ code: 'gate', offset });
  });

  it('allows reads only in one folder, by a plain string', () => {
    const { home, files, check } = makeGate();
    symlinkSync(path.join(home, 'secret.csv'), path.join(files, 'sub/link.csv'));
    symlinkSync('q.json', path.join(files, 'inside.json'));
    mkdirSync(path.join(files, 'plain'));
    const passing = [
      "FROM 'a.csv'",
      "FROM './sub/b.csv'",
      `FROM '${files}/a.csv'`,
      `FROM '${files}/*.csv'`,
      "FROM '*.csv'",
      "FROM 'plain/[ab]?.csv'",
      "FROM 'inside.json'",
      'FROM "a.csv", a.csv',
      "FROM read_csv('a.csv', header = true, columns = {'x': 'INTEGER'})",
      "FROM read_csv(['a.csv', 'sub/b.csv'], union_by_name := true)",
      "SELECT * FROM glob('plain/*')",
      "CREATE VIEW v AS FROM read_text('a.csv')",
      'SUMMARIZE "a.csv"',
    ];
    expect(passing.map(check).filter((message) => message !== null)).toEqual([]);
    const outside = [
      `'${home}/secret.csv'`,
      `'${home}/staging/x.csv'`,
      `'${home}/files2/x.csv'`,
      `'../secret.csv'`,
      `'${files}/../secret.csv'`,
      `'sub/../../secret.csv'`,
      `'sub/link.csv'`,
      `'s*/*.csv'`,
      `'**/*.csv'`,
      `'file:a.csv'`,
      `'file://${files}/a.csv'`,
      `'https://example.org/a.csv'`,
      `'s3://a/b.csv'`,
      `'~/a.csv'`,
      `"${home}/secret.csv"`,
      `"../secret"."csv"`,
    ];
    const texts = outside.flatMap((name) => [
      `FROM ${name}`,
      ...(name.startsWith("'") ? [`FROM read_csv(${name})`, `FROM read_csv(['a.csv', ${name}])`] : []),
    ]);
    expect(texts.filter((sql) => !check(sql)?.includes('only reads files in its file folder'))).toEqual([]);
  });

  it.each([
    "read_csv('a' || '.csv')",
    "read_csv('a'\n'.csv')",
    "read_csv(E'a.csv')",
    'read_csv($$a.csv$$)',
    "read_csv(('a.csv'))",
    "read_csv('a.csv'::VARCHAR)",
    "read_csv(getvariable('x'))",
    "read_csv(['a.csv'] || ['b.csv'])",
    "read_csv(['a.csv', x])",
    "read_csv(list_value('a.csv'))",
    'read_csv([])',
    'read_csv()',
    "read_csv(path := 'a.csv')",
    "'a.csv'.read_csv()",
    '(SELECT * FROM "READ_CSV"(lower(\'a.csv\')))',
  ])('requires one plain string in FROM %s', (call) => {
    const { check } = makeGate();
    expect(check(`SELECT * FROM ${call}`)).toMatch(/a string literal/);
  });

  // A string instead of a table name is the path of a file.
  it.each([
    'FROM %',
    'FROM t, %',
    'FROM t AS a(b, c), %',
    "FROM t AS 'a', %",
    'FROM t JOIN %',
    'FROM t POSITIONAL JOIN %',
    'FROM (t JOIN % ON true)',
    'FROM (% a JOIN t ON true)',
    'FROM (FROM %)',
    'FROM ONLY %',
    'FROM ONLY (%)',
    'FROM a: %',
    'FROM t, a: %',
    'FROM main.group, %',
    'FROM t set, %',
    'FROM t JOIN u ON 1::UNION(a INTEGER) IS NULL, %',
    'FROM t JOIN u ON CASE WHEN a THEN b END, %',
    'FROM t JOIN u ON a IS DISTINCT FROM b, %',
    'FROM VALUES (1) v, %',
    'FROM range(1), %',
    'SELECT 1 FROM t ANTI JOIN %',
    'SELECT (SELECT 1 FROM %)',
    'SELECT array(FROM %)',
    'SELECT trim((SELECT a FROM %) FROM b)',
    'INSERT INTO trim (SELECT a FROM %)',
    'INSERT INTO trim ((SELECT 1) UNION FROM %)',
    'INSERT INTO t AS substring (SELECT a FROM %)',
    'INSERT INTO t FROM %',
    'TABLE %',
    '(TABLE %)',
    'SELECT 1 UNION TABLE %',
    'CREATE TABLE t AS TABLE %',
    'CREATE MACRO m() AS TABLE FROM %',
    'CREATE TYPE e AS ENUM (FROM %)',
    'WITH a AS (FROM %) FROM a',
    'DESCRIBE %',
    'DESC TABLE %',
    'SUMMARIZE %',
    'SHOW %',
    'FROM (SUMMARIZE %)',
    'PIVOT % ON a USING sum(b)',
    'UNPIVOT % ON a',
    'DELETE FROM t USING %',
    'DELETE FROM t USING u, %',
    'UPDATE t SET a = 1 FROM %',
    'MERGE INTO t USING % ON true WHEN MATCHED THEN DELETE',
    'EXPLAIN ANALYZE FROM %',
  ])('finds the file in %j', (sql) => {
    const { home, check } = makeGate();
    const secret = `${home}/secret.csv`;
    for (const name of [`'${secret}'`, `"${secret}"`, `"${home}/secret"."csv"`]) {
      expect(check(sql.replace('%', name)), name).toMatch(/in its file folder, and/);
    }
    expect(check(sql.replace('%', "'a.csv'"))).toBeNull();
    expect(check(sql.replace('%', "'a.'\n'csv'"))).toMatch(/a string literal/);
  });

  it('does not open a file as a database', () => {
    const { home, check } = makeGate();
    const main = `${home}/db/main`;
    for (const name of [
      `'${main}.duckdb'`,
      `"${main}.duckdb"`,
      `"${main}"."duckdb"`,
      "'x.db'",
      "'x.csv.ddb'",
    ]) {
      expect(check(`FROM ${name}`), name).toMatch(/is a database/);
    }
  });

  it('refuses a statement with too many tokens', () => {
    const most = judge(`SELECT ${',1'.repeat((MAX_TOKENS - 2) / 2)}1`);
    const error = judge(`SELECT 1${',1'.repeat(MAX_TOKENS / 2)}`);
    expect([most, error?.message]).toEqual([
      null,
      'a statement on a server may not have more than 4,000,000 tokens: split it, or load the data from a file',
    ]);
  });

  it('throws only its own errors, for any text', () => {
    const words =
      `EXPLAIN ( ) [ ] { } , . : ; :: SELECT FROM trim read_csv query 'a' "b" $$ $x$ -- /* */ \n E' U& TABLE
      USING JOIN WITH SET VARIABLE CREATE histogram \u2003 \ud800 1 1e ?`.split(/ /);
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(text, (sql) => {
        const error = judge(sql);
        if (error === null) return;
        expect(error.code).toBe('gate');
        expect(error.offset).toBeGreaterThanOrEqual(0);
        expect(error.offset).toBeLessThanOrEqual(sql.length);
      }),
      { numRuns: share(5000) },
    );
    for (const deep of ['EXPLAIN '.repeat(1e5), '('.repeat(1e5), `${'('.repeat(1e5)}${')'.repeat(1e5)}`]) {
      expect(judge(`${deep}COPY t TO 'x'`)?.code).toBe('gate');
    }
  });
});
