import { compileQuery } from '../src/semantic/compile/compile-query.ts';
import { readModel } from '../src/semantic/model/load/read-model.ts';
import type { SemanticQuery } from '../src/semantic/query/query.ts';
import type { Bench, Figures } from './bench.ts';
import { measureShare } from './measure.ts';
import { createQuestion, DIMENSIONS, dimensionOf, MEASURES, printModel, WAREHOUSE } from './warehouse.ts';

// Measures the time to compile semantic queries to an indexed model of 200 entities and 5,000 fields.
const ROUNDS = 3_000;
const index = readModel([printModel(WAREHOUSE)]).index!;

/** 70 measures of seven entities by 100 dimensions above them all. */
const wide: SemanticQuery = {
  dimensions: [1, 2, 3, 6, 12, 25, 50]
    .flatMap((at) =>
      Array.from({ length: DIMENSIONS }, (_, i) => ({ ...dimensionOf(at, i), alias: `${at}_${i}` })),
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

const everyday = createQuestion('a');

function compile(query: SemanticQuery, share: number, rounds: number): () => Promise<Figures> {
  return () =>
    measureShare(() => compileQuery(index, query, { dialect: 'duckdb', strict: false }), share, rounds);
}

function benchOf(name: string, most: number, ours: () => Promise<Figures>): Bench {
  return { name, peerName: '', runs: 3, ours, limits: [{ metric: 'wall', most, compare: 'alone' }] };
}

export const benches: readonly Bench[] = [
  benchOf(
    '1,000 × a semantic query of 5 measures, 5 dimensions and 6 joins compiled, median',
    500,
    compile(everyday, 0.5, ROUNDS),
  ),
  benchOf('1,000 × the same, 99th percentile', 3_000, compile(everyday, 0.99, ROUNDS)),
  benchOf('1,000 × one of 70 measures and 100 dimensions compiled, median', 30_000, compile(wide, 0.5, 60)),
];
