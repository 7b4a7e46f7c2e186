import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Connection, ConnectionSpec } from '../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import type { ColumnType, ColumnValue } from '../../../../src/engine/result/columns/column.ts';
import { makeFolder } from '../../../support/quern.ts';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import type { TypeCase } from '../conformance/driver-under-test.ts';
import { mariadbColumns, mariadbTypes } from '../mysql/mariadb-types.ts';
import { postgresqlTypes } from '../postgresql/types.ts';
import { never, printResult, query, readError, readRows } from '../results.ts';
import { trinoTypes } from '../trino/types.ts';

const PARQUET = { type: 'parquet', compression: 'zstd' } as const;
const CSV = {
  type: 'csv',
  compression: 'none',
  delimiter: ',',
  nullValue: '',
  quote: '"',
  header: true,
} as const;
const TEXT: ColumnType = { kind: 'text', label: 'STRING' };

type Options = Readonly<Record<string, string>>;

async function connect(kind: ConnectionSpec['kind'], options: Options): Promise<Connection> {
  const driver = await loadDriver(kind);
  return driver.connect({ name: 'test', kind, options, overrides: {} }, never);
}

let duckdb: Connection;
beforeAll(async () => {
  duckdb = await connect('duckdb', { file: ':memory:' });
});
afterAll(() => duckdb.close());

/** Writes the rows of a query to a Parquet file, by both ways, and reads it. */
async function readParquet(connection: Connection, sql: string) {
  const [published, exported] = [path.join(makeFolder(), 'published'), path.join(makeFolder(), 'exported')];
  await connection.publishing.writeFile(sql, published, PARQUET, never);
  await connection.exportParquet(sql, exported, Number.POSITIVE_INFINITY, never);
  const read = async (file: string) => readRows(await duckdb.run(`FROM read_parquet('${file}')`, never));
  const rows = await read(published);
  expect(await read(exported)).toEqual(rows);
  return rows;
}

/** The type in a file: the texts of numbers and times, and columns without a type, are strings. */
function toFileType(type: ColumnType): ColumnType {
  switch (type.kind) {
    case 'null':
    case 'text':
      return TEXT;
    case 'timestamp':
      return type.utc ? { ...type, unit: 'microsecond' } : type;
    case 'list':
      return { kind: 'list', element: toFileType(type.element) };
    case 'map':
      return { kind: 'map', key: toFileType(type.key), value: toFileType(type.value) };
    case 'struct':
      return {
        kind: 'struct',
        fields: type.fields.map(({ name, type: own }) => ({ name, type: toFileType(own) })),
      };
    default:
      return type;
  }
}

/** Whether a type has parts that a file refuses, or reduces to microseconds. */
function isSpecial(type: ColumnType): boolean {
  if (type.kind === 'list') return isSpecial(type.element);
  if (type.kind === 'map') return isSpecial(type.value);
  if (type.kind === 'struct') return type.fields.some(({ name, type: own }) => name === '' || isSpecial(own));
  return type.kind === 'timestamp' && type.utc && type.unit === 'nanosecond';
}

async function expectSameRows(connection: Connection, sql: string): Promise<void> {
  const sent = await readRows(await connection.run(sql, never));
  const { columns, rows } = await readParquet(connection, sql);
  expect(columns.map(({ name }) => name)).toEqual(sent.columns.map(({ name }) => name));
  expect(columns.map(({ type }) => type)).toEqual(sent.columns.map(({ type }) => toFileType(type)));
  expect(rows.map((row) => row.map(toPlain))).toEqual(sent.rows.map((row) => row.map(toPlain)));
}

/** A value whose bytes are digits, which compare equal in any kind of array. */
function toPlain(value: ColumnValue): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return Array.isArray(value) ? value.map(toPlain) : value;
}

/** A CSV file has the bytes of the CSV result. */
async function expectSameCsv(connection: Connection, sql: string): Promise<void> {
  const file = path.join(makeFolder(), 'published');
  await connection.publishing.writeFile(sql, file, CSV, never);
  expect(readFileSync(file, 'utf8')).toBe((await printResult(connection, sql)).csv);
}

function selectAll(types: readonly TypeCase[]): string {
  return `SELECT ${types.map(({ sql }, i) => `${sql} AS c${i}`).join(', ')}`;
}

const postgresql = inject('postgresql');

