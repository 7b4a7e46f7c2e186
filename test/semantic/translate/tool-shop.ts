import type { DataType, Measure, Model, Platform } from '../../../src/semantic/model/model.ts';
import { createDimension, createEntity, createMeasure, createModel } from '../shop.ts';

/** The moment at which the statements of tools run: in New York it is still March. */
export const NOW = '2026-04-01 02:30:00';

type Columns = Readonly<Record<string, DataType>>;

const ORDERS: Columns = {
  id: 'INTEGER',
  customer_id: 'INTEGER',
  product_id: 'INTEGER',
  status: 'TEXT',
  channel: 'TEXT',
  amount: 'DECIMAL',
  discount: 'FLOAT',
  quantity: 'INTEGER',
  rush: 'BOOLEAN',
  ordered_at: 'DATETIME',
  shipped_on: 'DATE',
};
const CUSTOMERS: Columns = {
  id: 'INTEGER',
  name: 'TEXT',
  region: 'TEXT',
  segment: 'TEXT',
  joined_on: 'DATE',
};
const PRODUCTS: Columns = { id: 'INTEGER', title: 'TEXT', category: 'TEXT', price: 'DECIMAL' };

const TABLES = { orders: ORDERS, customers: CUSTOMERS, products: PRODUCTS };

/** The measures of the orders, whose argument is the column of the view with the same name. */
const MEASURES: readonly (readonly [
  name: string,
  aggregation: Measure['aggregation'],
  expr: string,
  dataType: Measure['dataType'],
])[] = [
  ['revenue', 'SUM', 'amount', 'DECIMAL'],
  ['units', 'SUM', 'quantity', 'INTEGER'],
  ['orders', 'COUNT', '*', 'INTEGER'],
  ['buyers', 'COUNT_DISTINCT', 'customer_id', 'INTEGER'],
  ['average', 'AVG', 'amount', 'DECIMAL'],
  ['largest', 'MAX', 'amount', 'DECIMAL'],
];

/** The relationships of the orders, and the prefix of the columns that they add to the view. */
const RELATIONSHIPS = { customer: 'customers', product: 'products' } as const;

const toDimensions = (columns: Columns) =>
  Object.entries(columns).map(([name, dataType]) => createDimension({ name, dataType }));

/** The model: one entity that tools query as a wide table, and two that it reaches. */
export function createToolModel(platform: Platform, timezone: string): Model {
  const [orders, customers, products] = Object.entries(TABLES).map(([name, columns]) =>
    createEntity({ name, table: `shop.base_${name}`, primaryKey: ['id'], dimensions: toDimensions(columns) }),
  );
  const measures = MEASURES.map(([name, aggregation, expr, dataType]) =>
    createMeasure({ name, aggregation, expr, dataType }),
  );
  const relationships = Object.entries(RELATIONSHIPS).map(([name, toEntity]) => ({
    name,
    joinType: 'MANY_TO_ONE' as const,
    toEntity,
    expr: `orders.${name}_id = ${toEntity}.id`,
  }));
  return createModel([{ ...orders!, measures, relationships }, customers!, products!], {
    platform,
    timezone,
  });
}

/** Statements that create the views whose columns are the fields of the model, on PostgreSQL. */
export function createViews(): readonly string[] {
  const toColumn = (alias: string) => (name: string) =>
    name === 'ordered_at' ? `${alias}.ordered_at AT TIME ZONE 'UTC' AS ordered_at` : `${alias}.${name}`;
  const own = Object.keys(ORDERS).map(toColumn('o'));
  const measures = MEASURES.map(([name, , expr]) => `${expr === '*' ? '1' : `o.${expr}`} AS ${name}`);
  const reached = Object.values(RELATIONSHIPS).flatMap((entity) =>
    Object.keys(TABLES[entity]).map((name) => `${entity}.${name} AS "${entity}.${name}"`),
  );
  const joins = Object.entries(RELATIONSHIPS).map(
    ([name, entity]) => `LEFT JOIN shop.base_${entity} ${entity} ON o.${name}_id = ${entity}.id`,
  );
  return [
    `CREATE VIEW shop.orders AS SELECT ${[...own, ...measures, ...reached].join(', ')}
      FROM shop.base_orders o ${joins.join(' ')}`,
    'CREATE VIEW shop.customers AS SELECT * FROM shop.base_customers',
    'CREATE VIEW shop.products AS SELECT * FROM shop.base_products',
    'SET search_path TO shop',
  ];
}

/** The functions of Redshift that tools write, and PostgreSQL lacks. */
export const REDSHIFT_FUNCTIONS: readonly string[] = [
  `CREATE FUNCTION shop.datediff(unit text, a timestamptz, b timestamptz) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT CASE unit
      WHEN 'year' THEN extract(year from b)::integer - extract(year from a)::integer
      WHEN 'month' THEN (extract(year from b)::integer - extract(year from a)::integer) * 12
        + extract(month from b)::integer - extract(month from a)::integer
      WHEN 'week' THEN (date_trunc('week', b)::date - date_trunc('week', a)::date) / 7
      WHEN 'day' THEN b::date - a::date
    END $$`,
  `CREATE FUNCTION shop.dateadd(unit text, count integer, at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT at + count * ('1 ' || unit)::interval $$`,
];
