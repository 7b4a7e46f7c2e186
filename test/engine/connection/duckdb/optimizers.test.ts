import duckdb from '@duckdb/node-bindings';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { createDecoder } from '../../../../src/engine/connection/duckdb/values/types.ts';
import { createReader } from '../../../../src/engine/result/columns/read-value.ts';
import { makeFolder } from '../../../support/quern.ts';
import { never, query, readError } from '../results.ts';
import { makeSandboxedHome } from './gate/sandbox.ts';

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
const RIGHT = [[[5n, 9n, 9n]]];

const DISABLED = "SELECT current_setting('disabled_optimizers')";

const driver = await loadDriver('duckdb');

async function open(options: Readonly<Record<string, string>> = { file: ':memory:' }): Promise<Connection> {
  return driver.connect({ name: 'test', kind: 'duckdb', options, overrides: {} }, never);
}

describe('DuckDB without our settings', () => {
  it('still computes wrong sums, so that the optimizer must stay disabled', async () => {
    const database = await duckdb.open(':memory:');
    const connection = await duckdb.connect(database);
    for (const sql of TABLE) await duckdb.query(connection, sql);
    const result = await duckdb.query(connection, SELECT);
    const chunk = (await duckdb.fetch_chunk(result))!;
    const { type, decode } = createDecoder(duckdb.column_logical_type(result, 0), 'sums');
    const sums = createReader(type, decode(duckdb.data_chunk_get_vector(chunk, 0), 0, 1))(0);
    duckdb.disconnect_sync(connection);
    duckdb.close_sync(database);
    expect([[sums]]).not.toEqual(RIGHT);
  });
});

describe('a session on DuckDB', () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await open();
    for (const sql of TABLE) await query(connection, sql);
  });
  afterAll(() => connection.close());

  it('computes separate sums for two scans of one table', async () => {
    expect(await query(connection, SELECT)).toEqual(RIGHT);
  });

  it.each([
    ["SET disabled_optimizers = 'filter_pushdown'", 'filter_pushdown,common_subplan'],
    ["SET GLOBAL disabled_optimizers = 'top_n,limit_pushdown'", 'limit_pushdown,top_n,common_subplan'],
    ["SET disabled_optimizers TO lower('TOP_N')", 'top_n,common_subplan'],
    ["/* ours */ SET disabled_optimizers = ''", 'common_subplan'],
    ["SET disabled_optimizers = 'common_subplan'", 'common_subplan'],
    ['SET disabled_optimizers = DEFAULT', 'common_subplan'],
    ['RESET disabled_optimizers', 'common_subplan'],
    ['RESET GLOBAL disabled_optimizers', 'common_subplan'],
    ["PRAGMA disabled_optimizers = 'filter_pushdown'", 'filter_pushdown,common_subplan'],
    ["EXPLAIN ANALYZE SET disabled_optimizers = ''", 'common_subplan'],
    ['PRAGMA disable_optimizer', 'common_subplan'],
    ['PRAGMA enable_optimizer', 'common_subplan'],
  ])('keeps the faulty optimizer disabled after %s', async (statement, expected) => {
    await query(connection, 'RESET disabled_optimizers');
    await query(connection, statement);
    const [[list]] = (await query(connection, DISABLED)) as [[string]];
    expect(list.split(',').sort()).toEqual(expected.split(',').sort());
    expect(await query(connection, SELECT)).toEqual(RIGHT);
  });

  it('keeps it disabled when the list is changed in a transaction, and in a failed one', async () => {
    await query(connection, 'BEGIN');
    await query(connection, 'RESET disabled_optimizers');
    await readError(query(connection, "SELECT error('stop')"));
    await readError(query(connection, "SET disabled_optimizers = 'filter_pushdown'"));
    await query(connection, 'ROLLBACK');
    expect(await query(connection, DISABLED)).toEqual([['common_subplan']]);
  });

  it('keeps the list after a change with an unknown name', async () => {
    const error = await readError(query(connection, "SET disabled_optimizers = 'nonsense'"));
    expect(error.message).toContain('"nonsense" not recognized');
    expect(await query(connection, DISABLED)).toEqual([['common_subplan']]);
  });
});

it('disables the faulty optimizer in every session of a file', async () => {
  const file = `${makeFolder()}/one.duckdb`;
  const [first, second] = [await open({ file }), await open({ file })];
  await query(first, 'RESET disabled_optimizers');
  const third = await open({ file });
  for (const session of [first, second, third]) {
    expect(await query(session, DISABLED)).toEqual([['common_subplan']]);
    await session.close();
  }
});

it('runs statements that change settings when the settings are locked', async () => {
  const session = await open();
  for (const sql of ['SET lock_configuration = true', 'SET VARIABLE a = 1']) await query(session, sql);
  expect((await readError(query(session, 'RESET disabled_optimizers'))).message).toMatch(/locked/);
  expect(await query(session, DISABLED)).toEqual([['common_subplan']]);
  await session.close();
});

it('disables it in a sandbox, in which the list cannot be changed', async () => {
  const session = await makeSandboxedHome().connect();
  expect(await query(session, DISABLED)).toEqual([['common_subplan']]);
  expect((await readError(session.run('RESET disabled_optimizers', never))).code).toBe('gate');
});
