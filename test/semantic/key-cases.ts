import type { Model } from '../../src/semantic/model/model.ts';
import type { SemanticQuery } from '../../src/semantic/query/query.ts';
import { ask, where } from './ask.ts';
import { createDimension, createMeasure, createModel, shop } from './shop.ts';
import type { Simple } from './shop-database.ts';

const number = (name: string, expr: string) => createDimension({ name, dataType: 'DECIMAL', expr });
const sum = (name: string, expr: string, filter: string | null = null) =>
  createMeasure({ name, dataType: 'DECIMAL', aggregation: 'SUM', expr, filter });

/** The shop with constant, sub-query and window fields in orders. */
export const keyModel: Model = createModel(
  shop.layers[0]!.domains[0]!.entities.map((entity) => {
    if (entity.name !== 'orders') return entity;
    return {
      ...entity,
      dimensions: [
        ...entity.dimensions,
        createDimension({ name: 'all', dataType: 'TEXT', expr: "'all'" }),
        createDimension({ name: 'two', dataType: 'INTEGER', expr: '2' }),
        number('most', '(SELECT MAX(amount) FROM shop.orders)'),
        createDimension({ name: 'place', dataType: 'INTEGER', expr: 'RANK() OVER (ORDER BY id)' }),
      ],
      measures: [
        ...entity.measures,
        sum('above', 'amount', 'amount > (SELECT AVG(amount) FROM shop.orders)'),
        sum('gap', '(SELECT MAX(amount) FROM shop.orders) - amount'),
        sum('gain', 'amount - LAG(amount) OVER (ORDER BY id)'),
        sum('firsts', '1', 'ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY id) = 1'),
      ],
    };
  }),
);

/** A query with its expected rows. */
interface KeyCase {
  readonly name: string;
  readonly query: SemanticQuery;
  readonly rows: readonly (readonly Simple[])[];
}

const orderBy = (...fields: readonly string[]): Partial<SemanticQuery> => ({
  orderBy: fields.map((field) => ({ field: { entity: 'orders', field }, desc: false })),
});
const byCategory: Partial<SemanticQuery> = {
  orderBy: [{ field: { entity: 'products', field: 'category' }, desc: false }],
};

/** Queries that group by, filter by and aggregate expressions without columns. */
export const KEY_CASES: readonly KeyCase[] = [
  {
    name: 'groups by constants',
    query: ask('orders.two, orders.all', 'orders.orders', orderBy('all', 'two')),
    rows: [[2, 'all', 6]],
  },
  {
    name: 'groups by constants and another entity',
    query: ask('orders.all, customers.active', 'orders.orders', {
      filters: [where('customers.region', 'EQUALS', 'north')],
      orderBy: [{ field: { entity: 'customers', field: 'active' }, desc: true }],
    }),
    rows: [
      ['all', true, 2],
      ['all', false, 1],
    ],
  },
  {
    name: 'groups by a sub-query, and aggregates others',
    query: ask('orders.most', 'orders.orders, orders.above, orders.gap'),
    rows: [[40.4, 6, 70.7, 96]],
  },
  {
    name: 'groups by a window over all rows, with any filter',
    query: ask('orders.place', 'orders.orders', {
      filters: [where('orders.status', 'EQUALS', 'paid')],
      ...orderBy('place'),
    }),
    rows: [
      [1, 1],
      [2, 1],
      [4, 1],
    ],
  },
  {
    name: 'filters by a window',
    query: ask('', 'orders.revenue', { filters: [where('orders.place', 'GREATER_THAN', '2')] }),
    rows: [[75.7]],
  },
  {
    name: 'aggregates windows, and counts by one',
    query: ask('orders.status', 'orders.gain, orders.firsts', {
      filters: [where('customers.region', 'EQUALS', 'north')],
      ...orderBy('status'),
    }),
    rows: [
      ['open', 10.1, 1],
      ['paid', 10.1, 1],
    ],
  },
  {
    name: 'aggregates windows of rows that a join repeats',
    query: ask('products.category', 'orders.gain, orders.firsts', {
      filters: [where('orders.status', 'EQUALS', 'paid')],
      ...byCategory,
    }),
    rows: [
      ['food', null, 1],
      ['office', 10.1, 1],
      [null, 10.1, 1],
    ],
  },
  {
    name: 'aggregates windows next to a CUSTOM measure of rows that a join repeats',
    query: ask('products.category', 'orders.aov, orders.gain', {
      filters: [where('orders.status', 'EQUALS', 'paid')],
      ...byCategory,
    }),
    rows: [
      ['food', 10.1, null],
      ['office', 15.15, 10.1],
      [null, 40.4, 10.1],
    ],
  },
  {
    name: 'finds the median of a constant group',
    query: ask('orders.all', 'orders.median_amount'),
    rows: [['all', 20.2]],
  },
];
