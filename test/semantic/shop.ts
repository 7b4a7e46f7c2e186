import type {
  Dimension,
  Entity,
  Grain,
  Layer,
  Measure,
  Model,
  Relationship,
} from '../../src/semantic/model/model.ts';
import type { EnginePlatform } from './oracle/engine.ts';

type Given<T, K extends keyof T> = Pick<T, K> & Partial<Omit<T, K>>;

export function createDimension(given: Given<Dimension, 'name' | 'dataType'>): Dimension {
  return { hidden: false, expr: given.name, grain: null, caseSensitive: false, synonyms: [], ...given };
}

export function createMeasure(given: Given<Measure, 'name' | 'dataType' | 'aggregation' | 'expr'>): Measure {
  return { hidden: false, filter: null, synonyms: [], ...given };
}

export function createEntity({
  name,
  table = `shop.${name}`,
  ...given
}: Given<Entity, 'name'> & { readonly table?: string }): Entity {
  const source = { kind: 'table', name: table } as const;
  return {
    name,
    source,
    primaryKey: null,
    synonyms: [],
    dimensions: [],
    measures: [],
    relationships: [],
    unreachable: [],
    ...given,
  };
}

export function createModel(entities: readonly Entity[], layer: Partial<Layer> = {}): Model {
  const domains = [{ name: 'sales', synonyms: [], entities }];
  const own = { name: 'shop', platform: 'duckdb', timezone: 'UTC', synonyms: [], domains, ...layer } as const;
  return { version: '1.0', layers: [own] };
}

const manyToOne = (name: string, toEntity: string, expr: string): Relationship => ({
  name,
  joinType: 'MANY_TO_ONE',
  toEntity,
  expr,
});

const text = (name: string, more: Partial<Dimension> = {}) =>
  createDimension({ name, dataType: 'TEXT', ...more });
const cutDates = (expr: string, grains: readonly Grain[]) =>
  grains.map((grain) => createDimension({ name: `${expr}_${grain}`, dataType: 'DATE', expr, grain }));
const count = (name: string) => createMeasure({ name, dataType: 'INTEGER', aggregation: 'COUNT', expr: '*' });
const decimal = (
  name: string,
  aggregation: Measure['aggregation'],
  expr: string,
  filter: string | null = null,
) => createMeasure({ name, dataType: 'DECIMAL', aggregation, expr, filter });

const customers = createEntity({
  name: 'customers',
  primaryKey: ['id'],
  dimensions: [
    createDimension({ name: 'id', dataType: 'INTEGER' }),
    text('name'),
    text('region'),
    text('tier', { expr: "COALESCE(region, 'none')" }),
    createDimension({ name: 'active', dataType: 'BOOLEAN' }),
    text('secret', { expr: 'name', hidden: true }),
  ],
  measures: [count('customers'), decimal('credit', 'SUM', 'credit')],
});

const stores = createEntity({
  name: 'stores',
  dimensions: [text('city'), text('store', { expr: 'name' })],
  measures: [count('stores')],
});

const orders = createEntity({
  name: 'orders',
  dimensions: [
    createDimension({ name: 'id', dataType: 'INTEGER' }),
    text('status'),
    createDimension({ name: 'ordered_on', dataType: 'DATE' }),
    createDimension({ name: 'ordered_on_month', dataType: 'DATE', expr: 'ordered_on', grain: 'month' }),
    ...cutDates('ordered_on', ['week', 'quarter', 'year']),
    createDimension({ name: 'placed_at', dataType: 'DATETIME' }),
    ...cutDates('placed_at', ['day', 'week', 'month']),
    createDimension({ name: 'amount', dataType: 'DECIMAL' }),
    createDimension({ name: 'weight', dataType: 'FLOAT' }),
  ],
  measures: [
    count('orders'),
    decimal('revenue', 'SUM', 'amount'),
    decimal('paid', 'SUM', 'amount', "status = 'paid'"),
    decimal('median_amount', 'MEDIAN', 'amount'),
    decimal('mean_amount', 'AVG', 'amount'),
    decimal('aov', 'CUSTOM', 'SUM(amount) * 1e0 / NULLIF(COUNT(*), 0)'),
    decimal('paid_aov', 'CUSTOM', 'SUM(amount) / COUNT(*)', "status = 'paid'"),
    createMeasure({
      name: 'buyers',
      dataType: 'INTEGER',
      aggregation: 'COUNT_DISTINCT',
      expr: 'customer_id',
    }),
    createMeasure({ name: 'median_weight', dataType: 'FLOAT', aggregation: 'MEDIAN', expr: 'weight' }),
    decimal('largest', 'MAX', 'amount'),
    decimal('smallest', 'MIN', 'amount'),
  ],
  relationships: [
    manyToOne('customer', 'customers', 'orders.customer_id = customers.id'),
    manyToOne('store', 'stores', 'orders.store_id = stores.id'),
  ],
});

