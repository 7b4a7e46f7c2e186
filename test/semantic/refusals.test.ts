import { describe, expect, it } from 'vitest';
import { compileQuery } from '../../src/semantic/compile/compile-query.ts';
import { SemanticError } from '../../src/semantic/errors.ts';
import { createModelIndex } from '../../src/semantic/model/index/index-model.ts';
import type { Model, Platform, Relationship } from '../../src/semantic/model/model.ts';
import type { SemanticQuery } from '../../src/semantic/query/query.ts';
import { ask, toRef, where } from './ask.ts';
import { createDimension, createEntity, createMeasure, createModel, shop } from './shop.ts';

const relate = (
  joinType: Relationship['joinType'],
  name: string,
  toEntity: string,
  expr: string,
): Relationship => ({
  name,
  joinType,
  toEntity,
  expr,
});

const toOne = (name: string, toEntity: string, expr: string) => relate('MANY_TO_ONE', name, toEntity, expr);

const country = createDimension({ name: 'country', dataType: 'TEXT' });
const count = createMeasure({ name: 'rows', dataType: 'INTEGER', aggregation: 'COUNT', expr: '*' });

/** Two paths from orders to addresses, and from people to themselves. */
const parcels = createModel([
  createEntity({
    name: 'orders',
    dimensions: [createDimension({ name: 'status', dataType: 'TEXT' })],
    measures: [count],
    relationships: [
      toOne('ship_to', 'addresses', 'orders.ship_id = addresses.id'),
      toOne('bill_to', 'addresses', 'orders.bill_id = addresses.id'),
      toOne('buyer', 'people', 'orders.buyer_id = people.id'),
    ],
  }),
  createEntity({ name: 'addresses', dimensions: [country], measures: [count] }),
  createEntity({
    name: 'people',
    dimensions: [createDimension({ name: 'name', dataType: 'TEXT' })],
    measures: [count],
    relationships: [
      toOne('manager', 'people', 'people.manager_id = manager.id'),
      toOne('twin', 'people', 'people.twin_id = people.id'),
      relate('ONE_TO_MANY', 'orders', 'orders', 'people.id = orders.buyer_id'),
    ],
  }),
  createEntity({ name: 'islands', dimensions: [country] }),
]);

function compile(model: Model, query: SemanticQuery, strict = false, dialect: Platform = 'duckdb') {
  return compileQuery(createModelIndex(model), query, { dialect, strict });
}

function readError(model: Model, query: SemanticQuery, strict = false, dialect?: Platform) {
  try {
    compile(model, query, strict, dialect);
  } catch (error) {
    if (error instanceof SemanticError) return `${error.kind}: ${error.message}`;
    throw error;
  }
  return 'answered';
}

describe('a path', () => {
  it('is not chosen if there are several', () => {
    expect(readError(parcels, ask('addresses.country', 'orders.rows'))).toBe(
      'refused: Several paths lead from orders to addresses: orders.ship_to, orders.bill_to. Give one of them as the entity',
    );
    expect(readError(parcels, ask('orders.status', 'addresses.rows'))).toBe(
      'refused: Several paths lead from addresses to orders: addresses.orders:ship_to, addresses.orders:bill_to. Give one of them as the entity',
    );
  });

  it('can be named, and so can several together', () => {
    const { sql, columns, paths } = compile(
      parcels,
      ask('orders.ship_to.country, orders.bill_to.country', 'orders.rows'),
    );
    expect(columns.map(({ name }) => name)).toEqual([
      'orders_ship_to_country',
      'orders_bill_to_country',
      'rows',
    ]);
    expect(sql).toContain('LEFT JOIN shop.addresses AS "addresses" ON "orders".ship_id = "addresses".id');
    expect(sql).toContain('LEFT JOIN shop.addresses AS "addresses_2" ON "orders".bill_id = "addresses_2".id');
    expect(paths).toEqual(['orders: orders.ship_to → addresses', 'orders: orders.bill_to → addresses_2']);
    expect(compile(parcels, ask('addresses.orders:ship_to.status', 'addresses.rows')).sql).toContain(
      '"orders"."ship_id" = "addresses".id',
    );
  });

  it('leads from an entity to itself if both sides have names', () => {
    expect(compile(parcels, ask('people.manager.name, people.name', 'people.rows')).sql).toContain(
      'LEFT JOIN shop.people AS "people_2" ON "people".manager_id = "people_2".id',
    );
    expect(readError(parcels, ask('people.twin.name', 'people.rows'))).toMatch(
      /^refused: The condition of relationship twin/,
    );
  });

  it('is the same for both declarations of a relationship', () => {
    const { sql, plan } = compile(parcels, ask('people.name', 'orders.rows'));
    expect(sql).toContain('LEFT JOIN shop.people AS "people" ON "orders".buyer_id = "people".id');
    expect(plan.legs[0]!.joins).toHaveLength(1);
    expect(compile(parcels, ask('orders.status', 'people.rows')).paths).toEqual([
      'people: people.orders → orders',
    ]);
  });

  it('is reported as missing if it does not exist', () => {
    expect(readError(parcels, ask('islands.country', 'orders.rows'))).toBe(
      'refused: No relationships lead from orders to islands',
    );
    const filters = [where('islands.country', 'EQUALS', 'x')];
    expect(readError(parcels, ask('orders.status', 'orders.rows', { filters }))).toBe(
      'refused: No relationships lead from orders to islands',
    );
    expect(readError(parcels, ask('orders.nowhere.country', 'orders.rows'))).toBe(
      'invalid: Entity not found: orders.nowhere',
    );
  });
});

