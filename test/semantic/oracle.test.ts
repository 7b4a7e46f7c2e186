import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FieldRef, SemanticQuery } from '../../src/semantic/query/query.ts';
import { rotateTo } from '../support/rotation.ts';
import { createAnswer } from './oracle/answer.ts';
import { findDifference, printRow } from './oracle/compare.ts';
import { type Engine, openEngine } from './oracle/engine.ts';
import { column, equal } from './oracle/expression.ts';
import { toFraction } from './oracle/fraction.ts';
import { NoAnswer } from './oracle/join-tree.ts';
import { createRandom } from './oracle/random.ts';
import { createQuestion } from './oracle/random-question.ts';
import { createWorld } from './oracle/random-world.ts';
import { printReference } from './oracle/reference-sql.ts';
import {
  type DimensionDef,
  type EntityDef,
  findEntity,
  type MeasureDef,
  type World,
} from './oracle/world.ts';

const text = (name: string): DimensionDef => ({
  name,
  type: 'TEXT',
  expression: column(name),
  grain: null,
  cutsMoment: false,
  caseSensitive: false,
});

const measure = (name: string, aggregation: MeasureDef['aggregation'], of: string | null): MeasureDef => ({
  name,
  type: aggregation === 'COUNT' ? 'INTEGER' : 'DECIMAL',
  aggregation,
  argumentType: 'DECIMAL',
  argument: of === null ? null : column(of),
  filter: null,
  custom: null,
});

type Cell = string | number | null;

function table(
  name: string,
  columns: string,
  rows: readonly (readonly Cell[])[],
  fields: Partial<EntityDef>,
): EntityDef {
  const defs = columns.split(' ').map((one) => {
    return { name: one, type: ['region', 'status', 'sku'].includes(one) ? 'TEXT' : 'INTEGER' } as const;
  });
  const toValue = (cell: Cell) => (typeof cell === 'number' ? toFraction(cell) : cell);
  return {
    name,
    table: name,
    columns: defs,
    rows: rows.map((row) => Object.fromEntries(row.map((cell, at) => [defs[at]!.name, toValue(cell)]))),
    where: null,
    key: null,
    dimensions: [],
    measures: [],
    ...fields,
  };
}

const toOne = (name: string, from: string, key: string, to: string) =>
  ({ name, from, to, joinType: 'MANY_TO_ONE', on: equal(column(key, from), column('id', to)) }) as const;

/** Customer 4 has no orders; one order has no customer and another an unknown one; two items are equal. */
const shop: World = {
  entities: [
    table(
      'customers',
      'id region',
      [
        [1, 'north'],
        [2, 'south'],
        [3, null],
        [4, 'north'],
      ],
      { dimensions: [text('region')], measures: [measure('customer_count', 'COUNT', null)] },
    ),
    table(
      'orders',
      'id customer status amount',
      [
        [10, 1, 'paid', 100],
        [11, 1, 'open', 50],
        [12, 2, 'paid', 30],
        [13, null, 'paid', 7],
        [14, 99, 'open', 1],
      ],
      {
        dimensions: [text('status')],
        measures: [measure('revenue', 'SUM', 'amount'), measure('order_count', 'COUNT', null)],
      },
    ),
    table(
      'items',
      'order_id sku quantity',
      [
        [10, 'a', 2],
        [10, 'a', 2],
        [10, 'b', 1],
        [11, 'a', 5],
        [12, 'b', null],
        [null, 'c', 9],
      ],
      { dimensions: [text('sku')], measures: [measure('units', 'SUM', 'quantity')] },
    ),
    table(
      'returns',
      'order_id amount',
      [
        [10, 5],
        [10, 6],
        [12, 30],
      ],
      { measures: [measure('returned', 'SUM', 'amount')] },
    ),
  ],
  edges: [
    toOne('customer', 'orders', 'customer', 'customers'),
    toOne('of_order', 'items', 'order_id', 'orders'),
    toOne('of_order', 'returns', 'order_id', 'orders'),
  ],
};

const toRefs = (names: string) =>
  names
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => ({ entity: name.split('.')[0]!, field: name.split('.')[1]! }));

function question(dimensions: string, measures: string, more: Partial<SemanticQuery> = {}): SemanticQuery {
  const [dims, of] = [toRefs(dimensions), toRefs(measures)];
  return { dimensions: dims, measures: of, filters: [], orderBy: [], limit: null, ...more };
}

const answer = (query: SemanticQuery, strict = false) =>
  createAnswer(shop, query, strict).rows.map(printRow).sort();

const isSku = (...values: string[]) =>
  ({
    type: 'CONDITION',
    field: { entity: 'items', field: 'sku' },
    operator: { type: 'EQUALS', values },
  }) as const;

