import { describe, inject, it } from 'vitest';
import type { ConnectionSpec } from '../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { CAPABILITIES } from '../conformance/capabilities.ts';
import { describeDriver } from '../conformance/describe-driver.ts';
import { STANDARD_STATEMENTS } from '../conformance/driver-under-test.ts';
import { postgresqlTypes } from './types.ts';

const server = inject('postgresql');

type Texts = Readonly<Record<string, string>>;

function toSpec(overrides: Texts = {}, options: Texts = {}): ConnectionSpec {
  return { name: 'test', kind: 'postgresql', options: { ...server!, ...options }, overrides };
}

if (server === null) {
  describe('PostgreSQL', () => {
    it.skip('is not installed: apt-get install postgresql', () => {});
  });
} else {
  describeDriver('PostgreSQL', {
    load: () => loadDriver('postgresql'),
    spec: toSpec,
    can: CAPABILITIES.PostgreSQL,
    sql: {
      rows: (count) => `SELECT i FROM generate_series(0, ${count - 1}) AS t(i)`,
      wide: (count) => `SELECT repeat('x', 200) AS s FROM generate_series(1, ${count})`,
      failing: (count, at) =>
        `SELECT CASE WHEN i = ${at} THEN ('boom' || i)::int ELSE i END AS i FROM generate_series(0, ${count - 1}) AS t(i)`,
      slow: 'SELECT 1 AS i FROM pg_sleep(3600)',
      slowAfterRows: 'SELECT generate_series(0, 999999) AS i UNION ALL SELECT 1 FROM pg_sleep(3600)',
      // In the list of columns, PostgreSQL returns the rows one by one.
      endless: 'SELECT generate_series(0, 1000000000000) AS i',
      begin: 'BEGIN',
      rollback: 'ROLLBACK',
      unknownColumn: { sql: "SELECT '💛é', nothing FROM generate_series(0, 2)", offset: 14, name: 'nothing' },
      currentSchema: 'SELECT current_schema()',
      setting: { change: "SET work_mem = '7MB'", show: 'SHOW work_mem' },
      chance: 'random()',
      createTemporary: (name) => `CREATE TEMPORARY TABLE ${name} AS SELECT 1 AS x`,
    },
    schema: 'a_schema',
    done: [
      ...STANDARD_STATEMENTS,
      ['MERGE INTO t USING (SELECT 1 AS a) s ON t.a = s.a WHEN MATCHED THEN UPDATE SET b = s.a', 1],
      ["SET work_mem = '8MB'", 0],
      ['RESET work_mem', 0],
      ['BEGIN', 0],
      ['COMMIT', 0],
      ['VACUUM t', 0],
      ['ANALYZE', 0],
      ['PREPARE q AS SELECT 1', 0],
      ["DO $$ BEGIN RAISE NOTICE 'hello'; END $$", 0],
      ['DROP VIEW v', 0],
      ['DROP TABLE u', 0],
    ],
    rows: [
      ['TABLE t', 1],
      ['EXECUTE q', 1],
      ['SHOW work_mem', 1],
      ['EXPLAIN SELECT 1', 1],
      ["INSERT INTO t VALUES (3, 'a'), (4, 'b') RETURNING a", 2],
      ['VALUES (1), (2), (3)', 3],
      ['WITH gone AS (DELETE FROM t RETURNING a) SELECT * FROM gone', 3],
    ],
    types: postgresqlTypes,
  });
}
