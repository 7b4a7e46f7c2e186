import type { GoogleSql, GoogleTable, GoogleType } from '../support/googlesql.ts';
import { toRows } from './oracle/google-engine.ts';
import { openShop, type ShopDatabase, type Simple, simplifyRows } from './shop-database.ts';

const COLUMNS: Readonly<Record<string, string>> = {
  customers: 'id INT64, name STRING, region STRING, active BOOL, credit NUMERIC',
  stores: 'id INT64, name STRING, city STRING',
  orders:
    'id INT64, customer_id INT64, store_id INT64, status STRING, ordered_on DATE, placed_at TIMESTAMP, amount NUMERIC, weight FLOAT64',
  products: 'id INT64, name STRING, category STRING, price NUMERIC',
  order_items: 'order_id INT64, product_id INT64, qty INT64, price NUMERIC',
  returns: 'order_id INT64, reason STRING, amount NUMERIC',
};

/** Reads the shop's tables, with each value as text for CAST. */
async function readShop(database: ShopDatabase): Promise<readonly GoogleTable[]> {
  const tables: GoogleTable[] = [];
  for (const [name, list] of Object.entries(COLUMNS)) {
    const columns = list.split(', ').map((column) => {
      const [own, type] = column.split(' ') as [string, GoogleType];
      return { name: own, type };
    });
    const texts = columns.map((column) => `CAST(${column.name} AS VARCHAR)`).join(', ');
    const rows = await database.run(`SELECT ${texts} FROM shop.${name}`);
    const print = (value: Simple) => (value === null ? 'NULL' : JSON.stringify(value));
    tables.push({ name, columns, rows: rows.map((row) => row.map(print)) });
  }
  return tables;
}

/** Replaces the engine's tables by the shop's tables. */
export async function loadGoogleShop(engine: GoogleSql): Promise<void> {
  const database = await openShop('duckdb');
  await engine.load(await readShop(database));
  await database.close();
}

/** Runs a query on the shop, whose tables have no schema there. */
export async function runGoogle(engine: GoogleSql, sql: string): Promise<readonly (readonly Simple[])[]> {
  return simplifyRows(toRows(await engine.run(sql.replaceAll(/\bshop\./g, ''))));
}
