import { randomBytes } from 'node:crypto';
import { describe, it } from 'vitest';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { runOnCoordinator } from '../../../support/trino/cluster.ts';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { CAPABILITIES } from '../conformance/capabilities.ts';
import { describeDriver } from '../conformance/describe-driver.ts';
import { trinoTypes } from './types.ts';

/** Unused schemas of a cluster that may run for longer than these tests. */
const SUITE = `suite_${randomBytes(4).toString('hex')}`;
const SCRATCH = `${SUITE}_scratch`;

/** 10^4 × 10^4 × 10^4 numbers in order, made by one thread. */
const NUMBERS = `(SELECT (a * 10000 + b) * 10000 + c AS i FROM UNNEST(sequence(0, 9999)) AS x (a)
  CROSS JOIN UNNEST(sequence(0, 9999)) AS y (b) CROSS JOIN UNNEST(sequence(0, 9999)) AS z (c)) AS n`;

/** `count` numbers in order. */
function numbers(count: number): string {
  const last = Math.max(Math.ceil(count / 1_000) - 1, 0);
  return `(SELECT i FROM (SELECT a * 1000 + b AS i FROM UNNEST(sequence(0, ${last})) AS x (a)
    CROSS JOIN UNNEST(sequence(0, 999)) AS y (b)) WHERE i < ${count}) AS n`;
}

if (hasCluster) {
  describe('on a cluster', () => {
    const cluster = useCluster();
    describeDriver('Trino', {
      async load() {
        for (const schema of [SUITE, SCRATCH]) {
          await runOnCoordinator(cluster().httpPort, `CREATE SCHEMA iceberg.${schema}`);
        }
        return loadDriver('trino');
      },
      spec(overrides = {}, options = {}) {
        const { host, httpPort } = cluster();
        const place = { catalog: 'iceberg', schema: SUITE, scratch_schema: SCRATCH };
        const own = { host, port: String(httpPort), user: SUITE, ...place, ...options };
        return { name: 'test', kind: 'trino', options: own, overrides };
      },
      can: CAPABILITIES.Trino,
      sql: {
        rows: (count) => `SELECT i FROM ${numbers(count)}`,
        wide: (count) => `SELECT rpad('', 200, 'x') AS s FROM ${numbers(count)}`,
        // Wide enough that the server cannot reach the row before the first rows are read.
        failing: (count, at) =>
          `SELECT IF(i = ${at}, CAST('boom' || CAST(i AS varchar) AS bigint), i) AS i, rpad('', 80, 'x') AS s FROM ${numbers(count)}`,
        slow: `SELECT max(i % 7) AS i FROM ${NUMBERS}`,
        slowAfterRows: `SELECT i FROM ${NUMBERS} WHERE i < 1000000 OR i = -1`,
        endless: `SELECT i FROM ${NUMBERS}`,
        begin: 'START TRANSACTION',
        rollback: 'ROLLBACK',
        unknownColumn: { sql: "SELECT '💛é', nothing FROM (VALUES 1) AS t (x)", offset: 14, name: 'nothing' },
        currentSchema: 'SELECT current_schema',
        setting: {
          change: "SET SESSION query_max_run_time = '7m'",
          show: "SHOW SESSION LIKE 'query_max_run_time'",
        },
        chance: 'random()',
        createTemporary: (name) => `CREATE TABLE ${name} AS SELECT 1 AS x`,
      },
      schema: `${SUITE}_other`,
      done: [
        ['CREATE TABLE t (a INTEGER, b VARCHAR)', 0],
        ["INSERT INTO t VALUES (1, 'x'), (2, 'y')", 2],
        ["UPDATE t SET b = 'z' WHERE a = 1", 1],
        ['DELETE FROM t WHERE a = 2', 1],
        ['CREATE TABLE u AS SELECT 1 AS x UNION ALL SELECT 2', 2],
        ['ALTER TABLE u ADD COLUMN y INTEGER', 0],
        ['CREATE VIEW v AS SELECT 1 AS x', 0],
        ["COMMENT ON TABLE t IS 'a table'", 0],
        [
          'MERGE INTO t USING (SELECT 1 AS a) s ON t.a = s.a WHEN MATCHED THEN UPDATE SET b = CAST(s.a AS varchar)',
          1,
        ],
        ["SET SESSION query_max_run_time = '5m'", 0],
        ['RESET SESSION query_max_run_time', 0],
        ['START TRANSACTION', 0],
        ['COMMIT', 0],
        ['PREPARE q FROM SELECT 1', 0],
        ['ANALYZE t', 0],
        ['DROP VIEW v', 0],
        ['DROP TABLE u', 0],
        [`USE iceberg.${SUITE}`, 0],
      ],
      rows: [
        ['TABLE t', 1],
        ['EXECUTE q', 1],
        ["SHOW SESSION LIKE 'query_max_run_time'", 1],
        ['EXPLAIN SELECT 1', 1],
        ['EXPLAIN ANALYZE SELECT 1', 1],
        ['DESCRIBE t', 2],
        ['SHOW TABLES', 1],
        ['VALUES 1, 2, 3', 3],
        ['WITH a AS (SELECT 1 AS x) SELECT * FROM a, a AS b', 1],
        [
          'WITH FUNCTION two() RETURNS integer BEGIN DECLARE x integer; SET x = 2; RETURN x; END SELECT two()',
          1,
        ],
      ],
      types: trinoTypes,
    });
  });
} else {
  describe('Trino', () => {
    it.skip('is not installed: test/trino/install.sh', () => {});
  });
}
