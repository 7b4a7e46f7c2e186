import { describe, expect, it } from 'vitest';
import { compileQuery } from '../../src/semantic/compile/compile-query.ts';
import { SemanticError } from '../../src/semantic/errors.ts';
import { exploreModel } from '../../src/semantic/metadata/explore-model.ts';
import { toMetadata } from '../../src/semantic/metadata/to-metadata.ts';
import { createModelIndex } from '../../src/semantic/model/index/index-model.ts';
import type { Entity, JoinType, Model } from '../../src/semantic/model/model.ts';
import type { SemanticQuery } from '../../src/semantic/query/query.ts';
import { ask, where } from './ask.ts';
import { findMessages, readOne, withEntities } from './files.ts';
import { createRandom } from './oracle/random.ts';
import { createQuestion } from './oracle/random-question.ts';
import { createWorld } from './oracle/random-world.ts';
import { toModel } from './oracle/world.ts';

const REASON = 'its condition is known to Cube alone';

/** The join of orders with the city of delivery has no SQL; another path leads to the city where the customer lives. */
const withJoin = (unreachable: string) =>
  readOne(
    withEntities(
      '- name: orders',
      '  table_name: orders',
      '  dimensions: [{ name: status, data_type: TEXT, expr: status }]',
      '  measures: [{ name: orders, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }]',
      '  relationships:',
      '  - { name: customer, join_type: MANY_TO_ONE, to_entity: customers, expr: orders.customer_id = customers.id }',
      `  ${unreachable}`,
      '- name: customers',
      '  table_name: customers',
      '  dimensions: [{ name: segment, data_type: TEXT, expr: segment }]',
      '  measures: [{ name: customers, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }]',
      '  relationships:',
      '  - { name: home, join_type: MANY_TO_ONE, to_entity: cities, expr: customers.city_id = cities.id }',
      '- name: cities',
      '  table_name: cities',
      '  dimensions: [{ name: name, data_type: TEXT, expr: name }]',
      '  measures: [{ name: cities, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }]',
      '  relationships:',
      '  - { name: country, join_type: MANY_TO_ONE, to_entity: countries, expr: cities.country_id = countries.id }',
      '- name: countries',
      '  table_name: countries',
      '  dimensions: [{ name: name, data_type: TEXT, expr: name }]',
    ),
  );

const LOST = `x_unreachable: [{ to_entity: cities, join_type: MANY_TO_ONE, reason: ${REASON} }]`;

