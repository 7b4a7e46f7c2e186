import type {
  Connection,
  ConnectionKind,
  Driver,
} from '../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../src/engine/connection/drivers.ts';
import type { DataType } from '../../../src/semantic/model/model.ts';
import { never, query, type Rows, readRows } from '../../engine/connection/results.ts';
import { printLiteral, printName } from './expression.ts';
import type { Value } from './value.ts';
import type { EntityDef, World } from './world.ts';

/** A platform that runs in the tests. */
export type EnginePlatform = Extract<ConnectionKind, 'duckdb' | 'postgresql' | 'mysql' | 'trino'>;

/** Also platforms whose SQL another program runs. */
export type OraclePlatform = EnginePlatform | 'bigquery' | 'clickhouse';

/** A database that holds the rows of one world at a time. */
export interface Engine extends AsyncDisposable {
  readonly platform: OraclePlatform;
  /** Replaces the rows of the last world. */
  load(world: World): Promise<void>;
  run(sql: string): Promise<Rows>;
}

const TYPES: Readonly<Record<DataType, Readonly<Record<EnginePlatform, string>>>> = {
  TEXT: { duckdb: 'VARCHAR', postgresql: 'TEXT', mysql: 'VARCHAR(60)', trino: 'VARCHAR' },
  INTEGER: { duckdb: 'BIGINT', postgresql: 'BIGINT', mysql: 'BIGINT', trino: 'BIGINT' },
  NUMBER: {
    duckdb: 'DECIMAL(18, 2)',
    postgresql: 'NUMERIC(18, 2)',
    mysql: 'DECIMAL(18, 2)',
    trino: 'DECIMAL(18, 2)',
  },
  DECIMAL: {
    duckdb: 'DECIMAL(18, 2)',
    postgresql: 'NUMERIC(18, 2)',
    mysql: 'DECIMAL(18, 2)',
    trino: 'DECIMAL(18, 2)',
  },
  FLOAT: { duckdb: 'DOUBLE', postgresql: 'DOUBLE PRECISION', mysql: 'DOUBLE', trino: 'DOUBLE' },
  DATE: { duckdb: 'DATE', postgresql: 'DATE', mysql: 'DATE', trino: 'DATE' },
  DATETIME: { duckdb: 'TIMESTAMP', postgresql: 'TIMESTAMP', mysql: 'DATETIME(6)', trino: 'TIMESTAMP(6)' },
  BOOLEAN: { duckdb: 'BOOLEAN', postgresql: 'BOOLEAN', mysql: 'BOOLEAN', trino: 'BOOLEAN' },
};

/** The collation of MariaDB's tables ignores case and accents. */
const TABLE_OPTIONS: Readonly<Record<EnginePlatform, string>> = {
  duckdb: '',
  postgresql: '',
  trino: '',
  mysql: ' ENGINE=MEMORY CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
};

function printValue(type: DataType, value: Value, platform: EnginePlatform): string {
  const text = printLiteral(type, value, platform);
  return platform === 'mysql' && type === 'TEXT' ? text.replaceAll('\\', '\\\\') : text;
}

function printTable(entity: EntityDef, platform: EnginePlatform): string {
  const columns = entity.columns.map(
    ({ name, type }) => `${printName(name, platform)} ${TYPES[type][platform]}`,
  );
  return `CREATE TABLE ${entity.table} (${columns.join(', ')})${TABLE_OPTIONS[platform]}`;
}

/** The INSERT of an entity's table. */
function printRows({ table, columns, rows }: EntityDef, platform: EnginePlatform): string {
  const values = rows.map((row) => {
    return `(${columns.map(({ name, type }) => printValue(type, row[name] ?? null, platform)).join(', ')})`;
  });
  return `INSERT INTO ${table} VALUES\n${values.join(',\n')}`;
}

const START: Readonly<Record<EnginePlatform, readonly string[]>> = {
  duckdb: ['SET threads = 1'],
  postgresql: ['CREATE SCHEMA "oracle of rows"', 'SET search_path = "oracle of rows"'],
  mysql: ['CREATE DATABASE `oracle of rows`', 'USE `oracle of rows`'],
  trino: ['CREATE SCHEMA memory."oracle of rows"', 'USE memory."oracle of rows"'],
};

const END: Readonly<Record<EnginePlatform, readonly string[]>> = {
  duckdb: [],
  postgresql: ['DROP SCHEMA "oracle of rows" CASCADE'],
  mysql: ['DROP DATABASE `oracle of rows`'],
  trino: ['DROP SCHEMA memory."oracle of rows" CASCADE'],
};

/** The words that delete all rows of a table. */
const EMPTY: Readonly<Record<EnginePlatform, string>> = {
  duckdb: 'DELETE FROM',
  postgresql: 'DELETE FROM',
  mysql: 'DELETE FROM',
  trino: 'TRUNCATE TABLE',
};

function createEngine(
  connection: Connection,
  driver: Driver,
  platform: EnginePlatform,
  name: string,
): Engine {
  /** The CREATE statement of each table. */
  const made = new Map<string, string>();
  const named = (statements: readonly string[]) =>
    statements.map((sql) => sql.replace('oracle of rows', name));
  return {
    platform,
    async load({ entities }) {
      for (const entity of entities) {
        const create = printTable(entity, platform);
        // DuckDB creates tables fast, and has crashed on tables whose rows were deleted hundreds of times.
        const isMade = made.get(entity.table) === create && platform !== 'duckdb';
        if (!isMade) await query(connection, `DROP TABLE IF EXISTS ${entity.table}`);
        await query(connection, isMade ? `${EMPTY[platform]} ${entity.table}` : create);
        made.set(entity.table, create);
        if (entity.rows.length > 0) await query(connection, printRows(entity, platform));
      }
    },
    async run(sql) {
      return readRows(await connection.run(sql, never));
    },
    async [Symbol.asyncDispose]() {
      for (const sql of named(END[platform])) await query(connection, sql);
      await connection.close();
      if (platform === 'duckdb') await driver.close();
    },
  };
}

/** Opens a database for worlds, in a separate schema with this name. */
export async function openEngine(
  platform: EnginePlatform,
  options: Readonly<Record<string, string>>,
  name: string,
): Promise<Engine> {
  const driver = await loadDriver(platform);
  const connection = await driver.connect({ name: 'oracle', kind: platform, options, overrides: {} }, never);
  for (const sql of START[platform]) await query(connection, sql.replace('oracle of rows', name));
  return createEngine(connection, driver, platform, name);
}
