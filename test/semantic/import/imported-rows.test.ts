import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileQuery } from '../../../src/semantic/compile/compile-query.ts';
import type { ModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { SemanticQuery } from '../../../src/semantic/query/query.ts';
import { planModelTests } from '../../../src/semantic/tests/plan-model-tests.ts';
import { ask, where } from '../ask.ts';
import { openShop, type ShopDatabase, type Simple } from '../shop-database.ts';
import { FIXTURES, goldenOf, importSources, readShop, readSources } from './import-fixture.ts';

const folder = path.resolve(import.meta.dirname, '../../../fixtures/semantic/questions');
/**
 * Queries with fields, types, time zones or case rules that one of the other formats cannot express, and refused
 * queries.
 */
const BEYOND = [
  'all-aggregates-by-store',
  'date-ranges',
  'dates',
  'dates-before-and-after',
  'days-in-berlin',
  'decimals',
  'floats',
  'grains-of-a-date',
  'grains-of-a-moment',
  'integers',
  'integers-beyond-64-bits',
  'long-decimals',
  'mean-quantity-by-category',
  'moment-ranges',
  'moments',
  'moments-before-and-after',
  'moments-in-berlin',
  'nulls',
  'overlapping-groups-in-strict-mode',
  'text-contains-by-the-letter',
  'text-starts-or-ends-by-the-letter',
];
const names = readdirSync(folder).filter((name) => !BEYOND.includes(name));

function readJson<T>(name: string, file: string): T {
  return JSON.parse(readFileSync(path.join(folder, name, file), 'utf8'));
}

/** Queries with fields that only some of the everyday queries use. */
const MORE: Readonly<Record<string, SemanticQuery>> = {
  'everything of orders by region': ask(
    'customers.region',
    'orders.orders, orders.revenue, orders.paid, orders.paid_orders, orders.median_amount, orders.mean_amount, ' +
      'orders.buyers, orders.median_weight, orders.largest, orders.aov, orders.paid_aov',
  ),
  'items by month and category': ask(
    'orders.ordered_on_month, products.category',
    'order_items.units, order_items.value',
  ),
  'weeks of timestamps': ask('orders.placed_at_week', 'orders.orders, returns.returns, returns.refunds'),
  'customers by product': ask('products.product', 'customers.customers, customers.credit, stores.stores'),
  'a day of timestamps': ask('orders.placed_at', 'orders.revenue', {
    filters: [where('orders.placed_at', 'IN_DATE_RANGE', '2024-02-01', '2024-02-29')],
  }),
  'dates before another': ask('orders.status', 'products.price_list, products.products', {
    filters: [where('orders.ordered_on', 'BEFORE_DATE', '2024-03-01')],
  }),
};

/** Rounds to the digits that exact and floating-point numbers share. */
const toNear = (row: readonly Simple[]) =>
  row.map((value) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value));

/** Sorts groups that have no order. */
const toSorted = (rows: readonly (readonly Simple[])[]) =>
  rows.map((row) => JSON.stringify(toNear(row))).sort();

describe('the shop in other formats', () => {
  const own = readShop();
  let database: ShopDatabase;
  beforeAll(async () => {
    database = await openShop('duckdb');
    // dbt's files do not name the schema of their tables.
    await database.execute('SET search_path TO shop');
  });
  afterAll(() => database.close());

  const run = (index: ModelIndex, query: SemanticQuery) =>
    database.run(compileQuery(index, query, { dialect: 'duckdb', strict: false }).sql);

  describe.each(FIXTURES)('%s', (name, from) => {
    const imported = importSources(from, readSources(name));

    it('becomes a valid model, and reports losses', async () => {
      expect([imported.failures, imported.errors]).toEqual([[], []]);
      const text = `${imported.text}\n${imported.lines.join('\n')}\n`;
      await expect(text).toMatchFileSnapshot(goldenOf(name));
    });

    it.each(names)('%s: returns the expected rows', async (question) => {
      const query = readJson<SemanticQuery>(question, 'question.json');
      const rows = await run(imported.index!, query);
      expect(rows.map(toNear)).toEqual(readJson<Simple[][]>(question, 'rows.json').map(toNear));
    });

    it.each(Object.keys(MORE))('%s: returns the rows of the hand-written model', async (question) => {
      const due = toSorted(await run(own.index!, MORE[question]!));
      expect(due.length).toBeGreaterThan(1);
      expect(toSorted(await run(imported.index!, MORE[question]!))).toEqual(due);
    });

    it('has only expressions that are valid in the database', async () => {
      const tests = planModelTests(imported.model!, imported.places!, 'duckdb');
      expect(tests.length).toBeGreaterThan(10);
      for (const { name: subject, sql, finding } of tests) {
        const rows = await database.run(sql);
        expect([subject, rows.length > 0 ? finding : null]).toEqual([subject, null]);
      }
    });
  });
});
