import { describe, inject, it } from 'vitest';
import type { ConnectionSpec } from '../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { CAPABILITIES } from '../conformance/capabilities.ts';
import { describeDriver } from '../conformance/describe-driver.ts';
import { mariadbTypes } from './mariadb-types.ts';

const server = inject('mariadb');

type Texts = Readonly<Record<string, string>>;

function toSpec(overrides: Texts = {}, options: Texts = {}): ConnectionSpec {
  return { name: 'test', kind: 'mysql', options: { ...server!, ...options }, overrides };
}

/** The engine SEQUENCE provides a table of numbers for each name of this form. */
function numbers(count: number, alias = ''): string {
  const last = Math.max(count - 1, 0);
  return `seq_0_to_${last}${alias}${count === 0 ? ' WHERE false' : ''}`;
}

if (server === null) {
  describe('MariaDB', () => {
    it.skip('is not installed: apt-get install mariadb-server', () => {});
  });
} else {
  describeDriver('MariaDB', {
    load: () => loadDriver('mysql'),
    spec: toSpec,
    can: CAPABILITIES.MariaDB,
    sql: {
      rows: (count) => `SELECT seq AS i FROM ${numbers(count)}`,
      // The overflow of a power is an error that names the table.
      wide: (count) => `SELECT REPEAT('x', 200) AS s FROM ${numbers(count)}`,
      failing: (count, at) =>
        `SELECT boom.seq + 0 * EXP(IF(boom.seq = ${at}, 710, 0)) AS i FROM ${numbers(count, ' AS boom')}`,
      slow: 'SELECT SLEEP(3600) AS i',
      slowAfterRows: 'SELECT seq AS i FROM seq_0_to_999999 UNION ALL SELECT SLEEP(3600)',
      endless: 'SELECT seq AS i FROM seq_0_to_1000000000000',
      begin: 'BEGIN',
      rollback: 'ROLLBACK',
      unknownColumn: { sql: "SELECT '💛é', nothing FROM seq_0_to_2", offset: 14, name: 'nothing' },
      currentSchema: 'SELECT DATABASE()',
      setting: { change: 'SET @x = 7', show: 'SELECT @x' },
      chance: 'RAND()',
      createTemporary: (name) => `CREATE TEMPORARY TABLE ${name} AS SELECT 1 AS x`,
    },
    schema: 'a_schema',
    done: [
      ['CREATE TABLE t (a INTEGER PRIMARY KEY, b VARCHAR(20))', 0],
      ["INSERT INTO t VALUES (1, 'x'), (2, 'y')", 2],
      ["UPDATE t SET b = 'z' WHERE a = 1", 1],
      ["/* again */ UPDATE t SET b = 'z' WHERE a = 1", 1],
      ['DELETE FROM t WHERE a = 2', 1],
      ["REPLACE INTO t VALUES (7, 'x')", 1],
      ['DELETE FROM t WHERE a = 7', 1],
      ['CREATE TABLE u AS SELECT 1 AS x UNION ALL SELECT 2', 0],
      ['ALTER TABLE u ADD COLUMN y INTEGER, ALGORITHM = COPY', 0],
      ['CREATE VIEW v AS SELECT 1 AS x', 0],
      ['CREATE PROCEDURE p() BEGIN SELECT * FROM t; SELECT 1 AS other UNION SELECT 2; SELECT 3; END', 0],
      ['CREATE PROCEDURE quiet() UPDATE t SET b = 0', 0],
      ['CALL quiet()', 1],
      ['SET @x = 1', 0],
      ['SELECT 5 INTO @x', 0],
      ['DO 1', 0],
      ['BEGIN', 0],
      ['COMMIT', 0],
      ["PREPARE q FROM 'SELECT 1'", 0],
      ['DROP VIEW v', 0],
      ['DROP TABLE u', 0],
      ['LOCK TABLES t READ', 0],
      ['UNLOCK TABLES', 0],
    ],
    rows: [
      ['CALL p()', 1],
      ['SELECT * FROM t', 1],
      ['EXECUTE q', 1],
      ["SHOW VARIABLES LIKE 'sql_mode'", 1],
      ['EXPLAIN SELECT 1', 1],
      ['DESCRIBE t', 2],
      ["INSERT INTO t VALUES (3, 'a'), (4, 'b') RETURNING a", 2],
      ['VALUES (1), (2), (3)', 3],
      ['ANALYZE TABLE t', 1],
      ['WITH a AS (SELECT 1 AS x) SELECT * FROM a, a AS b', 1],
    ],
    types: mariadbTypes,
  });
}
