import { type ClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { createShopTables } from './shop.ts';
import type { Simple } from './shop-database.ts';

/** The shop's tables as ClickHouse creates them, without any keys. */
function createTables(): readonly string[] {
  return createShopTables('duckdb').map((statement) => {
    if (statement.startsWith('CREATE SCHEMA')) return statement.replace('SCHEMA', 'DATABASE');
    if (!statement.startsWith('CREATE TABLE')) return statement;
    const typed = statement
      .replaceAll(/\b(VARCHAR\(\d+\)|INTEGER|BOOLEAN|DOUBLE PRECISION|DECIMAL\(\d+, \d+\))/g, 'Nullable($1)')
      .replaceAll(/\bDATE\b/g, 'Nullable(Date32)')
      .replaceAll(/\bTIMESTAMP\b/g, "Nullable(DateTime64(6, 'UTC'))");
    return `${typed} ENGINE = Memory`;
  });
}

/** ClickHouse with the shop's tables; null if it is not installed. */
export async function openClickHouseShop(): Promise<{
  run(sql: string): Promise<readonly (readonly Simple[])[]>;
  close(): Promise<void>;
} | null> {
  const engine = startClickHouse();
  if (engine === null) return null;
  for (const statement of createTables()) await engine.run(statement);
  return { run: (sql) => readRows(engine, sql), close: () => engine.stop() };
}

async function readRows(engine: ClickHouse, sql: string): Promise<readonly (readonly Simple[])[]> {
  const { columns, rows } = await engine.run(sql);
  return rows.map((row) => row.map((value, at) => simplify(value, columns[at]!.type)));
}

function simplify(value: Simple, type: string): Simple {
  if (typeof value !== 'string') return value;
  if (/\b(?:Int|UInt|Float|Decimal)/.test(type)) return Number(value);
  if (!type.includes('DateTime')) return value;
  const [seconds = '', fraction = ''] = value.split('.');
  return Date.parse(`${seconds.replace(' ', 'T')}Z`) * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}
