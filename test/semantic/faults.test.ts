import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type Compile, type Question } from './oracle/ask.ts';
import { compileWorld } from './oracle/compile-world.ts';
import { type Engine, openEngine } from './oracle/engine.ts';
import { addFault, FAULTS, type Fault } from './oracle/faults.ts';
import { createRandom } from './oracle/random.ts';
import { createQuestion } from './oracle/random-question.ts';
import { createWorld } from './oracle/random-world.ts';
import type { World } from './oracle/world.ts';

const WORLDS = 400;
const QUESTIONS = 8;

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine('duckdb', { file: ':memory:' }, 'faults');
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

/** Whether a seeded fault causes wrong rows or a wrong error, and not only a database error. */
async function isNoticed(world: World, question: Question, fault: Fault): Promise<boolean> {
  const outcome = await ask(world, question, addFault(compileWorld, fault), engine);
  return outcome.kind === 'differs' && ['rows', 'refused', 'not refused'].includes(outcome.way);
}

/** Returns the seeded faults that no query to a world has revealed. */
async function listHidden(world: World, seed: number, faults: readonly Fault[]): Promise<readonly Fault[]> {
  let hidden = faults;
  const random = createRandom(seed + 2_000_000);
  await engine.load(world);
  for (let i = 0; i < QUESTIONS; i++) {
    const question = { query: createQuestion(world, random), strict: random.chance(0.08) };
    const { kind } = await ask(world, question, compileWorld, engine);
    if (kind !== 'agrees' && kind !== 'refused') continue;
    const right = compileOrNull(world, question, compileWorld);
    const noticed = new Set<Fault>();
    for (const fault of hidden) {
      if (compileOrNull(world, question, addFault(compileWorld, fault)) === right) continue;
      if (await isNoticed(world, question, fault)) noticed.add(fault);
    }
    hidden = hidden.filter((fault) => !noticed.has(fault));
  }
  return hidden;
}

describe('a seeded fault of the compiler', () => {
  it('is detected, for every fault', { timeout: 300_000 }, async () => {
    let hidden = FAULTS;
    for (let seed = 1; seed <= WORLDS && hidden.length > 0; seed++) {
      hidden = await listHidden(createWorld(seed), seed, hidden);
    }
    expect(hidden.map(({ name }) => name)).toEqual([]);
    expect(FAULTS.length).toBeGreaterThanOrEqual(30);
  });
});
