import fc from 'fast-check';
import type { ReadRules } from '../../../../src/engine/connection/contract/connection.ts';

/** Parts of the protection that a test switches off. */
export type Guards = Partial<Pick<ReadRules, 'find' | 'transaction'>>;

/** No list: the database alone decides. */
const UNLISTED: Guards = {
  *find() {
    yield* [];
    return null;
  },
};
/** No transactions: the list alone decides. */
const UNHELD: Guards = { transaction: null };

/** The statements of a kind of database that write something, and texts that only read. */
export interface Grammar {
  /** Creates the objects that the statements name: the table `t` (a, b), the view `v`, the sequence `s`. */
  readonly setup: readonly string[];
  /** Statements that change something. */
  readonly writes: readonly string[];
  /** Texts around a statement under which the database still runs it, or a part of it. */
  readonly frames: readonly ((statement: string) => string)[];
  readonly reads: readonly string[];
  /** What gets in without a part of the protection. */
  readonly guards: readonly (readonly [guard: string, off: Guards, attack: readonly string[]])[];
  /** What statements could change, as queries. */
  readonly state: readonly string[];
}

const ROWS = [
  'INSERT INTO t VALUES (2, 3)',
  'INSERT INTO t SELECT a, b FROM t',
  'UPDATE t SET b = b + 1',
  'DELETE FROM t',
  'DELETE FROM t WHERE a = 1',
];
const DEFINITIONS = [
  'CREATE TABLE made (x INT)',
  'CREATE TABLE made AS SELECT 1 AS x',
  'CREATE VIEW made AS SELECT 1 AS x',
  'CREATE OR REPLACE VIEW v AS SELECT 1 AS x',
  'CREATE SCHEMA made',
  'CREATE INDEX made ON t (a)',
  'DROP TABLE t',
  'DROP TABLE IF EXISTS t',
  'DROP VIEW v',
  'ALTER TABLE t ADD COLUMN c INT',
  'ALTER TABLE t RENAME TO u',
  'TRUNCATE TABLE t',
];

const FRAMES: Grammar['frames'] = [
  (statement) => statement,
  (statement) => `  \n\t${statement}`,
  (statement) => `/* SELECT */ ${statement}`,
  (statement) => `-- SELECT 1\n${statement}`,
  (statement) => statement.toLowerCase(),
  (statement) => statement.replace(/[A-Z]+/g, (word) => word[0] + word.slice(1).toLowerCase()),
  (statement) => `SELECT 1; ${statement}`,
  (statement) => `${statement}; SELECT 1`,
  (statement) => `COMMIT; ${statement}`,
  (statement) => `ROLLBACK; BEGIN; ${statement}; COMMIT`,
  (statement) => `SELECT ';' ; ${statement}`,
  (statement) => `SELECT '\\'; ${statement}; -- '`,
  (statement) => `SELECT 'a''; ${statement}; -- '`,
  (statement) => `SELECT "a"; ${statement}`,
  (statement) => `EXPLAIN ${statement}`,
  (statement) => `EXPLAIN ANALYZE ${statement}`,
  (statement) => `(${statement})`,
  (statement) => `WITH x AS (SELECT 1 AS a) ${statement}`,
  (statement) => `WITH x AS (${statement}) SELECT * FROM x`,
  (statement) => `SELECT 1 /* ; */ ; ${statement} -- ;`,
  (statement) => `${statement};`,
];

const READS = [
  'SELECT a, b FROM t',
  'SELECT a AS "insert", b AS "update" FROM t WHERE a = 1',
  'WITH x AS (SELECT a FROM t) SELECT * FROM x',
  "SELECT 'DROP TABLE t; DELETE FROM t' AS s",
  '(SELECT a FROM t) UNION ALL (SELECT b FROM t)',
  '/* a comment */ SELECT a FROM v -- another',
  'SELECT count(*) FROM t GROUP BY a HAVING count(*) > 0 ORDER BY a LIMIT 1',
  'EXPLAIN SELECT a FROM t',
  'BEGIN',
  'START TRANSACTION',
  'COMMIT',
  'ROLLBACK',
];

