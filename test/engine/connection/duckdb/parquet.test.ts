import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { makeFolder } from '../../../support/quern.ts';
import { never, query, readError } from '../results.ts';

const PARQUET = { type: 'parquet', compression: 'zstd' } as const;
const ALL = Number.POSITIVE_INFINITY;

/** The smallest integer that a double cannot represent. */
const EXACT = '9007199254740993';
const MAX_COUNT = '9'.repeat(38);
const TOO_LARGE = '170141183460469231731687303715884105727';

let connection: Connection;
beforeAll(async () => {
  const driver = await loadDriver('duckdb');
  const spec = { name: 'test', kind: 'duckdb', options: { file: ':memory:' }, overrides: {} } as const;
  connection = await driver.connect(spec, never);
});
afterAll(() => connection.close());

/** Writes the rows of a query with both methods; returns the types and the values in the files. */
async function writeBoth(sql: string): Promise<readonly (readonly unknown[])[][]> {
  const folder = makeFolder();
  const [exported, published] = [path.join(folder, 'exported'), path.join(folder, 'published')];
  await connection.exportParquet(sql, exported, ALL, never);
  await connection.publishing.writeFile(sql, published, PARQUET, never);
  const read = (file: string) =>
    query(connection, `SELECT typeof(x), x::VARCHAR FROM read_parquet('${file}')`);
  return [[...(await read(exported))], [...(await read(published))]];
}

describe('a Parquet file of DuckDB', () => {
  it.each([
    [`${EXACT}::HUGEINT`, 'DECIMAL(38,0)', EXACT],
    [`sum(${EXACT}::BIGINT)`, 'DECIMAL(38,0)', EXACT],
    [`(-${MAX_COUNT})::HUGEINT`, 'DECIMAL(38,0)', `-${MAX_COUNT}`],
    [`${MAX_COUNT}::UHUGEINT`, 'DECIMAL(38,0)', MAX_COUNT],
    [`[${EXACT}::HUGEINT, NULL]`, 'DECIMAL(38,0)[]', `[${EXACT}, NULL]`],
    [`[${EXACT}::HUGEINT]::HUGEINT[1]`, 'DECIMAL(38,0)[]', `[${EXACT}]`],
    [
      `{'a b': ${EXACT}::UHUGEINT, 'd': 1.50, 'e': 'x'::ENUM('x'), 'n': NULL, 't': '2024-01-01'::TIMESTAMPTZ}`,
      'STRUCT("a b" DECIMAL(38,0), d DECIMAL(3,2), e VARCHAR, n INTEGER, t TIMESTAMP WITH TIME ZONE)',
      `{'a b': ${EXACT}, 'd': 1.50, 'e': x, 'n': NULL, 't': '2024-01-01 00:00:00+00'}`,
    ],
    [`map(['k'], [[${EXACT}::HUGEINT]])`, 'MAP(VARCHAR, DECIMAL(38,0)[])', `{k=[${EXACT}]}`],
    ["'12:00:00+02'::TIMETZ", 'VARCHAR', '12:00:00+02'],
    ["INTERVAL '1 month 2 days 3.123456 seconds'", 'VARCHAR', '1 month 2 days 00:00:03.123456'],
    ["INTERVAL '-1 month'", 'VARCHAR', '-1 month'],
    ["[INTERVAL '0.000001 seconds']", 'VARCHAR[]', "['00:00:00.000001']"],
    ["'5881580-07-10'::DATE", 'DATE', '5881580-07-10'],
    ["'infinity'::TIMESTAMP", 'TIMESTAMP', 'infinity'],
    ["'2024-01-01 00:00:00.123456789'::TIMESTAMP_NS", 'TIMESTAMP_NS', '2024-01-01 00:00:00.123456789'],
    ["'12:00:00.123456789'::TIME_NS", 'TIME_NS', '12:00:00.123456789'],
    ["'10101'::BIT", 'VARCHAR', '10101'],
    [`${MAX_COUNT}`, 'DECIMAL(38,0)', MAX_COUNT],
    ['18446744073709551615::UBIGINT', 'UBIGINT', '18446744073709551615'],
  ])('keeps %s', async (value, type, text) => {
    expect(await writeBoth(`SELECT ${value} AS x`)).toEqual([[[type, text]], [[type, text]]]);
  });

  it.each([
    ['$::HUGEINT'],
    ['(-$)::HUGEINT'],
    ['$::UHUGEINT'],
    ['[NULL, $::HUGEINT]'],
    ["{'a': $::UHUGEINT}"],
    ['map([1], [$::HUGEINT])'],
  ])('is refused for a value of more than 38 digits, with the name of the column: %s', async (value) => {
    const file = path.join(makeFolder(), 'file');
    const sql = `SELECT 1::HUGEINT AS a, ${value.replace('$', TOO_LARGE)} AS "b ""c""", 2::HUGEINT AS d`;
    const why = `The column "b "c"" cannot be written as parquet: ${value.startsWith('(') ? '-' : ''}${TOO_LARGE} has more than 38 digits. Cast the column to VARCHAR, or to DOUBLE to round it`;
    for (const limit of [ALL, 5]) {
      expect((await readError(connection.exportParquet(sql, file, limit, never))).message).toBe(why);
    }
    const published = connection.publishing.writeFile(sql, file, PARQUET, never);
    expect((await readError(published)).message).toBe(why);
  });

  it('is refused for a large value in an unnamed struct, for which no cast is possible', async () => {
    const file = path.join(makeFolder(), 'file');
    const { message } = await readError(
      connection.exportParquet('SELECT (1::HUGEINT, 2) AS pair', file, ALL, never),
    );
    expect(message).toMatch(/^The column "pair" cannot be written as parquet: .*Cast it to VARCHAR/);
    expect(existsSync(file)).toBe(false);
  });

  it('keeps the order of rows, the names of columns and the limit', async () => {
    const file = path.join(makeFolder(), 'file');
    const sql =
      'SELECT range::HUGEINT AS n, -range AS n, 1 AS "A b" FROM range(300000) ORDER BY range DESC -- all';
    expect(await connection.exportParquet(sql, file, 250_000, never)).toBe(250_000);
    const names = await query(connection, `SELECT column_name FROM (DESCRIBE FROM read_parquet('${file}'))`);
    expect(names.flat()).toEqual(['n', 'n_1', 'A b']);
    const order = `SELECT count(*) FROM (SELECT n, row_number() OVER () AS place FROM read_parquet('${file}'))
      WHERE n <> 300000 - place`;
    expect(await query(connection, order)).toEqual([[0n]]);
  });

  it.each([
    ['SELECT 1 AS a, nope', 15],
    ["SELECT 1::HUGEINT AS a, 'x'::INTEGER AS b", 27],
    ['SELECT 1::HUGEINT AS a FROM', 27],
    ['SELECT 1::HUGEINT AS a, 1e39::DECIMAL(38,0) AS b', 28],
  ])('reports errors with their position in the query: %s', async (sql, offset) => {
    const file = path.join(makeFolder(), 'file');
    for (const limit of [ALL, 10]) {
      const error = await readError(connection.exportParquet(sql, file, limit, never));
      expect([error.code, error.offset]).toEqual(['sql', offset]);
    }
  });

  it('computes the rows once', async () => {
    await query(connection, 'CREATE SEQUENCE once');
    await connection.exportParquet(
      "SELECT nextval('once')::HUGEINT AS n",
      path.join(makeFolder(), 'f'),
      ALL,
      never,
    );
    expect(await query(connection, "SELECT nextval('once')")).toEqual([[2n]]);
  });
});
