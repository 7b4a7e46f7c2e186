import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { never, query } from '../results.ts';

const TABLE = [
  'CREATE TABLE t (id INTEGER, g INTEGER, boss INTEGER, d INTEGER)',
  'INSERT INTO t VALUES (1, 9, NULL, 1), (2, 5, 1, 1), (3, 4, 1, 2), (4, 2, 2, 1), (5, 3, 2, 2)',
];

/** Two scans of one table that share a join: each branch reads the column `g` of a different one. */
const SUMS = `
  SELECT x.g, count(*) AS n, NULL AS s
  FROM (SELECT DISTINCT a.d, b.g FROM t a LEFT JOIN t b ON a.boss = b.id) x GROUP BY 1
  UNION ALL
  SELECT b.g, NULL, sum(a.g) FROM t a LEFT JOIN t b ON a.boss = b.id GROUP BY 1`;
const SELECT = `SELECT list(s ORDER BY s) FILTER (s IS NOT NULL) FROM (SELECT * FROM (${SUMS}) ORDER BY ALL)`;

let connection: Connection;
beforeAll(async () => {
  const driver = await loadDriver('duckdb');
  const options = { file: ':memory:' };
  connection = await driver.connect({ name: 'test', kind: 'duckdb', options, overrides: {} }, never);
  for (const sql of TABLE) await query(connection, sql);
});
afterAll(() => connection.close());

// DuckDB 1.5.0 to 1.5.5 answers other sums: docs/adr/0007-faulty-optimizer.md.
it('computes separate sums for two scans of one table, with every optimizer', async () => {
  expect(await query(connection, "SELECT current_setting('disabled_optimizers')")).toEqual([['']]);
  expect(await query(connection, SELECT)).toEqual([[[5n, 9n, 9n]]]);
});