describe('a semantic query', () => {
  const ORDER = { orderBy: [{ field: toRef('orders.id'), desc: false }] };
  const OR = {
    type: 'OR',
    filters: [where('orders.revenue', 'GREATER_THAN', '1'), where('stores.city', 'IS_NULL')],
  } as const;

  it.each<readonly [string, SemanticQuery]>([
    ['invalid: At least one dimension or measure is required', ask('', '')],
    ['invalid: Entity not found: order', ask('order.id', '')],
    ['invalid: Field not found: nothing in entity orders', ask('', 'orders.nothing')],
    ['invalid: Field not found: secret in entity customers', ask('customers.secret', '')],
    [
      'invalid: Field not found: secret in entity customers',
      ask('customers.id', '', { filters: [where('customers.secret', 'IS_NULL')] }),
    ],
    ['invalid: Field not found: revenue in entity orders', ask('orders.revenue', '')],
    ['invalid: Field not found: status in entity orders', ask('', 'orders.status')],
    ['invalid: Field not found: constructor in entity orders', ask('orders.constructor', '')],
    ['invalid: Filters must not be empty', ask('orders.id', '', { filters: [{ type: 'AND', filters: [] }] })],
    ['invalid: Filters must not be empty', ask('orders.id', '', { filters: [{ type: 'OR', filters: [] }] })],
    ['invalid: Fetch must be greater than 0', ask('orders.id', '', { limit: { fetch: 0, skip: 0 } })],
    ['invalid: Skip must be 0 or greater', ask('orders.id', '', { limit: { fetch: 1, skip: -1 } })],
    ["invalid: Alias 'a' is given twice", ask('orders.id AS a, orders.status AS a', '')],
    ["invalid: Alias 'A' is given twice", ask('orders.id AS a, orders.status AS A', '')],
    ["invalid: Alias 'orders_id' is given twice", ask('orders.id, orders.id', '')],
    ["invalid: Alias '' cannot name a column", ask('orders.id AS ', '')],
    ["invalid: Alias 'a\0b' cannot name a column", ask('orders.id AS a\0b', '')],
    [
      'refused: Ordering by orders.id, which is not selected, would change the groups',
      ask('orders.status', 'orders.revenue', ORDER),
    ],
    [
      'refused: A filter that combines measures and dimensions with OR needs its dimensions selected: stores.city is not selected',
      ask('orders.status', 'orders.revenue', { filters: [OR] }),
    ],
    [
      'refused: Cannot join customers, products without a measure: none of them reaches all others over to-one relationships. Add a measure to the query',
      ask('customers.region, products.category', ''),
    ],
  ])('is answered %s', (message, query) => {
    expect(readError(shop, query)).toBe(message);
  });

  it('is refused in strict mode if groups overlap, and gives a warning otherwise', () => {
    const query = ask('products.category', 'orders.revenue');
    expect(readError(shop, query, true)).toMatch(
      /^refused: A row of orders can have several values of products\.category/,
    );
    expect(compile(shop, query).warnings).toEqual([
      'Groups of products.category overlap: a row of orders may be in several.',
    ]);
    expect(compile(shop, query).sql).toMatch(/^-- Groups of products.category overlap/);
    const filters = [where('products.category', 'EQUALS', 'food')];
    expect(readError(shop, ask('customers.region', 'orders.revenue', { filters }), true)).toBe('answered');
  });

  it('has columns with the names of its fields, unless several names would be equal', () => {
    const names = (query: SemanticQuery) => compile(shop, query).columns.map(({ name }) => name);
    expect(names(ask('orders.status, customers.name AS who', 'orders.revenue'))).toEqual([
      'status',
      'who',
      'revenue',
    ]);
    expect(names(ask('orders.id, customers.id', 'orders.revenue'))).toEqual([
      'orders_id',
      'customers_id',
      'revenue',
    ]);
    expect(names(ask('orders.id, orders.status AS id', ''))).toEqual(['orders_id', 'id']);
  });

  it('has no names that its platform would truncate', () => {
    const long = 'é'.repeat(32);
    expect(readError(shop, ask(`orders.id AS ${long}`, ''), false, 'postgresql')).toMatch(
      /is longer than 63 bytes$/,
    );
    expect(readError(shop, ask(`orders.id AS ${long}`, ''), false, 'mysql')).toBe('answered');
    expect(readError(shop, ask('orders.id AS 💛', ''), false, 'mysql')).toMatch(/cannot name a column$/);
  });

  it('is refused if its values have more text than platforms accept', () => {
    const values = Array.from({ length: 9 }, (_, at) => `${at}`.repeat(1_000_000));
    const filters = [where('orders.status', 'EQUALS', ...values)];
    expect(readError(shop, ask('orders.id', '', { filters }))).toBe(
      'refused: The SQL would be longer than platforms accept: use fewer values, or compute parts of it in a sub-query',
    );
  });

  it('uses the entity that reaches the others if it has no measures', () => {
    expect(compile(shop, ask('customers.region, order_items.qty', '')).plan.legs[0]!.root.entity).toBe(
      'order_items',
    );
  });
});

describe('a plan', () => {
  it('is plain data', () => {
    const { plan } = compile(shop, ask('customers.region', 'orders.revenue, returns.refunds'));
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });
});
