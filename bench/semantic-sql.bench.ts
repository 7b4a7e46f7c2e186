import { createModelIndex } from '../src/semantic/model/index/index-model.ts';
import { readModel } from '../src/semantic/model/load/read-model.ts';
import { prepareParser } from '../src/semantic/syntax/parse-statements.ts';
import { SemanticSqlError } from '../src/semantic/syntax/semantic-sql-error.ts';
import { answerStatements } from '../src/semantic/translate/answer-statements.ts';
import type { Bench, Figures } from './bench.ts';
import { measureShare } from './measure.ts';
import { printModel, WAREHOUSE } from './warehouse.ts';

// Measures the time to translate Semantic SQL for a model of 200 entities and 5,000 fields, and the time to refuse invalid
// statements.
const ROUNDS = 3_000;
const model = readModel([printModel(WAREHOUSE)]).model!;
const asked = { model, index: createModelIndex(model) };
const parse = await prepareParser();

const dimensions = [100, 50, 25, 12, 6].flatMap((at) =>
  [0, 1].map((i) => `entity_${at}.dimension_${i} AS d${at}_${i}`),
);
const measures = Array.from({ length: 10 }, (_, i) => `measure_${i}`);
const everyday = `SELECT ${[...dimensions, ...measures].join(', ')} FROM entity_100 WHERE entity_50.dimension_1 = 'a' HAVING measure_0 > 1 ORDER BY 1 LIMIT 100`;
const around = `WITH w AS (${everyday}) SELECT d100_0, SUM(measure_1) OVER (PARTITION BY d50_1 ORDER BY d100_0) AS total, measure_2 FROM w WHERE d25_0 IN (SELECT d25_0 FROM w ORDER BY measure_3 DESC LIMIT 10)`;

const repeat = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);
const MEGABYTE = 1_000_000;
/** Refused statements, each by another check; some of them have a megabyte. */
const REFUSED: Readonly<Record<string, string>> = {
  'a megabyte of parentheses': `SELECT ${repeat('(', MEGABYTE)}`,
  'a megabyte of +': `SELECT 1${repeat('+1', MEGABYTE)}`,
  'a megabyte of AND': `SELECT 1 FROM entity_1 WHERE TRUE${repeat(' AND TRUE', MEGABYTE)}`,
  'a megabyte of ::': `SELECT 1${repeat('::int', MEGABYTE)}`,
  'an unknown column': everyday.replace('measure_9', 'measure_99'),
  'an unknown entity': everyday.replace('FROM entity_100', 'FROM entity_1000'),
  'DROP TABLE': 'DROP TABLE entity_100',
  'a measure in WHERE': everyday.replace("= 'a'", "= 'a' AND measure_1 > 1"),
};
/** A statement that is close to the limits. */
const LARGEST = `SELECT measure_1 FROM entity_100 WHERE dimension_1 IN (${Array.from({ length: 95_000 }, (_, i) => `'${i + 100_000}'`).join(', ')})`;

function answer(text: string): void {
  answerStatements(asked, parse(text), { strict: false });
}

function refuse(text: string): void {
  try {
    answer(text);
  } catch (error) {
    if (error instanceof SemanticSqlError) return;
    throw error;
  }
  throw new Error(`it was accepted: ${text.slice(0, 100)}`);
}

function benchOf(name: string, most: number | null, ours: () => Promise<Figures>): Bench {
  return { name, peerName: '', runs: 3, ours, limits: [{ metric: 'wall', most, compare: 'alone' }] };
}

const shareOf = (work: () => void, share: number, rounds: number) => () => measureShare(work, share, rounds);

export const benches: readonly Bench[] = [
  benchOf(
    '1,000 × a statement of 20 columns and 5 entities as SQL, median',
    1_000,
    shareOf(() => answer(everyday), 0.5, ROUNDS),
  ),
  benchOf(
    '1,000 × the same, 99th percentile',
    5_000,
    shareOf(() => answer(everyday), 0.99, ROUNDS),
  ),
  benchOf(
    '1,000 × WITH, a window and IN (SELECT …) around it, median',
    1_000,
    shareOf(() => answer(around), 0.5, ROUNDS),
  ),
  ...Object.entries(REFUSED).map(([name, text]) =>
    benchOf(
      `1,000 × ${name} refused, median`,
      10_000,
      shareOf(() => refuse(text), 0.5, 50),
    ),
  ),
  benchOf(
    `1,000 × a statement of ${Math.round(LARGEST.length / 1000)} KB with 95,000 values as SQL, median`,
    null,
    shareOf(() => answer(LARGEST), 0.5, 10),
  ),
];