describe.skipIf(postgresql === null)('a file of PostgreSQL', () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await connect('postgresql', { ...postgresql! });
  });
  afterAll(() => connection?.close());

  it('has the type and the value of each column in Parquet', () =>
    expectSameRows(connection, selectAll(postgresqlTypes)));

  it('has the text of each column in CSV', () => expectSameCsv(connection, selectAll(postgresqlTypes)));

  it('has the elements of long lists, and of many rows', () =>
    expectSameRows(
      connection,
      `SELECT i AS "a ""b""", CASE WHEN i % 3 > 0 THEN repeat('é', i % 20) END AS s,
         CASE WHEN i % 5 > 0 THEN ARRAY(SELECT CASE WHEN j % 7 > 0 THEN i * j END FROM generate_series(1, i % 11) j) END AS l,
         CASE WHEN i = 4999 THEN ARRAY(SELECT CASE WHEN j % 7 > 0 THEN repeat('x', j % 30) END FROM generate_series(1, 9000) j) END AS m
       FROM generate_series(1, 5000) i ORDER BY 1`,
    ));
});

const mariadb = inject('mariadb');

/** DuckDB reads a column of bare NULLs as bytes if its type is GEOMETRY. */
const stored = mariadbColumns.filter(({ type, value }) => type.kind !== 'geometry' || value !== null);

describe.skipIf(mariadb === null)('a file of MariaDB', () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await connect('mysql', { ...mariadb! });
    await query(connection, "SET sql_mode = 'ALLOW_INVALID_DATES'");
    await query(
      connection,
      `CREATE TEMPORARY TABLE every (${stored.map(({ column }, i) => `c${i} ${column}`).join(', ')})`,
    );
    await query(connection, `INSERT INTO every VALUES (${stored.map(({ sql }) => sql).join(', ')})`);
  });
  afterAll(() => connection?.close());

  it.each([
    ['expression', selectAll(mariadbTypes)],
    ['stored column', 'SELECT * FROM every'],
  ])('has the type and the value of each %s in Parquet', (_, sql) => expectSameRows(connection, sql));

  it.each([
    ['expression', selectAll(mariadbTypes)],
    ['stored column', 'SELECT * FROM every'],
  ])('has the text of each %s in CSV', (_, sql) => expectSameCsv(connection, sql));
});

describe.skipIf(!hasCluster)('a file of Trino', () => {
  const cluster = useCluster();
  let connection: Connection;
  beforeAll(async () => {
    const { host, httpPort } = cluster();
    connection = await connect('trino', { host, port: String(httpPort), user: 'test' });
  });
  afterAll(() => connection?.close());

  it('has the type and the value of each column in Parquet', () =>
    expectSameRows(connection, selectAll(trinoTypes.filter(({ type }) => !isSpecial(type)))));

  it('has the text of each column in CSV', () => expectSameCsv(connection, selectAll(trinoTypes)));

  it('has instants in microseconds, and refuses those with more digits', async () => {
    const select = (digits: string) => `SELECT TIMESTAMP '2024-01-01 00:00:00.${digits} UTC' AS "t 1"`;
    const { columns, rows } = await readParquet(connection, select('123456000'));
    expect(columns).toEqual([{ name: 't 1', type: { kind: 'timestamp', unit: 'microsecond', utc: true } }]);
    expect(rows).toEqual([[1_704_067_200_123_456n]]);
    const error = await readError(readParquet(connection, select('123456789')));
    expect(error.message).toBe(
      'The column "t 1" cannot be written as parquet: `2024-01-01 00:00:00.123456789+00` has more than 6 digits of a second. Cast it to VARCHAR, or to TIMESTAMP(6) WITH TIME ZONE to round it',
    );
  });

  it.each([
    ['ROW(1, 2)', 'fields without names'],
    ['ARRAY[ROW(1)]', 'fields without names'],
    ['CAST(ROW(1, 2) AS ROW("a" integer, "A" integer))', 'fields whose names differ only in case'],
  ])('refuses %s in Parquet, which has %s', async (value, problem) => {
    const error = await readError(readParquet(connection, `SELECT ${value} AS "my row"`));
    expect(error.message).toBe(
      `The column "my row" cannot be written as parquet: it has a struct with ${problem}. Name its fields with a CAST, or cast it to JSON`,
    );
  });
});