describe('the oracle', () => {
  it('counts a row once in each group', () => {
    expect(answer(question('items.sku', 'orders.revenue'))).toEqual([
      '("a", 150)',
      '("b", 130)',
      '(NULL, 8)',
    ]);
    expect(createAnswer(shop, question('items.sku', 'orders.revenue'), false).differsFromNaive).toBe(true);
  });

  it('keeps orphans, NULL keys and childless parents', () => {
    expect(answer(question('customers.region', 'orders.revenue'))).toEqual([
      '("north", 150)',
      '("south", 30)',
      '(NULL, 8)',
    ]);
    expect(answer(question('orders.status', 'customers.customer_count'))).toEqual([
      '("open", 1)',
      '("paid", 2)',
      '(NULL, 2)',
    ]);
  });

  it('combines measures of several entities without multiplying them', () => {
    expect(
      answer(
        question('customers.region', 'customers.customer_count orders.revenue items.units returns.returned'),
      ),
    ).toEqual(['("north", 2, 150, 10, 11)', '("south", 1, 30, NULL, 30)', '(NULL, 1, 8, 9, NULL)']);
    expect(answer(question('', 'orders.revenue returns.returned items.units'))).toEqual(['(188, 41, 19)']);
  });

  it('filters by child rows without repeating a row', () => {
    expect(answer(question('', 'orders.revenue orders.order_count', { filters: [isSku('a', 'b')] }))).toEqual(
      ['(180, 3)'],
    );
    expect(answer(question('orders.status', 'orders.order_count', { filters: [isSku('z')] }))).toEqual([]);
    expect(answer(question('', 'orders.revenue orders.order_count', { filters: [isSku('z')] }))).toEqual([
      '(NULL, 0)',
    ]);
  });

  it('adds no groups for a measure that is only a filter', () => {
    const returned = { entity: 'returns', field: 'returned' };
    const more = {
      type: 'CONDITION',
      field: returned,
      operator: { type: 'GREATER_THAN', value: '20' },
    } as const;
    expect(answer(question('customers.region', 'orders.revenue', { filters: [more] }))).toEqual([
      '("south", 30)',
    ]);
    expect(answer(question('customers.region', '', { filters: [more] }))).toEqual(['("south")']);
  });

  it('refuses a query without a right answer', () => {
    const mixed = {
      type: 'OR',
      filters: [
        isSku('a'),
        {
          type: 'CONDITION',
          field: { entity: 'orders', field: 'revenue' },
          operator: { type: 'LESS_THAN', value: '9' },
        },
      ],
    } as const;
    expect(() => answer(question('customers.region', 'orders.revenue', { filters: [mixed] }))).toThrow(
      NoAnswer,
    );
    expect(() => answer(question('items.sku', 'orders.revenue'), true)).toThrow(NoAnswer);
    expect(answer(question('items.sku', 'orders.revenue', { filters: [mixed] }))).toEqual([
      '("a", 150)',
      '(NULL, 8)',
    ]);
  });

  it('refuses two paths of the same length and accepts a named path', () => {
    const second = { ...shop.edges[0]!, name: 'payer' };
    const world = { ...shop, edges: [...shop.edges, second] };
    const ask = (entity: string) =>
      createAnswer(
        world,
        { ...question('', 'orders.revenue'), dimensions: [{ entity, field: 'region' }] },
        false,
      );
    expect(() => ask('customers')).toThrow(NoAnswer);
    expect(ask('orders.payer').rows).toHaveLength(3);
  });

  it('orders NULL last in both directions', () => {
    for (const desc of [false, true]) {
      const query = question('customers.region', '', {
        orderBy: [{ field: { entity: 'customers', field: 'region' }, desc }],
      });
      const rows = createAnswer(shop, query, false).rows.map(({ dims }) => dims[0]);
      expect(rows).toEqual(desc ? ['south', 'north', null] : ['north', 'south', null]);
    }
  });
});

describe('the oracle and plain SQL', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await openEngine('duckdb', { file: ':memory:' }, 'oracle');
  });
  afterAll(() => engine[Symbol.asyncDispose]());

  /** The measures of one entity in a query without filters, except those whose digits DuckDB loses. */
  function simplify(world: World, { dimensions, measures }: SemanticQuery): SemanticQuery {
    const own = findEntity(world, measures[0]?.entity ?? world.entities[0]!.name);
    const isPlain = ({ entity, field }: FieldRef) =>
      entity === own.name && own.measures.find(({ name }) => name === field)!.aggregation !== 'MEDIAN';
    return { dimensions, measures: measures.filter(isPlain), filters: [], orderBy: [], limit: null };
  }

  /** Null if the query is refused, or has no measures. */
  function answerOrNull(world: World, query: SemanticQuery) {
    try {
      return query.measures.length === 0 ? null : createAnswer(world, query, false);
    } catch (error) {
      if (error instanceof NoAnswer) return null;
      throw error;
    }
  }

  it('agree on queries without filters', { timeout: 240_000 }, async () => {
    let compared = 0;
    let differing = 0;
    const seeds = rotateTo(150);
    for (const seed of seeds) {
      const world = createWorld(seed);
      await engine.load(world);
      const random = createRandom(seed + 1_000_000);
      for (let i = 0; i < 6; i++) {
        const query = simplify(world, createQuestion(world, random));
        const due = answerOrNull(world, query);
        if (due === null) continue;
        const sql = printReference(world, query);
        const difference = findDifference(due, await engine.run(sql));
        expect(difference, `seed ${seed}: ${JSON.stringify(query)}\n${sql}`).toBeNull();
        compared += 1;
        differing += Number(due.differsFromNaive);
      }
    }
    expect(compared).toBeGreaterThan(seeds.length * 1.6);
    expect(differing).toBeGreaterThan(seeds.length / 4);
  });
});
