import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AskedModel } from '../../../src/semantic/model/index/asked-model.ts';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { SemanticQuery } from '../../../src/semantic/query/query.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { SqlRefusal } from '../../../src/semantic/syntax/sql-refusal.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createAnswer } from '../oracle/answer.ts';
import { findDifference } from '../oracle/compare.ts';
import { type Engine, openEngine } from '../oracle/engine.ts';
import { NoAnswer } from '../oracle/join-tree.ts';
import { keepPlain, printStatement } from '../oracle/print-statement.ts';
import { createRandom } from '../oracle/random.ts';
import { createQuestion } from '../oracle/random-question.ts';
import { createWorld } from '../oracle/random-world.ts';
import { toModel, type World } from '../oracle/world.ts';

/** Worlds, and questions to each. */
const WORLDS = Number(process.env.QUERN_STATEMENT_WORLDS ?? 120);
const QUESTIONS = 6;

let parse: ParseStatements;
let engine: Engine;
beforeAll(async () => {
  parse = await prepareParser();
  engine = await openEngine('duckdb', { file: ':memory:' }, 'statements');
});
afterAll(() => engine[Symbol.asyncDispose]());

function attempt<T>(run: () => T, Refusal: new (...args: never[]) => Error): T | Error {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Whether a statement has the rows of the question that it says, or both are refused; else what is wrong. */
async function compare(world: World, asked: AskedModel, query: SemanticQuery, text: string) {
  const due = attempt(() => createAnswer(world, query, false), NoAnswer);
  if (due instanceof NoAnswer && due.kind === 'unspecified') return 'unspecified';
  const got = attempt(() => answerStatements(asked, parse(text), { strict: false }), SqlRefusal);
  if (got instanceof Error) return due instanceof Error ? 'refused' : got.message;
  if (due instanceof Error) return `it is not refused: ${due.message}`;
  const [{ sql } = { sql: '' }] = got;
  return findDifference(due, await engine.run(sql)) ?? 'equal';
}

it('statements have the rows of the questions that they say', { timeout: 600_000 }, async () => {
  const counts = { equal: 0, refused: 0, unspecified: 0 };
  for (let seed = 1; seed <= WORLDS; seed++) {
    const world = createWorld(seed);
    await engine.load(world);
    const model = toModel(world, 'duckdb');
    const asked = { model, index: createModelIndex(model) };
    const random = createRandom(seed + 2_000_000);
    for (let i = 0; i < QUESTIONS; i++) {
      const query = keepPlain(world, createQuestion(world, random));
      const text = printStatement(world, query, random);
      const outcome = await compare(world, asked, query, text);
      expect(Object.keys(counts), `seed ${seed}: ${text}\n${JSON.stringify(query)}`).toContain(outcome);
      counts[outcome as keyof typeof counts] += 1;
    }
  }
  expect(counts.equal).toBeGreaterThan(4 * WORLDS);
  expect(counts.refused).toBeGreaterThan(0);
});
