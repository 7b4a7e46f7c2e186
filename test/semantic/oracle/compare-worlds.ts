import type { FieldRef } from '../../../src/semantic/query/query.ts';
import { type Answer, createAnswer } from './answer.ts';
import { ask, type Compiled, type Outcome, type Question } from './ask.ts';
import { compileWorld } from './compile-world.ts';
import type { Engine, OraclePlatform } from './engine.ts';
import { NoAnswer } from './join-tree.ts';
import { printCase } from './print-case.ts';
import { createRandom } from './random.ts';
import { createQuestion } from './random-question.ts';
import { createWorld } from './random-world.ts';
import { type Case, shrink } from './shrink.ts';
import type { World } from './world.ts';

/** The outcome of many queries; `difference` describes the first wrong answer, where the run stops. */
export interface Report {
  compared: number;
  refused: number;
  /** The number of queries whose answer the specification does not define. */
  unspecified: number;
  differFromNaive: number;
  difference: string | null;
}

async function findDifference(engine: Engine, { world, question }: Case) {
  await engine.load(world);
  const outcome = await ask(world, question, compileWorld, engine);
  return outcome.kind === 'differs' ? outcome : null;
}

/** The smallest case of a difference, as text. */
async function describeDifference(engine: Engine, start: Case, found: Outcome & { kind: 'differs' }) {
  const small = await shrink(start, async (one) => (await findDifference(engine, one))?.way === found.way);
  const { way, detail, sql } = (await findDifference(engine, small)) ?? found;
  return `${printCase(small, engine.platform)}\n\n${way}: ${detail}\n\n${sql}`;
}

const MAX_TRIES = 8;

/** Called for each query with rows to compare. */
export type OnCompared = (world: World, question: Question, answer: Answer, compiled: Compiled) => void;

/** Whether the rows of a query reveal repetitions by joins. */
function isTelling(world: World, { query, strict }: Question): boolean {
  try {
    const { rows, differsFromNaive } = createAnswer(world, query, strict);
    return rows.length > 0 && differsFromNaive;
  } catch (error) {
    if (error instanceof NoAnswer) return false;
    throw error;
  }
}

/** BigQuery allows few special characters in names; it refuses such an alias. */
function withPlainAliases({ query, strict }: Question): Question {
  const rename = (ref: FieldRef): FieldRef =>
    ref.alias === undefined ? ref : { ...ref, alias: ref.alias.replaceAll(/[^\p{L}\p{N} _-]/gu, '_') };
  const { dimensions, measures } = query;
  return {
    query: { ...query, dimensions: dimensions.map(rename), measures: measures.map(rename) },
    strict,
  };
}

/** Random queries to the world of a seed; most are the first of several that a naive join gets wrong. */
function* listQuestions(
  world: World,
  seed: number,
  count: number,
  platform: OraclePlatform,
): Generator<Question> {
  const random = createRandom(seed + 1_000_000);
  const create = () => ({ query: createQuestion(world, random), strict: random.chance(0.08) });
  for (let i = 0; i < count; i++) {
    let question = create();
    const tries = random.chance(0.3) ? 0 : MAX_TRIES;
    for (let tried = 0; tried < tries && !isTelling(world, question); tried++) question = create();
    yield platform === 'bigquery' ? withPlainAliases(question) : question;
  }
}

/** Runs random queries to the worlds of some seeds, until an answer is wrong. */
export async function compareWorlds(
  engine: Engine,
  { seeds, questions }: { readonly seeds: readonly number[]; readonly questions: number },
  onCompared: OnCompared = () => {},
): Promise<Report> {
  const report: Report = { compared: 0, refused: 0, unspecified: 0, differFromNaive: 0, difference: null };
  for (const seed of seeds) {
    const world = createWorld(seed);
    await engine.load(world);
    for (const question of listQuestions(world, seed, questions, engine.platform)) {
      const outcome = await ask(world, question, compileWorld, engine);
      if (outcome.kind === 'differs') {
        const text = await describeDifference(engine, { world, question }, outcome);
        return { ...report, difference: `world ${seed} on ${engine.platform}\n${text}` };
      }
      if (outcome.kind === 'unspecified') report.unspecified += 1;
      else if (outcome.kind === 'refused') report.refused += 1;
      else {
        report.compared += 1;
        report.differFromNaive += Number(outcome.answer.differsFromNaive);
        onCompared(world, question, outcome.answer, outcome.compiled);
      }
    }
  }
  return report;
}