/** The SQL of a query, or its error. */
function answer(model: Model, query: SemanticQuery): string {
  try {
    return compileQuery(createModelIndex(model), query, { dialect: 'duckdb', strict: false }).sql;
  } catch (error) {
    if (error instanceof SemanticError) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

describe('an entity that a relationship without SQL leads to', () => {
  const { model, diagnostics } = withJoin(LOST);
  const whole = withJoin(
    '- { name: city, join_type: MANY_TO_ONE, to_entity: cities, expr: orders.city_id = cities.id }',
  ).model!;

  it('is read without a warning', () => {
    expect(diagnostics).toEqual([]);
    expect(whole).not.toBeNull();
  });

  it.each([
    ['in its direction', ask('cities.name', 'orders.orders')],
    ['against its direction', ask('orders.status', 'cities.cities')],
    ['as a part of a longer path', ask('countries.name', 'orders.orders')],
    ['for a filter', ask('', 'orders.orders', { filters: [where('cities.name', 'EQUALS', 'Rome')] })],
    ['without measures', ask('orders.status, cities.name', '')],
    ['with measures that reach it', ask('cities.name', 'customers.customers, orders.orders')],
  ])('is not reached by another path: %s', (_, query) => {
    expect(answer(model!, query)).toMatch(
      new RegExp(
        `^refused: The path from \\w+ to \\w+ needs a relationship that the model has no SQL for: ${REASON}`,
      ),
    );
    expect(answer(whole, query)).toMatch(/^(SELECT|WITH)/m);
  });

  it('is reached by a path that the query chooses, which the error names', () => {
    const refusal = answer(model!, ask('cities.name', 'orders.orders'));
    expect(refusal).toContain('To use another path, give it as the entity: orders.customer.home');
    expect(answer(model!, ask('orders.customer.home.name', 'orders.orders'))).toMatch(/^SELECT/);
  });

  it.each([
    ['an entity whose path does not include it', ask('customers.segment', 'orders.orders')],
    ['paths that were shorter without it', ask('cities.name', 'customers.customers')],
    ['the same in the opposite direction', ask('customers.segment', 'cities.cities')],
    ['a single entity', ask('cities.name', 'cities.cities')],
  ])('does not change %s', (_, query) => {
    expect(answer(model!, query)).toMatch(/^(SELECT|WITH)/m);
    expect(answer(model!, query)).toBe(answer(whole, query));
  });

  it('is not reached by a relationship of the same pair either', () => {
    const { model: twice } = withJoin(
      '- { name: city, join_type: MANY_TO_ONE, to_entity: cities, expr: orders.city_id = cities.id }\n' +
        `      ${LOST}`,
    );
    expect(answer(twice!, ask('cities.name', 'orders.orders'))).toContain('orders.city');
    expect(answer(twice!, ask('cities.name', 'orders.orders'))).toMatch(/^refused/);
  });

  it('counts as the nearest one if the cardinality is unknown', () => {
    const { model: unknown } = withJoin(`x_unreachable: [{ to_entity: cities, reason: ${REASON} }]`);
    expect(answer(unknown!, ask('customers.segment', 'cities.cities'))).toMatch(/^refused/);
    expect(answer(unknown!, ask('cities.name', 'customers.customers'))).toMatch(/^SELECT/);
  });

  it('appears in explore, but not in the metadata', () => {
    const index = createModelIndex(model!);
    for (const name of ['orders', 'cities']) {
      const other = name === 'orders' ? 'cities' : 'orders';
      expect(exploreModel(index, name)).toMatchObject({
        unreachable: [{ to_entity: other, reason: REASON }],
      });
    }
    expect(exploreModel(index, 'customers')).not.toHaveProperty('unreachable');
    expect(exploreModel(index, 'orders.orders')).toMatchObject({
      together: expect.arrayContaining([
        expect.objectContaining({ entity: 'cities', answer: 'no', reason: expect.stringContaining(REASON) }),
      ]),
    });
    expect(JSON.stringify(toMetadata(model!))).not.toContain('reachable');
  });

  it('is refused if it has no reason', () => {
    const found = findMessages(
      withEntities(
        '- name: orders',
        '  table_name: orders',
        '  x_unreachable:',
        '  - { to_entity: citys, reason: no SQL }',
        '  - { to_entity: orders, reason: no SQL }',
        '  - { to_entity: cities, reason: " " }',
        '  - { to_entity: cities, join_type: MANY, reason: no SQL }',
        '  - { to_entity: cities }',
        '- { name: cities, table_name: cities }',
      ),
    );
    expect(found).toEqual([
      '11:22 there is no entity `citys`; did you mean `cities`?',
      '12:22 an entity is always reachable from itself: name another entity',
      '13:38 `reason` must be a sentence that is not empty',
      '14:41 `join_type` must be one of ONE_TO_ONE, ONE_TO_MANY, MANY_TO_ONE, not `MANY`',
      '15:9 an unreachable entity needs `reason`',
    ]);
  });
});

describe('models in which some relationships lose their SQL', () => {
  /** Records relationships as unreachable if `isLost`; nothing else changes. */
  function lose(model: Model, isLost: () => boolean, toJoinType: (type: JoinType) => JoinType | null): Model {
    const change = (entity: Entity): Entity => {
      const lost = entity.relationships.filter(({ toEntity }) => toEntity !== entity.name && isLost());
      return {
        ...entity,
        relationships: entity.relationships.filter((one) => !lost.includes(one)),
        unreachable: lost.map(({ toEntity, joinType, name }) => ({
          toEntity,
          joinType: toJoinType(joinType),
          reason: `lost ${name}`,
        })),
      };
    };
    const layers = model.layers.map((layer) => ({
      ...layer,
      domains: layer.domains.map((domain) => ({ ...domain, entities: domain.entities.map(change) })),
    }));
    return { ...model, layers };
  }

  it.each([
    ['whose cardinality is known', (type: JoinType) => type],
    ['whose cardinality is not known', () => null],
  ])('answer as before or not at all: %s', (_, toJoinType) => {
    const counts = { same: 0, blocked: 0, refused: 0 };
    for (let seed = 1; seed <= 200; seed++) {
      const world = createWorld(seed);
      const random = createRandom(seed + 7_000_000);
      const model = toModel(world, 'duckdb');
      const less = lose(model, () => random.chance(0.4), toJoinType);
      for (let at = 0; at < 8; at++) {
        const { query } = { query: createQuestion(world, random) };
        const [before, after] = [answer(model, query), answer(less, query)];
        if (after.includes('the model has no SQL for: lost ')) counts.blocked += 1;
        else if (/^(refused|invalid): /.test(after)) counts.refused += 1;
        else {
          expect(after, `seed ${seed}`).toBe(before);
          counts.same += 1;
        }
      }
    }
    expect(counts.same).toBeGreaterThan(200);
    expect(counts.blocked).toBeGreaterThan(200);
  });
});
