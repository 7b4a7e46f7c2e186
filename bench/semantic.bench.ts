import { compileQuery } from '../src/semantic/compile-query.ts';
import { createModelIndex } from '../src/semantic/index-model.ts';
import type { Entity, Model } from '../src/semantic/model.ts';
import type { FieldRef, SemanticQuery } from '../src/semantic/query.ts';
import type { Bench, Figures } from './bench.ts';

// How long questions to a model of 200 entities and 5,000 fields take to compile, once it is indexed.
const ENTITIES = 200;
const DIMENSIONS = 15;
const MEASURES = 10;
const ROUNDS = 3_000;

/** Each entity is many to one of the `at >> 1`. */
function createEntity(at: number): Entity {
  const name = `entity_${at}`;
  return {
    name,
    source: { kind: 'table', name: `warehouse.${name}` },
    primaryKey: ['id'],
    synonyms: [],
    dimensions: Array.from({ length: DIMENSIONS }, (_, i) => ({
      name: `dimension_${i}`,
      dataType: i % 3 === 0 ? 'DATE' : 'TEXT',
      hidden: false,
      expr: `column_${i}`,
      grain: null,
      caseSensitive: false,
      synonyms: [],
    })),
    measures: Array.from({ length: MEASURES }, (_, i) => ({
      name: `measure_${i}`,
      dataType: 'DECIMAL',
      hidden: false,
      expr: `amount_${i}`,
      aggregation: i % 2 === 0 ? 'SUM' : 'MAX',
      filter: null,
      synonyms: [],
    })),
    relationships:
      at === 0
        ? []
        : [
            {
              name: 'up',
              joinType: 'MANY_TO_ONE',
              toEntity: `entity_${at >> 1}`,
              expr: `${name}.up_id = entity_${at >> 1}.id`,
            },
          ],
  };
}

const entities = Array.from({ length: ENTITIES }, (_, at) => createEntity(at));
const domains = [{ name: 'domain', synonyms: [], entities }];
const model: Model = {
  version: '1.0',
  layers: [{ name: 'layer', platform: 'duckdb', timezone: 'UTC', synonyms: [], domains }],
};
const index = createModelIndex(model);

const dimension = (at: number, i: number): FieldRef => ({ entity: `entity_${at}`, field: `dimension_${i}` });

/** Five measures of one entity and five dimensions above it, with a filter on a sixth. */
const everyday: SemanticQuery = {
  dimensions: [100, 50, 25, 12, 6].map((at) => dimension(at, 1)),
  measures: Array.from({ length: 5 }, (_, i) => ({ entity: 'entity_100', field: `measure_${i}` })),
  filters: [
    { type: 'CONDITION', field: dimension(3, 0), operator: { type: 'AFTER_DATE', value: '2024-01-31' } },
    { type: 'CONDITION', field: dimension(1, 1), operator: { type: 'EQUALS', values: ['a', 'b'] } },
  ],
  orderBy: [{ field: { entity: 'entity_100', field: 'measure_0' }, desc: true }],
  limit: { fetch: 100, skip: 0 },
};

/** 70 measures of seven entities by 100 dimensions above them all. */
const wide: SemanticQuery = {
  dimensions: [1, 2, 3, 6, 12, 25, 50]
    .flatMap((at) =>
      Array.from({ length: DIMENSIONS }, (_, i) => ({ ...dimension(at, i), alias: `${at}_${i}` })),
    )
    .slice(0, 100),
  measures: [100, 101, 50, 25, 12, 6, 3].flatMap((at) =>
    Array.from({ length: MEASURES }, (_, i) => {
      return { entity: `entity_${at}`, field: `measure_${i}`, alias: `m${at}_${i}` };
    }),
  ),
  filters: [],
  orderBy: [],
  limit: null,
};

/** What share of the rounds took no longer, in microseconds as if they were milliseconds. */
function measure(query: SemanticQuery, share: number, rounds: number): () => Promise<Figures> {
  return async () => {
    const times = Array.from({ length: rounds }, () => {
      const start = performance.now();
      compileQuery(index, query, { dialect: 'duckdb', strict: false });
      return performance.now() - start;
    }).sort((a, b) => a - b);
    return { wall: times[Math.floor(times.length * share)]! * 1000, cpu: Number.NaN, peak: Number.NaN };
  };
}

function benchOf(name: string, most: number, ours: () => Promise<Figures>): Bench {
  return { name, peerName: '', runs: 3, ours, limits: [{ metric: 'wall', most, compare: 'alone' }] };
}

export const benches: readonly Bench[] = [
  benchOf(
    '1,000 × a question of 5 measures, 5 dimensions and 6 joins compiled, half',
    500,
    measure(everyday, 0.5, ROUNDS),
  ),
  benchOf('1,000 × the same, 99 of 100', 3_000, measure(everyday, 0.99, ROUNDS)),
  benchOf('1,000 × one of 70 measures and 100 dimensions compiled, half', 30_000, measure(wide, 0.5, 60)),
];
