import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { CAPABILITIES } from '../conformance/capabilities.ts';
import { describeDriver } from '../conformance/describe-driver.ts';
import { STANDARD_STATEMENTS } from '../conformance/driver-under-test.ts';
import { duckdbTypes } from './types.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'quern-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeDriver('DuckDB', {
  load: () => loadDriver('duckdb'),
  spec: (overrides = {}) => ({
    name: 'test',
    kind: 'duckdb',
    options: { file: path.join(folder, 'suite.duckdb') },
    overrides,
  }),
  can: CAPABILITIES.DuckDB,
  sql: {
    rows: (count) => `SELECT i FROM range(${count}) t(i)`,
    wide: (count) => `SELECT repeat('x', 200) AS s FROM range(${count})`,
    failing: (count, at) =>
      `SELECT CASE WHEN i = ${at} THEN error('boom') ELSE i END AS i FROM range(${count}) t(i)`,
    slow: 'SELECT sum(hash(a * b)) AS i FROM range(10000000) x(a), range(10000000) y(b)',
    slowAfterRows: 'SELECT i FROM range(1000000000000) t(i) WHERE i < 1000000 OR hash(i) = 0',
    endless: 'SELECT i FROM range(1000000000000) t(i)',
    begin: 'BEGIN',
    rollback: 'ROLLBACK',
    unknownColumn: { sql: "SELECT 'é', nothing FROM range(3)", offset: 12, name: 'nothing' },
    currentSchema: 'SELECT current_schema()',
    setting: { change: 'SET VARIABLE x = 7', show: "SELECT getvariable('x')" },
    chance: 'random()',
    createTemporary: (name) => `CREATE TEMPORARY TABLE ${name} AS SELECT 1 AS x`,
  },
  schema: 'a_schema',
  done: [
    ...STANDARD_STATEMENTS,
    [`COPY t TO '${path.join(folder, 'out.csv')}'`, 1],
    ['MERGE INTO t USING (SELECT 1 AS a) s ON t.a = s.a WHEN MATCHED THEN UPDATE SET b = s.a', 1],
    ['SET threads = 2', 0],
    ['RESET threads', 0],
    ['SET VARIABLE x = 3', 0],
    ['BEGIN', 0],
    ['COMMIT', 0],
    ['CHECKPOINT', 0],
    ['VACUUM', 0],
    ['ANALYZE', 0],
    ["ATTACH ':memory:' AS other", 0],
    ['USE suite.main', 0],
    ['DETACH other', 0],
    ['PREPARE q AS SELECT 1', 0],
    ['PRAGMA enable_object_cache', 0],
    ['LOAD json', 0],
  ],
  rows: [
    ['SELECT * FROM t WHERE false', 0],
    ['FROM t', 1],
    ['VALUES (1), (2)', 2],
    ['TABLE t', 1],
    ['WITH x AS (SELECT 1) SELECT * FROM x', 1],
    ["INSERT INTO t VALUES (3, 'x') RETURNING *", 1],
    ["UPDATE t SET b = 'q' RETURNING a", 2],
    ['DELETE FROM t WHERE a = 3 RETURNING a', 1],
    ['EXPLAIN SELECT 1', 1],
    ['EXPLAIN ANALYZE SELECT 1', 1],
    ['DESCRIBE t', 2],
    ['SUMMARIZE t', 2],
    ['SHOW TABLES', 3],
    ["PRAGMA table_info('t')", 2],
    ['CALL pragma_version()', 1],
    ['EXECUTE q', 1],
    ['PIVOT t ON b USING sum(a)', 1],
    [`COPY (SELECT 1) TO '${path.join(folder, 'out.csv')}' (RETURN_FILES)`, 1],
    ['DROP TABLE t; DROP TABLE u; DROP VIEW v; SELECT 1', 1],
  ],
  types: duckdbTypes,
});
