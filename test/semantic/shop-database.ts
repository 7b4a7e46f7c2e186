import { afterAll, beforeAll, inject } from 'vitest';
import { loadDriver } from '../../src/engine/connection/drivers.ts';
import type { ColumnType, ColumnValue } from '../../src/engine/result/columns/column.ts';
import { type TypeName, toTypeName } from '../../src/engine/result/columns/type-names.ts';
import type { Platform } from '../../src/semantic/model/model.ts';
import { never, query, type Rows, readRows } from '../engine/connection/results.ts';
import type { EnginePlatform } from './oracle/engine.ts';
import { createShopTables } from './shop.ts';

/** A value in the same form on every platform: numbers of all types as numbers, dates as texts. */
export type Simple = string | number | boolean | null;

/** A database with the shop's tables, in a schema with the same lifetime. */
export interface ShopDatabase {
  run(sql: string): Promise<readonly (readonly Simple[])[]>;
  /** The columns and the rows of a result as the driver returns them. */
  read(sql: string): Promise<Rows>;
  /** The types of the columns of a result. */
  describe(sql: string): Promise<readonly TypeName[]>;
  /** Runs a statement without a result. */
  execute(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** The platforms whose SQL runs in the tests, and their engines: PostgreSQL also runs Yellowbrick's SQL. */
export const RUNS: readonly (readonly [platform: Platform, engine: EnginePlatform])[] = [
  ['duckdb', 'duckdb'],
  ['postgresql', 'postgresql'],
  ['mysql', 'mysql'],
  ['yellowbrick', 'postgresql'],
];

/** Whether the machine has this server. */
export function hasPlatform(platform: EnginePlatform): boolean {
  return platform === 'duckdb' || inject(platform === 'mysql' ? 'mariadb' : 'postgresql') !== null;
}

/** Opens a database with the shop's tables; the statements of `more` run after those that create them. */
export async function openShop(
  platform: EnginePlatform,
  more: readonly string[] = [],
): Promise<ShopDatabase> {
  return openSchema(platform, [...createShopTables(platform), ...more]);
}

/** Opens a database and runs the statements that create its schema, which they call `shop`. */
export async function openSchema(
  platform: EnginePlatform,
  statements: readonly string[],
): Promise<ShopDatabase> {
  const server =
    platform === 'duckdb' ? { file: ':memory:' } : inject(platform === 'mysql' ? 'mariadb' : 'postgresql')!;
  const schema = `shop_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const driver = await loadDriver(platform);
  const connection = await driver.connect(
    { name: 'shop', kind: platform, options: server, overrides: {} },
    never,
  );
  const place = (sql: string) => sql.replaceAll(/\bshop(?=\.|$)/g, schema);
  const run = (sql: string) => connection.run(place(sql), never);
  const execute = async (sql: string) => void (await query(connection, place(sql)));
  for (const statement of statements) await execute(statement);
  return {
    execute,
    async describe(sql) {
      const { columns } = await readRows(await run(sql));
      return columns.map(({ type }) => toTypeName(type));
    },
    async read(sql) {
      return readRows(await run(sql));
    },
    async run(sql) {
      return simplifyRows(await readRows(await run(sql)));
    },
    async close() {
      if (platform !== 'duckdb')
        await query(connection, `DROP SCHEMA ${schema}${platform === 'postgresql' ? ' CASCADE' : ''}`);
      await connection.close();
    },
  };
}

/**
 * Shares a database with the shop's tables between the tests of a block. It is opened before them, if the machine has
 * this server, and closed after them.
 */
export function shareShop(
  platform: EnginePlatform,
  more: readonly string[] = [],
): Omit<ShopDatabase, 'close' | 'read'> {
  let opened: ShopDatabase | undefined;
  beforeAll(async () => {
    if (hasPlatform(platform)) opened = await openShop(platform, more);
  });
  afterAll(() => opened?.close());
  return {
    run: (sql) => opened!.run(sql),
    describe: (sql) => opened!.describe(sql),
    execute: (sql) => opened!.execute(sql),
  };
}

/** Converts rows to the form that all platforms share. */
export function simplifyRows({ columns, rows }: Rows): readonly (readonly Simple[])[] {
  return rows.map((row) => row.map((value, at) => simplify(value, columns[at]!.type)));
}

function simplify(value: ColumnValue, type: ColumnType): Simple {
  if (value === null || typeof value === 'boolean') return value;
  switch (type.kind) {
    case 'decimal':
      return Number(value) / 10 ** type.scale;
    case 'date':
      return new Date(Number(value) * 86_400_000).toISOString().slice(0, 10);
    case 'text':
      return type.label === 'STRING' ? String(value) : Number(value);
    default:
      return Number(value);
  }
}
