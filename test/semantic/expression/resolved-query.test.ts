import { describe, expect, it } from 'vitest';
import { compileResolved } from '../../../src/semantic/compile/compile-query.ts';
import { createCase } from '../../../src/semantic/expression/create-expression.ts';
import type { ResolvedQuery, TypedExpression } from '../../../src/semantic/expression/expression.ts';
import type { DimensionUse } from '../../../src/semantic/model/index/field-use.ts';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { shop } from '../shop.ts';
import { hasPlatform, RUNS, type Simple, shareShop } from '../shop-database.ts';
import { call, createQuery, createResolver, integer, literal, result, text } from './resolve.ts';

const index = createModelIndex(shop);
const { field, dimension, computed, key, measure, spot } = createResolver(index);

const region = dimension('customers.region');
const revenue = measure('orders.revenue');
const orders = measure('orders.orders');
const status = field('orders.status');
const amount = field('orders.amount');
const where = (...conditions: readonly TypedExpression<DimensionUse>[]) =>
  conditions.map((expression) => ({ kind: 'expression' as const, expression }));

const size = computed(
  'size',
  createCase<DimensionUse>([{ when: call('>=', amount, integer(20)), value: text('large') }], text('small')),
);
/** A key over two entities. */
const place = computed(
  'place',
  call('||', call('COALESCE', field('customers.region'), text('?')), call('||', text('/'), status)),
);
const priced = computed('priced', call('*', field('order_items.qty'), integer(10)));
const plain = (use: Parameters<typeof result>[0], alias: string) => ({ alias, value: result(use) });
const order = (use: Parameters<typeof result>[0], desc = false, nullsFirst = false) => ({
  value: result(use),
  desc,
  nullsFirst,
});