export const DUCKDB: Grammar = {
  setup: [
    'CREATE OR REPLACE TABLE t AS SELECT 1 AS a, 2 AS b',
    'CREATE OR REPLACE VIEW v AS SELECT a FROM t',
    'CREATE OR REPLACE SEQUENCE s',
  ],
  writes: [
    ...ROWS,
    ...DEFINITIONS,
    'INSERT INTO t VALUES (1, 1) RETURNING a',
    'MERGE INTO t USING (SELECT 1 AS a) x ON t.a = x.a WHEN MATCHED THEN DELETE',
    'CREATE SEQUENCE made',
    'CREATE MACRO made() AS 1',
    "CREATE TYPE made AS ENUM ('a')",
    "SELECT nextval('s')",
    "COMMENT ON TABLE t IS 'x'",
    "COPY t FROM '/dev/null'",
    "EXPORT DATABASE '/tmp/quern-never'",
    "ATTACH ':memory:' AS other",
    'PRAGMA threads = 1',
    'SET GLOBAL threads = 1',
  ],
  frames: [
    ...FRAMES,
    (statement) => `SELECT $$;$$; ${statement}`,
    (statement) => `SELECT E'\\'; ${statement} --'`,
  ],
  reads: [
    ...READS,
    'FROM t',
    'VALUES (1), (2)',
    'DESCRIBE t',
    'SUMMARIZE t',
    'SHOW TABLES',
    'PIVOT t ON a USING sum(b)',
    'EXPLAIN ANALYZE SELECT a FROM t',
    'CREATE TEMP TABLE own AS SELECT a FROM t',
    'INSERT INTO own VALUES (7)',
    'FROM own',
    'DROP TABLE own',
    'SET VARIABLE x = 1',
    'BEGIN TRANSACTION READ ONLY',
  ],
  guards: [
    ['list', UNLISTED, ["ATTACH ':memory:' AS other"]],
    ['transaction', UNHELD, ["SELECT nextval('s')", 'DELETE FROM t']],
  ],
  state: [
    'SELECT * FROM t ORDER BY ALL',
    'SELECT schema_name FROM duckdb_schemas() WHERE NOT internal ORDER BY ALL',
    'SELECT table_name, sql, comment FROM duckdb_tables() WHERE NOT temporary ORDER BY ALL',
    'SELECT view_name, sql FROM duckdb_views() WHERE NOT internal AND NOT temporary ORDER BY ALL',
    'SELECT sequence_name, last_value FROM duckdb_sequences() ORDER BY ALL',
    'SELECT index_name FROM duckdb_indexes() ORDER BY ALL',
    'SELECT function_name FROM duckdb_functions() WHERE NOT internal ORDER BY ALL',
    'SELECT type_name FROM duckdb_types() WHERE NOT internal ORDER BY ALL',
    'SELECT database_name FROM duckdb_databases() WHERE NOT internal ORDER BY ALL',
  ],
};

/** A transaction that only reads lets it through. */
const COPY = "COPY (SELECT 1) TO PROGRAM 'cat > quern_made'";

