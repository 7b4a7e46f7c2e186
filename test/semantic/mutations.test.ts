import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rotate } from '../support/rotation.ts';
import { ask, type Compile, type Question } from './oracle/ask.ts';
import { compileWorld } from './oracle/compile-world.ts';
import { type Engine, openEngine } from './oracle/engine.ts';
import { addMutation, MUTATIONS, type Mutation } from './oracle/mutations.ts';
import { createRandom } from './oracle/random.ts';
import { createQuestion } from './oracle/random-question.ts';
import { createWorld } from './oracle/random-world.ts';
import type { World } from './oracle/world.ts';

const WORLDS = 400;
const QUESTIONS = 8;

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine('duckdb', { file: ':memory:' }, 'mutations');
});
afterAll(() => engine[Symbol.asyncDispose]());

/** The SQL of a query; null if it is refused. */
function compileOrNull(world: World, question: Question, compile: Compile): string | null {
  try {
    return compile(world, question, 'duckdb').sql;
  } catch {
    return null;
  }
}

/** Whether a mutation causes wrong rows or a wrong error, and not only a database error. */
async function isNoticed(world: World, question: Question, mutation: Mutation): Promise<boolean> {
  const outcome = await ask(world, question, addMutation(compileWorld, mutation), engine);
  return outcome.kind === 'differs' && ['rows', 'refused', 'not refused'].includes(outcome.way);
}

/** Returns the mutations that no query to a world has revealed. */
async function listHidden(
  world: World,
  seed: number,
  mutations: readonly Mutation[],
): Promise<readonly Mutation[]> {
  let hidden = mutations;
  const random = createRandom(seed + 2_000_000);
  await engine.load(world);
  for (let i = 0; i < QUESTIONS; i++) {
    const question = { query: createQuestion(world, random), strict: random.chance(0.08) };
    const { kind } = await ask(world, question, compileWorld, engine);
    if (kind !== 'agrees' && kind !== 'refused') continue;
    const right = compileOrNull(world, question, compileWorld);
    const noticed = new Set<Mutation>();
    for (const mutation of hidden) {
      if (compileOrNull(world, question, addMutation(compileWorld, mutation)) === right) continue;
      if (await isNoticed(world, question, mutation)) noticed.add(mutation);
    }
    hidden = hidden.filter((mutation) => !noticed.has(mutation));
  }
  return hidden;
}

describe('a mutation of the compiler', () => {
  it('is detected, for every mutation of the run', { timeout: 300_000 }, async () => {
    let hidden = rotate(MUTATIONS);
    for (let seed = 1; seed <= WORLDS && hidden.length > 0; seed++) {
      hidden = await listHidden(createWorld(seed), seed, hidden);
    }
    expect(hidden.map(({ name }) => name)).toEqual([]);
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(30);
  });
});
