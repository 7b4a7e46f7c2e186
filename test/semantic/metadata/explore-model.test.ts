import { describe, expect, it } from 'vitest';
import { compileQuery } from '../../../src/semantic/compile/compile-query.ts';
import { SemanticError } from '../../../src/semantic/errors.ts';
import { type Exploration, exploreModel } from '../../../src/semantic/metadata/explore-model.ts';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { ask, where } from '../ask.ts';
import { readOne } from '../files.ts';
import { createDimension, createEntity, createMeasure, createModel } from '../shop.ts';

const count = createMeasure({ name: 'rows', dataType: 'INTEGER', aggregation: 'COUNT', expr: '*' });
const text = (name: string, hidden = false) => createDimension({ name, dataType: 'TEXT', hidden });
const toOne = (name: string, toEntity: string, expr: string) =>
  ({ name, joinType: 'MANY_TO_ONE', toEntity, expr }) as const;

const model = createModel([
  createEntity({
    name: 'orders',
    description: 'what was ordered',
    dimensions: [
      text('status'),
      text('secret', true),
      createDimension({ name: 'day', dataType: 'DATE' }),
      createDimension({ name: 'day_month', dataType: 'DATE', expr: 'day', grain: 'month' }),
    ],
    measures: [
      count,
      createMeasure({
        name: 'paid',
        dataType: 'DECIMAL',
        aggregation: 'SUM',
        expr: 'amount',
        filter: 'paid',
      }),
    ],
    relationships: [
      toOne('ship_to', 'addresses', 'orders.ship_id = addresses.id'),
      toOne('bill_to', 'addresses', 'orders.bill_id = addresses.id'),
    ],
  }),
  createEntity({
    name: 'items',
    dimensions: [text('sku')],
    measures: [count],
    relationships: [toOne('order', 'orders', 'items.order_id = orders.id')],
  }),
  createEntity({ name: 'addresses', dimensions: [text('country')] }),
  createEntity({ name: 'islands', dimensions: [text('name')], measures: [count] }),
]);
const index = createModelIndex(model);

function explore<K extends Exploration['kind']>(kind: K, name?: string): Extract<Exploration, { kind: K }> {
  const found = exploreModel(index, name);
  expect(found.kind).toBe(kind);
  return found as Extract<Exploration, { kind: K }>;
}

