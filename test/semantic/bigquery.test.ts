import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileQuery } from '../../src/semantic/compile/compile-query.ts';
import { createModelIndex } from '../../src/semantic/model/index/index-model.ts';
import { type GoogleSql, type GoogleTable, type GoogleType, startGoogleSql } from '../support/googlesql.ts';
import { KEY_CASES, keyModel } from './key-cases.ts';
import { compareWorlds } from './oracle/compare-worlds.ts';
import { createGoogleEngine, toRows } from './oracle/google-engine.ts';
import { compileQuestion, QUESTIONS, readJson } from './questions.ts';
import { openShop, type ShopDatabase, type Simple, simplifyRows } from './shop-database.ts';

const WORLDS = 40;
const QUESTIONS_OF_WORLD = 12;

const COLUMNS: Readonly<Record<string, string>> = {
  customers: 'id INT64, name STRING, region STRING, active BOOL, credit NUMERIC',
  stores: 'id INT64, name STRING, city STRING',
  orders:
    'id INT64, customer_id INT64, store_id INT64, status STRING, ordered_on DATE, placed_at TIMESTAMP, amount NUMERIC, weight FLOAT64',
  products: 'id INT64, name STRING, category STRING, price NUMERIC',
  order_items: 'order_id INT64, product_id INT64, qty INT64, price NUMERIC',
  returns: 'order_id INT64, reason STRING, amount NUMERIC',
};

/** The shop's tables, each value as a text that CAST reads. */
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

const google = await startGoogleSql();

describe.skipIf(google === null)("BigQuery's SQL on the reference engine of GoogleSQL", () => {
  const engine = google as GoogleSql;
  const run = async (sql: string) => simplifyRows(toRows(await engine.run(sql.replaceAll(/\bshop\./g, ''))));
  const toNear = (row: readonly Simple[]) =>
    row.map((value) => (typeof value === 'number' ? Number(value.toPrecision(11)) : value));

  const loadShop = async () => {
    const database = await openShop('duckdb');
    await engine.load(await readShop(database));
    await database.close();
  };

  afterAll(() => engine.stop());

  describe('of questions to the shop', () => {
    beforeAll(loadShop);

    it.each(QUESTIONS)('gives the rows that are counted by hand: %s', async (question) => {
      const found = compileQuestion(question, 'bigquery');
      if ('refusal' in found) {
        expect(found.refusal).not.toBe('');
        return;
      }
      const rows = await run(found.sql);
      expect(rows.map(toNear)).toEqual(readJson<Simple[][]>(question, 'rows.json').map(toNear));
    });
  });

  describe('of fields without a column of their own', () => {
    const index = createModelIndex(keyModel);
    beforeAll(loadShop);

    it.each(KEY_CASES)('$name', async ({ query, rows }) => {
      const { sql } = compileQuery(index, query, { dialect: 'bigquery', strict: false });
      expect((await run(sql)).map(toNear)).toEqual(rows.map(toNear));
    });
  });

  it('gives the rows that semantic models mean', { timeout: 300_000 }, async () => {
    const report = await compareWorlds(createGoogleEngine(engine), {
      from: 1,
      count: WORLDS,
      questions: QUESTIONS_OF_WORLD,
    });
    expect(report.difference).toBeNull();
    expect(report.compared).toBeGreaterThan((WORLDS * QUESTIONS_OF_WORLD) / 2);
    expect(report.differFromNaive).toBeGreaterThan(WORLDS / 2);
  });

  it('refuses what BigQuery refuses', async () => {
    await engine.load([{ name: 't', columns: [{ name: 'a', type: 'FLOAT64' }], rows: [['1.5']] }]);
    await expect(run('SELECT b FROM t')).rejects.toThrow('Unrecognized name: b');
    await expect(run('SELECT ROW_NUMBER() OVER (PARTITION BY a) FROM t')).rejects.toThrow(
      'Partitioning by expressions of type FLOAT64 is not allowed',
    );
  });
});