const CASES: readonly (readonly [string, Partial<ResolvedQuery>, readonly (readonly Simple[])[]])[] = [
  [
    'groups by an expression',
    {
      keys: [key(size)],
      measures: [
        { use: revenue, alias: 'revenue' },
        { use: orders, alias: 'orders' },
      ],
    },
    [
      ['large', 90.9, 3],
      ['small', 15.1, 3],
    ],
  ],
  [
    'groups by an expression of two entities',
    { keys: [key(place)], measures: [{ use: orders, alias: 'orders' }] },
    [
      ['?/open', 1],
      ['north/open', 1],
      ['north/paid', 2],
      ['south/paid', 1],
      [null, 1],
    ],
  ],
  [
    'groups by an expression of several rows of another entity, each row once in a group',
    { keys: [key(priced)], measures: [{ use: revenue, alias: 'revenue' }] },
    [
      [10, 50.5],
      [20, 10.1],
      [30, 30.3],
      [40, 20.2],
      [null, 5],
    ],
  ],
  [
    'computes CUSTOM measures and those of the statement, each row once in a group',
    {
      keys: [key(priced)],
      measures: [
        { use: measure('orders.aov'), alias: 'aov' },
        { use: spot('most', 'MAX', amount), alias: 'most' },
      ],
    },
    [
      [10, 25.25, 40.4],
      [20, 10.1, 10.1],
      [30, 30.3, 30.3],
      [40, 20.2, 20.2],
      [null, 2.5, 5],
    ],
  ],
  [
    'keeps a condition of two entities in every leg',
    {
      measures: [
        { use: revenue, alias: 'revenue' },
        { use: measure('order_items.units'), alias: 'units' },
      ],
      conditions: where(
        call('OR', call('=', field('customers.region'), text('north')), call('<', amount, integer(6))),
      ),
    },
    [[65.6, 14]],
  ],
  [
    'leaves out rows for which a condition is unknown',
    {
      measures: [{ use: orders, alias: 'orders' }],
      conditions: where(call('NOT', call('=', status, text('paid')))),
    },
    [[2]],
  ],
  [
    'tests for rows of another entity without repeating a row',
    {
      measures: [
        { use: orders, alias: 'orders' },
        { use: revenue, alias: 'revenue' },
      ],
      conditions: where(call('>', call('*', field('order_items.qty'), integer(10)), amount)),
    },
    [[2, 30.3]],
  ],
  [
    'keeps rows without a row of another entity if the condition is true for NULL',
    {
      measures: [{ use: orders, alias: 'orders' }],
      conditions: where(call('=', call('COALESCE', field('order_items.qty'), integer(0)), integer(0))),
    },
    [[2]],
  ],
  [
    'tests for rows of either of two other entities',
    {
      measures: [{ use: revenue, alias: 'revenue' }],
      conditions: where(
        call(
          'OR',
          call('>', field('order_items.qty'), integer(2)),
          call('=', field('returns.reason'), text('late')),
        ),
      ),
    },
    [[50.5]],
  ],
  [
    'compares a date with a timestamp as its midnight',
    {
      measures: [{ use: orders, alias: 'orders' }],
      conditions: where(call('=', field('orders.ordered_on'), field('orders.placed_at'))),
    },
    [[1]],
  ],
  [
    'applies a condition without fields in every leg',
    {
      measures: [{ use: orders, alias: 'orders' }],
      conditions: where(literal('BOOLEAN', 'false')),
    },
    [[0]],
  ],
  [
    'counts an expression of a statement, with a separate filter',
    {
      keys: [key(region)],
      measures: [
        {
          use: spot('paid', 'SUM', call('*', amount, integer(2)), {
            filter: call('=', status, text('paid')),
          }),
          alias: 'paid',
        },
        { use: spot('rows', 'COUNT', null, { owner: 'orders' }), alias: 'rows' },
      ],
    },
    [
      ['north', 60.6, 3],
      ['south', 80.8, 1],
      [null, null, 2],
    ],
  ],
  [
    'computes a measure of fields of two entities for each row of the entity that has one row of the other',
    {
      keys: [key(region)],
      measures: [{ use: spot('value', 'SUM', call('*', field('order_items.qty'), amount)), alias: 'value' }],
    },
    [
      ['north', 303],
      ['south', 40.4],
      [null, null],
    ],
  ],
  [
    'finds the first and last of strings and dates of several entities',
    {
      keys: [key(region)],
      measures: [
        { use: spot('last', 'MAX', status), alias: 'last' },
        { use: spot('first', 'MIN', field('customers.name')), alias: 'first' },
        { use: spot('day', 'MAX', field('orders.ordered_on')), alias: 'day' },
      ],
    },
    [
      ['north', 'paid', 'Anna', '2024-02-29'],
      ['south', 'paid', '100%_!', '2024-03-01'],
      [null, 'open', 'dora', '2024-03-15'],
    ],
  ],
  [
    'finds medians and means of expressions',
    {
      keys: [key(dimension('orders.status'))],
      measures: [
        { use: spot('median', 'MEDIAN', amount), alias: 'median' },
        { use: spot('mean', 'AVG', field('orders.id')), alias: 'mean' },
        { use: spot('customers', 'COUNT_DISTINCT', field('customers.id')), alias: 'customers' },
      ],
    },
    [
      ['open', 17.65, 4, 1],
      ['paid', 20.2, 7 / 3, 2],
      [null, null, 6, 2],
    ],
  ],
  [
    'computes items and order of groups, and conditions of whole groups',
    {
      keys: [key(region)],
      measures: [
        { use: revenue, alias: null },
        { use: orders, alias: null },
      ],
      having: [{ kind: 'expression', expression: call('>', result(revenue), integer(20)) }],
      items: [{ alias: 'mean', value: call('/', result(revenue), result(orders)) }, plain(region, 'where')],
      orderBy: [{ value: call('/', result(revenue), result(orders)), desc: true, nullsFirst: false }],
    },
    [
      [40.4, 'south'],
      [20.2, 'north'],
    ],
  ],
  [
    'computes items of measures of several entities',
    {
      keys: [key(region)],
      measures: [
        { use: measure('customers.customers'), alias: null },
        { use: orders, alias: null },
      ],
      items: [
        {
          alias: 'each',
          value: createCase([{ when: call('IS NULL', result(region)), value: integer(-1) }], result(orders)),
        },
        plain(region, 'region'),
        { alias: 'sum', value: call('+', result(orders), result(measure('customers.customers'))) },
      ],
      orderBy: [order(region, true)],
    },
    [
      [1, 'south', 3],
      [3, 'north', 5],
      [-1, null, 3],
    ],
  ],
  [
    'leaves a key out of the result',
    {
      keys: [key(region)],
      measures: [{ use: revenue, alias: null }],
      items: [plain(revenue, 'revenue')],
      orderBy: [order(revenue)],
    },
    [[5], [40.4], [60.6]],
  ],
  [
    'leaves a key out of a result without measures, and keeps its rows',
    {
      keys: [key(dimension('orders.status')), key(size)],
      items: [plain(dimension('orders.status'), 'status')],
      orderBy: [order(dimension('orders.status'))],
    },
    [['open'], ['open'], ['paid'], ['paid'], [null]],
  ],
  [
    'orders by a measure that is not selected',
    { keys: [key(region)], items: [plain(region, 'region')], orderBy: [order(revenue, true)] },
    [['north'], ['south'], [null]],
  ],
  [
    'puts NULL first if the statement requests it',
    { keys: [key(region)], items: [plain(region, 'region')], orderBy: [order(region, true, true)] },
    [[null], ['south'], ['north']],
  ],
  [
    'orders by an expression of a key',
    {
      keys: [key(region)],
      items: [plain(region, 'region')],
      orderBy: [
        { value: call('LENGTH', call('||', result(region), text('!'))), desc: false, nullsFirst: true },
        order(region),
      ],
    },
    [[null], ['north'], ['south']],
  ],
  [
    'lists values of the rows of its root',
    { root: index.entities.get('orders')!, keys: [key(dimension('stores.city'))] },
    [['Berlin'], ['Bern'], [null]],
  ],
  ['returns no row of an empty entity', { keys: [key(region)], limit: { fetch: 0, skip: 0 } }, []],
];

describe.each(RUNS)('a resolved query in the SQL of %s', (platform, engine) => {
  const database = shareShop(engine);

  it.skipIf(!hasPlatform(engine)).each(CASES)('%s', async (_, given, due) => {
    const { sql } = compileResolved(index, createQuery(given), { dialect: platform, strict: false });
    const rows = await database.run(sql);
    const sorted = given.orderBy === undefined ? rows.toSorted(compareRows) : rows;
    expect(sorted.map(round), sql).toEqual(due.map(round));
  });
});

const round = (row: readonly Simple[]) =>
  row.map((value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value));
const compareRows = (a: readonly Simple[], b: readonly Simple[]) =>
  JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