function readError(work: () => unknown): readonly [message: string, hint: string | undefined] {
  try {
    work();
  } catch (error) {
    if (error instanceof SemanticError) return [error.message, error.hint];
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('exploring a model', () => {
  it('lists entities and their related entities', () => {
    const { entities } = explore('model');
    expect(
      entities.map(({ name, dimensions, measures, related }) => [name, dimensions, measures, related]),
    ).toEqual([
      ['orders', 3, 2, ['addresses', 'items']],
      ['items', 1, 1, ['orders']],
      ['addresses', 1, 0, ['orders']],
      ['islands', 1, 1, []],
    ]);
    expect(entities[0]!.description).toBe('what was ordered');
    expect(entities[1]).not.toHaveProperty('description');
  });

  it('lists the fields of an entity except hidden ones, with grains, filters and paths', () => {
    const { dimensions, measures, relationships } = explore('entity', 'orders');
    expect(dimensions.map(({ name, x_grain }) => [name, x_grain])).toEqual([
      ['status', undefined],
      ['day', undefined],
      ['day_month', 'month'],
    ]);
    expect(measures.map(({ name, x_filter }) => [name, x_filter])).toEqual([
      ['rows', undefined],
      ['paid', 'paid'],
    ]);
    expect(relationships).toContainEqual({ name: 'items:order', to_entity: 'items', to_many: true });
  });

  it.each([
    ['orders.paid', { orders: 'yes', items: 'overlapping', addresses: 'no', islands: 'no' }],
    ['orders.status', { orders: 'yes', items: 'yes', islands: 'no' }],
    ['addresses.country', { orders: 'no', items: 'no', islands: 'no' }],
    ['items.rows', { orders: 'yes', items: 'yes', addresses: 'no', islands: 'no' }],
  ])('agrees with a query about %s', (name, due) => {
    const { together, field } = explore('field', name);
    expect(Object.fromEntries(together.map(({ entity, answer }) => [entity, answer]))).toEqual(due);
    for (const { entity, fields, answer, reason } of together) {
      const other = `${entity}.${fields[0]}`;
      const query = 'aggregation_type' in field ? ask(other, name) : ask(name, other);
      const compile = () => compileQuery(index, query, { dialect: 'duckdb', strict: true });
      if (answer === 'yes') expect(compile().sql).toContain('SELECT');
      else if (answer === 'no') expect(readError(compile)[0]).toBe(reason);
      else expect(readError(compile)[0]).toContain('groups overlap');
    }
  });

  it.each([
    ['ordres', 'Entity not found: ordres', 'did you mean `orders`?'],
    ['x.status', 'Entity not found: x', undefined],
    ['orders.stats', 'Field not found: stats in entity orders', 'did you mean `status`?'],
    ['orders.secret', 'Field not found: secret in entity orders', undefined],
    ['orders.', 'Field not found:  in entity orders', undefined],
    ['.', 'Entity not found: .', undefined],
    ['__proto__', 'Entity not found: __proto__', undefined],
  ])('refuses %s', (name, message, hint) => {
    expect(readError(() => exploreModel(index, name))).toEqual([message, hint]);
  });
});

describe('unknown names in a query', () => {
  it.each([
    [ask('orders.ship_too.country', ''), 'did you mean `orders.ship_to`?'],
    [ask('orders.paid', ''), 'use it as a measure'],
    [ask('', 'orders.status'), 'use it as a dimension'],
    [ask('orders.country', ''), 'did you mean `addresses.country`?'],
    [ask('orders.day:month', ''), 'did you mean `day_month`?'],
    [ask('orders.day:year', ''), 'add `x_grains: [year]` to day in the model'],
    [ask('orders.status_year', ''), undefined],
    [ask('orders.secert', ''), undefined],
    [ask('orders.status', '', { filters: [where('orders.rwos', 'IS_NULL')] }), 'did you mean `rows`?'],
  ])('get a hint: %#', (query, hint) => {
    expect(readError(() => compileQuery(index, query, { dialect: 'duckdb', strict: false }))[1]).toBe(hint);
  });
});

describe('descriptions', () => {
  const { index: described } = readOne(`version: "1.0"
layers:
- name: shop
  environment: { platform: duckdb }
  domains:
  - name: sales
    description: What was sold
    entities:
    - name: orders
      table_name: orders
      description: One row for each order
      dimensions:
      - { name: day, data_type: DATE, expr: day, x_grains: [month], x_description: When it was ordered }
      measures:
      - { name: revenue, data_type: DECIMAL, aggregation_type: SUM, expr: amount, x_description: Without tax }
      - { name: rows, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }
  - { name: people, entities: [] }
`);

  it('appear in explore', () => {
    expect(exploreModel(described!, undefined)).toMatchObject({
      domains: [{ name: 'sales', description: 'What was sold' }],
      entities: [{ name: 'orders', description: 'One row for each order' }],
    });
    expect(exploreModel(described!, 'orders')).toMatchObject({
      dimensions: [{ description: 'When it was ordered' }, { description: 'When it was ordered' }],
      measures: [{ description: 'Without tax' }, {}],
    });
    expect(explore('model')).not.toHaveProperty('domains');
  });

  it('appear in explain, next to the columns of the plan', () => {
    const question = ask('orders.day_month', 'orders.revenue, orders.rows');
    const { plan } = compileQuery(described!, question, { dialect: 'duckdb', strict: false });
    expect([...plan.dimensions, ...plan.measures].map(({ description }) => description)).toEqual([
      'When it was ordered',
      'Without tax',
      undefined,
    ]);
  });
});