export const POSTGRESQL: Grammar = {
  setup: [
    "COPY (SELECT 1) TO PROGRAM 'rm -f quern_made'",
    'DROP SCHEMA IF EXISTS made CASCADE',
    'DROP TABLE IF EXISTS t, u, made CASCADE',
    'CREATE TABLE t AS SELECT 1 AS a, 2 AS b',
    'CREATE VIEW v AS SELECT a FROM t',
    'CREATE SEQUENCE IF NOT EXISTS s',
    'CREATE OR REPLACE FUNCTION writes() RETURNS int LANGUAGE sql AS $$ DELETE FROM t; SELECT 1 $$',
    'CREATE OR REPLACE PROCEDURE goes() LANGUAGE sql AS $$ DELETE FROM t $$',
  ],
  writes: [
    ...ROWS,
    ...DEFINITIONS,
    'INSERT INTO t VALUES (1, 1) RETURNING a',
    'MERGE INTO t USING (SELECT 1 AS a) x ON t.a = x.a WHEN MATCHED THEN DELETE',
    'CREATE SEQUENCE made',
    'CREATE TEMP TABLE made AS SELECT 1',
    "CREATE TYPE made AS ENUM ('a')",
    'CREATE ROLE made',
    "SELECT nextval('s')",
    "SELECT setval('s', 99)",
    'SELECT writes()',
    'CALL goes()',
    'DO $$ BEGIN DELETE FROM t; END $$',
    'SELECT a INTO made FROM t',
    'SELECT a FROM t FOR UPDATE',
    "COMMENT ON TABLE t IS 'x'",
    'GRANT SELECT ON t TO public',
    'PREPARE p AS DELETE FROM t',
    'LOCK TABLE t',
    'VACUUM t',
    'REINDEX TABLE t',
    'COPY t FROM STDIN',
    COPY,
    'SET ROLE postgres',
    'SET SESSION AUTHORIZATION postgres',
    'SET default_transaction_read_only = off',
    'SET TRANSACTION READ WRITE',
    'BEGIN READ WRITE',
    'SAVEPOINT x',
    "PREPARE TRANSACTION 'x'",
    'RESET ALL',
    'DISCARD ALL',
    'LISTEN x',
    'ALTER SYSTEM SET work_mem = 99',
  ],
  frames: [
    ...FRAMES,
    (statement) => `SELECT $$;$$; ${statement}`,
    (statement) => `SELECT $x$ $$ $x$; ${statement}`,
    (statement) => `SELECT E'\\''; ${statement}; --'`,
    (statement) => `/* /* */ */ ${statement}`,
    (statement) => `/* /* */ ${statement} */`,
    (statement) => `EXPLAIN (ANALYZE, VERBOSE) ${statement}`,
    (statement) => `SET standard_conforming_strings = off; ${statement}`,
    (statement) => `BEGIN READ WRITE; ${statement}; COMMIT`,
  ],
  reads: [
    ...READS,
    'VALUES (1), (2)',
    'TABLE t',
    'SHOW work_mem',
    "SET work_mem = '8MB'",
    "SET LOCAL work_mem = '8MB'",
    'RESET work_mem',
    "SET TIME ZONE 'UTC'",
    'EXPLAIN (ANALYZE, COSTS off) SELECT a FROM t',
    'BEGIN ISOLATION LEVEL SERIALIZABLE, READ ONLY',
    'START TRANSACTION READ ONLY',
    'END',
    'SELECT extract(year FROM now())',
  ],
  guards: [
    ['list', UNLISTED, [COPY]],
    ['transaction', UNHELD, ['SELECT writes()']],
  ],
  state: [
    'SELECT * FROM t ORDER BY a, b',
    "SELECT relname, relkind, relacl::text, obj_description(oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname",
    'SELECT nspname FROM pg_namespace WHERE nspname !~ $$^pg_(toast_)?temp$$ ORDER BY nspname',
    "SELECT attname FROM pg_attribute WHERE attrelid = 't'::regclass ORDER BY attnum",
    'SELECT last_value, is_called FROM s',
    "SELECT pg_stat_file('quern_made', true) IS NULL",
    'SELECT rolname FROM pg_roles ORDER BY rolname',
    "SELECT pg_get_viewdef('v'::regclass)",
    "SELECT count(*) FROM pg_type WHERE typnamespace = 'public'::regnamespace",
  ],
};