const items = createEntity({
  name: 'order_items',
  dimensions: [createDimension({ name: 'qty', dataType: 'INTEGER' })],
  measures: [
    createMeasure({ name: 'units', dataType: 'INTEGER', aggregation: 'SUM', expr: 'qty' }),
    decimal('value', 'SUM', 'qty * price'),
    decimal('mean_qty', 'AVG', 'qty'),
  ],
  relationships: [
    manyToOne('order', 'orders', 'order_items.order_id = orders.id'),
    manyToOne('product', 'products', 'order_items.product_id = products.id'),
  ],
});

const products = createEntity({
  name: 'products',
  dimensions: [text('category'), text('product', { expr: 'name' })],
  measures: [count('products'), decimal('price_list', 'SUM', 'price')],
});

const returns = createEntity({
  name: 'returns',
  dimensions: [text('reason', { caseSensitive: true })],
  measures: [count('returns'), decimal('refunds', 'SUM', 'amount')],
  relationships: [manyToOne('order', 'orders', 'returns.order_id = orders.id')],
});

/** A shop whose data have NULL keys, orphans and parents without children. */
export const shop: Model = createShop({});

/** The shop in a layer with the given properties. */
export function createShop(layer: Partial<Layer>): Model {
  return createModel([customers, stores, orders, items, products, returns], layer);
}

/** Statements that create and fill the shop's tables. */
export function createShopTables(platform: EnginePlatform): readonly string[] {
  const timestamp = platform === 'mysql' ? 'DATETIME(6)' : 'TIMESTAMP';
  return [
    'CREATE SCHEMA shop',
    `CREATE TABLE shop.customers (id INTEGER, name VARCHAR(40), region VARCHAR(40), active BOOLEAN, credit DECIMAL(10, 2))`,
    `INSERT INTO shop.customers VALUES (1, 'Anna', 'north', TRUE, 100.10), (2, 'Bert', 'north', FALSE, 50),
    (3, 'Çelik', 'south', TRUE, 10), (4, 'dora', NULL, NULL, 5), (5, '100%_!', 'south', TRUE, NULL)`,
    'CREATE TABLE shop.stores (id INTEGER, name VARCHAR(40), city VARCHAR(40))',
    "INSERT INTO shop.stores VALUES (1, 'Mitte', 'Berlin'), (2, 'Old Town', 'Bern'), (3, 'Empty', 'Berlin')",
    `CREATE TABLE shop.orders (id INTEGER, customer_id INTEGER, store_id INTEGER, status VARCHAR(20),
    ordered_on DATE, placed_at ${timestamp}, amount DECIMAL(10, 2), weight DOUBLE PRECISION)`,
    `INSERT INTO shop.orders VALUES
    (1, 1, 1, 'paid', '2024-01-31', '2024-01-31 23:59:59.5', 10.10, 0.5),
    (2, 1, 1, 'paid', '2024-02-01', '2024-02-01 00:00:00', 20.20, 1.5),
    (3, 2, 2, 'open', '2024-02-29', '2024-02-29 12:00:00', 30.30, 2.5),
    (4, 3, NULL, 'paid', '2024-03-01', '2024-03-01 08:00:00', 40.40, NULL),
    (5, NULL, 1, 'open', '2024-03-15', '2024-03-15 09:30:00', 5.00, 0.25),
    (6, 99, 2, NULL, NULL, NULL, NULL, NULL)`,
    'CREATE TABLE shop.products (id INTEGER, name VARCHAR(40), category VARCHAR(40), price DECIMAL(10, 2))',
    `INSERT INTO shop.products VALUES (1, 'pen', 'office', 1.00), (2, 'desk', 'office', 2.00),
    (3, 'tea', 'food', 3.00), (4, 'unsold', 'food', 4.00)`,
    'CREATE TABLE shop.order_items (order_id INTEGER, product_id INTEGER, qty INTEGER, price DECIMAL(10, 2))',
    `INSERT INTO shop.order_items VALUES (1, 1, 2, 1.05), (1, 2, 1, 8.00), (1, 3, 1, 2.10), (2, 1, 4, 5.05),
    (3, 3, 3, 10.10), (3, 3, 3, 10.10), (NULL, 1, 7, 1.00), (4, NULL, 1, 40.40), (98, 2, 5, 1.00)`,
    'CREATE TABLE shop.returns (order_id INTEGER, reason VARCHAR(40), amount DECIMAL(10, 2))',
    "INSERT INTO shop.returns VALUES (1, 'Broken', 1.00), (1, 'broken', 2.00), (3, 'late', 3.00), (97, 'late', 4.00)",
  ];
}
