import { describe, expect, it } from 'vitest';
import { compileQuery } from '../../../src/semantic/compile/compile-query.ts';
import { SemanticError } from '../../../src/semantic/errors.ts';
import { ask } from '../ask.ts';
import { openShop } from '../shop-database.ts';
import { importText } from './import-fixture.ts';

/** The joins in the entities of a model: relationships, and unreachable entities. */
function listJoins({ model, failures, errors }: ReturnType<typeof importText>): readonly string[] {
  expect([failures, errors]).toEqual([[], []]);
  const entities = model!.layers.flatMap((layer) => layer.domains.flatMap((domain) => domain.entities));
  return entities.flatMap(({ name, relationships, unreachable }) => [
    ...relationships.map(({ joinType, toEntity, expr }) => `${name} ${joinType} ${toEntity} ON ${expr}`),
    ...unreachable.map(({ joinType, toEntity, reason }) => `${name} ${joinType} ${toEntity}: ${reason}`),
  ]);
}

/** The SQL of a query, or its error. */
function answer({ index }: ReturnType<typeof importText>, dimensions: string, measures: string): string {
  try {
    return compileQuery(index!, ask(dimensions, measures), { dialect: 'duckdb', strict: false }).sql;
  } catch (error) {
    if (error instanceof SemanticError) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

describe('a Cube join that is left out', () => {
  const withOrders = (joins: string, more = '') =>
    importText(
      'cube',
      `cubes:
- name: orders
  sql_table: orders
  measures: [{ name: count, type: count }]
  joins:
  - { name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers}.id" }
${joins}
- name: customers
  sql_table: customers
  joins: [{ name: cities, relationship: many_to_one, sql: "{CUBE}.city_id = {cities}.id" }]
- { name: cities, sql_table: cities, dimensions: [{ name: name, sql: name, type: string }] }
${more}`,
    );

  it.each([
    [
      'for a template',
      `  - { name: cities, relationship: many_to_one, sql: "{CUBE}.city_id = {cities}.id AND {FILTER_PARAMS.orders.day.filter('day')}" }`,
      "orders MANY_TO_ONE cities: the import from Cube left out the join of orders with cities: only the other tool understands `{FILTER_PARAMS.orders.day.filter('day')}`",
    ],
    [
      'for its relationship',
      '  - { name: cities, relationship: many_to_many, sql: "{CUBE}.city_id = {cities}.id" }',
      'orders null cities: the import from Cube left out the join of orders with cities: the type `many_to_many` is unknown',
    ],
    [
      'for what the model may not have',
      '  - { name: cities, relationship: one_to_one, sql: "MAX({CUBE}.city_id) = {cities}.id" }',
      'orders ONE_TO_ONE cities: the import from Cube left out the join of orders with cities: a join is computed row by row, and `MAX` aggregates rows',
    ],
  ])('leaves no detour: %s', (_, join, recorded) => {
    const imported = withOrders(join);
    expect(listJoins(imported)).toEqual([
      'orders MANY_TO_ONE customers ON orders.customer_id = customers.id',
      recorded,
      'customers MANY_TO_ONE cities ON customers.city_id = cities.id',
    ]);
    expect(answer(imported, 'cities.name', 'orders.count')).toMatch(
      /^refused: The path from orders to cities needs .* left out the join of orders with cities: /,
    );
  });

  it('leaves no detour around a cube that is also left out', () => {
    const stops = `- name: stops
  sql_table: stops_{{ year }}
  joins: [{ name: cities, relationship: many_to_one, sql: "{CUBE}.city_id = {cities}.id" }]
`;
    const join = '  - { name: stops, relationship: one_to_one, sql: "{CUBE}.stop_id = {stops}.id" }';
    const imported = withOrders(join, stops);
    expect(listJoins(imported)).toContainEqual(
      'orders MANY_TO_ONE cities: the import from Cube left out the join of orders with stops: `stops` was left out',
    );
    expect(answer(imported, 'cities.name', 'orders.count')).toMatch(/^refused: /);
  });

  it('has no effect if nothing is left out, or no other entity is involved', () => {
    const direct = withOrders(
      '  - { name: cities, relationship: many_to_one, sql: "{CUBE}.city_id = {cities}.id" }',
    );
    expect(answer(direct, 'cities.name', 'orders.count')).toMatch(/^SELECT/);
    const own = withOrders('  - { name: orders, relationship: one_to_one, sql: "{CUBE}.a = {orders}.b" }');
    expect(listJoins(own).some((line) => line.includes('left out'))).toBe(false);
    expect(own.lines).toContainEqual(expect.stringContaining('a cube cannot join itself in Cube'));
  });
});

describe('an Ossie join that is left out', () => {
  it('leaves no detour, whether its columns or its dataset are invalid', () => {
    const imported = importText(
      'ossie',
      `name: m
datasets:
- { name: orders, source: orders }
- { name: customers, source: customers }
- { name: cities, source: cities }
- { name: regions, source: regions }
- { name: stops, source: "stops;" }
relationships:
- { name: customer, from: orders, to: customers, from_columns: [customer_id], to_columns: [id] }
- { name: home, from: customers, to: cities, from_columns: [city_id], to_columns: [id] }
- { name: city, from: orders, to: cities, from_columns: [city, country], to_columns: [id] }
- { name: stop, from: customers, to: stops, from_columns: [stop_id], to_columns: [id] }
- { name: stop_order, from: Stops, to: orders, from_columns: [order_id], to_columns: [id] }
- { name: stop_region, from: Stops, to: regions, from_columns: [region_id], to_columns: [id] }
`,
    );
    expect(listJoins(imported).filter((line) => line.includes('left out'))).toEqual([
      'orders MANY_TO_ONE cities: the import from Apache Ossie left out the relationship city: its two sides have different numbers of columns',
      // The relationship of customers and orders is shorter than the path through the dataset that is left out.
      'customers MANY_TO_ONE regions: the import from Apache Ossie left out the relationship stop: there is no `stops` to join',
    ]);
  });
});

const PARTITION = (type = 'time') =>
  `{ name: ds, type: ${type}, is_partition: true${type === 'time' ? ', type_params: { time_granularity: day }' : ''} }`;

describe('partitioned semantic models of dbt', () => {
  const read = (views: string, users: string) =>
    importText(
      'dbt',
      `semantic_models:
- name: views
  model: ref('views')
  entities: [{ name: view, type: primary, expr: id }, { name: user, type: foreign, expr: user_id }]
  dimensions: [${views}]
  measures: [{ name: views, agg: count, expr: "1", create_metric: true }]
- name: users
  model: ref('users')
  entities: [{ name: user, type: primary, expr: user_id }]
  dimensions: [{ name: state, type: categorical }${users}]
`,
    );

  it('are joined by the partitions that both have, which are part of their keys', async () => {
    const imported = read(PARTITION(), `, ${PARTITION()}`);
    expect(listJoins(imported)).toEqual([
      'views MANY_TO_ONE users ON views.user_id = users.user_id AND views.ds = users.ds',
    ]);
    expect(imported.text).toContain('x_primary_key: [ user_id, ds ]');
    expect(imported.lines).toContainEqual(
      expect.stringContaining('`ds` is compared unchanged, but dbt compares its day'),
    );
    const database = await openShop('duckdb');
    await database.execute(
      "CREATE TEMP TABLE users AS SELECT * FROM (VALUES (1, DATE '2026-01-01', 'CA'), (1, DATE '2026-01-02', 'TX')) t(user_id, ds, state)",
    );
    await database.execute(
      "CREATE TEMP TABLE views AS SELECT * FROM (VALUES (1, 1, DATE '2026-01-01'), (2, 1, DATE '2026-01-02'), (3, 1, DATE '2026-01-02')) t(id, user_id, ds)",
    );
    const rows = await database.run(answer(imported, 'users.state', 'views.views'));
    await database.close();
    expect(rows.map(String).sort()).toEqual(['CA,1', 'TX,2']);
  });

  it('are compared by truncated columns if the partition is not a day', () => {
    const month = '{ name: ds, type: time, is_partition: true, type_params: { time_granularity: month } }';
    const cut = (name: string) => `CAST(DATE_TRUNC('month', ${name}.ds) AS DATE)`;
    expect(listJoins(read(month, `, ${month}`))).toEqual([
      `views MANY_TO_ONE users ON views.user_id = users.user_id AND ${cut('views')} = ${cut('users')}`,
    ]);
    expect(listJoins(read(PARTITION('categorical'), `, ${PARTITION('categorical')}`))).toEqual([
      'views MANY_TO_ONE users ON views.user_id = users.user_id AND views.ds = users.ds',
    ]);
  });

  it('are not joined if one side has a row for each partition that the other does not have', () => {
    const imported = read('', `, ${PARTITION()}`);
    expect(listJoins(imported)).toEqual([
      'views MANY_TO_ONE users: the import from dbt left out the join of views with users: users has a row for each `ds`, which views does not have',
    ]);
    expect(answer(imported, 'users.state', 'views.views')).toMatch(/^refused: /);
    expect(listJoins(read(PARTITION(), ''))).toEqual([
      'views MANY_TO_ONE users ON views.user_id = users.user_id',
    ]);
  });

  it('are not joined if a partition is left out', () => {
    const lost = PARTITION().replace('ds,', `ds, expr: "{{ var('ds') }}",`);
    expect(listJoins(read(lost, `, ${PARTITION()}`))).toEqual([
      'views MANY_TO_ONE users: the import from dbt left out the join of views with users: it needs `ds`, which could not be imported',
    ]);
  });

  it('determine by their partitions which side has one row', () => {
    const text = (one: string, other: string) => `semantic_models:
- { name: a, model: ref('a'), entities: [{ name: k, type: primary }], dimensions: [${one}] }
- { name: b, model: ref('b'), entities: [{ name: k, type: unique }], dimensions: [${other}] }
`;
    expect(listJoins(importText('dbt', text(PARTITION(), '')))).toEqual(['a MANY_TO_ONE b ON a.k = b.k']);
    expect(listJoins(importText('dbt', text('', PARTITION())))).toEqual(['a ONE_TO_MANY b ON a.k = b.k']);
    expect(listJoins(importText('dbt', text(PARTITION(), PARTITION())))).toEqual([
      'a ONE_TO_ONE b ON a.k = b.k AND a.ds = b.ds',
    ]);
  });
});

describe('a dbt join that is left out', () => {
  const KEYS: Readonly<Record<string, string>> = {
    'by a natural key': '{ name: user, type: natural, expr: user_id }',
    'by a template': `{ name: user, type: primary, expr: "{{ var('key') }}" }`,
  };

  it.each(Object.keys(KEYS))('leaves no detour: %s', (name) => {
    const imported = importText(
      'dbt',
      `semantic_models:
- name: views
  model: ref('views')
  entities: [{ name: user, type: foreign, expr: user_id }, { name: account, type: foreign }]
  measures: [{ name: views, agg: count, expr: "1", create_metric: true }]
- name: accounts
  model: ref('accounts')
  entities: [{ name: account, type: primary }, { name: owner, type: foreign }]
- name: users
  model: ref('users')
  entities: [${KEYS[name]}, { name: owner, type: unique, expr: owner_id }]
  dimensions: [{ name: state, type: categorical }]
`,
    );
    expect(listJoins(imported)).toContainEqual(expect.stringMatching(/^views MANY_TO_ONE users: /));
    expect(answer(imported, 'users.state', 'views.views')).toMatch(
      /To use another path, .* views\.account\.owner$/,
    );
  });

  it('leaves no detour around a semantic model with an unknown table', () => {
    const imported = importText(
      'dbt',
      `semantic_models:
- { name: a, model: ref('a'), entities: [{ name: b, type: foreign }, { name: x, type: foreign }], measures: [{ name: n, agg: count, create_metric: true }] }
- { name: b, model: "{{ table() }}", entities: [{ name: b, type: primary }, { name: c, type: foreign }] }
- { name: c, model: ref('c'), entities: [{ name: c, type: primary }], dimensions: [{ name: d, type: categorical }] }
- { name: x, model: ref('x'), entities: [{ name: x, type: primary }, { name: c, type: foreign }] }
`,
    );
    expect(listJoins(imported)).toContainEqual(
      'a MANY_TO_ONE c: the import from dbt left out the join of a with b: `b` was left out',
    );
    expect(answer(imported, 'c.d', 'a.n')).toMatch(/^refused: .*a\.x\.c$/);
  });
});