export const MARIADB: Grammar = {
  setup: [
    'DROP DATABASE IF EXISTS made',
    'DROP VIEW IF EXISTS v, made',
    'DROP TABLE IF EXISTS t, u, made',
    'CREATE TABLE t (a INT, b INT) ENGINE = InnoDB',
    'INSERT INTO t VALUES (1, 2)',
    'CREATE VIEW v AS SELECT a FROM t',
    'CREATE SEQUENCE IF NOT EXISTS s',
    'CREATE OR REPLACE FUNCTION writes() RETURNS INT MODIFIES SQL DATA BEGIN DELETE FROM t; RETURN 1; END',
    'CREATE OR REPLACE PROCEDURE goes() BEGIN DELETE FROM t; END',
  ],
  writes: [
    ...ROWS,
    ...DEFINITIONS,
    'REPLACE INTO t VALUES (1, 3)',
    'INSERT INTO t VALUES (1, 1) RETURNING a',
    'DELETE FROM t RETURNING a',
    'CREATE SEQUENCE made',
    'CREATE TEMPORARY TABLE made (x INT)',
    'CREATE DATABASE made',
    "CREATE USER made IDENTIFIED BY 'x'",
    'SELECT nextval(s)',
    'SELECT NEXT VALUE FOR s',
    'SELECT setval(s, 99)',
    'SELECT writes()',
    'CALL goes()',
    'BEGIN NOT ATOMIC DELETE FROM t; END',
    "SELECT a INTO OUTFILE '/tmp/quern-never' FROM t",
    "SELECT a INTO DUMPFILE '/tmp/quern-never' FROM t LIMIT 1",
    'SELECT a INTO @v FROM t LIMIT 1',
    'SELECT a FROM t FOR UPDATE',
    'SELECT a FROM t LOCK IN SHARE MODE',
    "SELECT GET_LOCK('x', 0)",
    'GRANT SELECT ON t TO quern',
    "PREPARE p FROM 'DELETE FROM t'",
    "EXECUTE IMMEDIATE 'DELETE FROM t'",
    'LOCK TABLES t WRITE',
    'OPTIMIZE TABLE t',
    'ANALYZE TABLE t',
    'ANALYZE DELETE FROM t',
    'RENAME TABLE t TO u',
    'HANDLER t OPEN',
    'FLUSH TABLES',
    'KILL 999999',
    'SET GLOBAL max_connections = 77',
    'SET @@global.max_connections = 77',
    "SET sql_mode = ''",
    "SET SESSION sql_mode = 'ANSI_QUOTES'",
    'SET autocommit = 0',
    'SET @x = 1, GLOBAL max_connections = 77',
    'SET NAMES gbk',
    'SET CHARACTER SET latin1',
    "SET PASSWORD = PASSWORD('x')",
    'SET STATEMENT max_statement_time = 1 FOR DELETE FROM t',
    'SET TRANSACTION READ WRITE',
    'START TRANSACTION READ WRITE',
    'SAVEPOINT x',
    "XA START 'x'",
    "LOAD DATA LOCAL INFILE '/dev/null' INTO TABLE t",
    'DO writes()',
  ],
  frames: [
    ...FRAMES,
    (statement) => `/*! ${statement} */`,
    (statement) => `/*!50000 ${statement} */`,
    (statement) => `/*M! ${statement} */`,
    (statement) => `SELECT 1 /*!; ${statement} */`,
    (statement) => `# SELECT\n${statement}`,
    (statement) => `SELECT "\\"; ${statement}; -- "`,
    (statement) => `SELECT 1 --x\n; ${statement}`,
    (statement) => `SELECT \`a\`; ${statement}`,
    (statement) => `DELIMITER //\n${statement} //`,
  ],
  reads: [
    ...READS,
    'SHOW TABLES',
    'SHOW CREATE TABLE t',
    'DESCRIBE t',
    'DESC t a',
    'EXPLAIN t',
    'EXPLAIN FORMAT=JSON SELECT a FROM t',
    'ANALYZE FORMAT=JSON SELECT a FROM t',
    'ANALYZE SELECT a FROM t',
    'VALUES (1), (2)',
    'SET @x = 1',
    'SET @x := 1, @y = 2',
    'SET SESSION max_statement_time = 10',
    'SET @@session.max_statement_time = 10',
    'SET @@max_statement_time = 0',
    "SELECT replace('a', 'a', 'b'), insert('abc', 1, 1, 'x')",
    'START TRANSACTION READ ONLY',
    'START TRANSACTION WITH CONSISTENT SNAPSHOT',
  ],
  guards: [
    ['list', UNLISTED, ['CREATE TABLE made (x INT)']],
    ['transaction', UNHELD, ['SELECT writes()']],
  ],
  state: [
    'SELECT * FROM t ORDER BY a, b',
    "SELECT table_schema, table_name, table_type, table_comment FROM information_schema.tables WHERE table_schema IN ('test', 'made') ORDER BY 1, 2",
    "SELECT column_name FROM information_schema.columns WHERE table_name = 't' AND table_schema = 'test' ORDER BY 1",
    'SELECT schema_name FROM information_schema.schemata ORDER BY 1',
    "SELECT view_definition FROM information_schema.views WHERE table_name = 'v'",
    'SELECT next_not_cached_value FROM s',
    "SELECT count(*) FROM information_schema.statistics WHERE table_name = 't'",
    'SELECT @@global.max_connections, @@session.sql_mode, @@autocommit',
    'SELECT user FROM mysql.user ORDER BY 1',
  ],
};

/** Statements that write, in random frames. */
export function anyAttack({ writes, frames }: Grammar): fc.Arbitrary<string> {
  const frame = fc.constantFrom(...frames);
  return fc
    .tuple(fc.constantFrom(...writes), frame, frame, fc.boolean())
    .map(([statement, inner, outer, isDeep]) => (isDeep ? outer(inner(statement)) : outer(statement)));
}
