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

/** The SQL that a question becomes; null when it is refused. */
function compileOrNull(world: World, question: Question, compile: Compile): string | null {
  try {
    return compile(world, question, 'duckdb').sql;
  } catch {
    return null;
  }
}

/** Whether wrong rows or a wrong refusal come of a fault, which is more than an error of the database. */
async function isNoticed(world: World, question: Question, fault: Fault): Promise<boolean> {
  const outcome = await ask(world, question, addFault(compileWorld, fault), engine);
  return outcome.kind === 'differs' && ['rows', 'refused', 'not refused'].includes(outcome.way);
}

/** Leaves those of the faults that no question to a world has shown. */
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

describe('a fault of the compiler', () => {
  it('is noticed, each of them', { timeout: 300_000 }, async () => {
    let hidden = FAULTS;
    for (let seed = 1; seed <= WORLDS && hidden.length > 0; seed++) {
      hidden = await listHidden(createWorld(seed), seed, hidden);
    }
    expect(hidden.map(({ name }) => name)).toEqual([]);
    expect(FAULTS.length).toBeGreaterThanOrEqual(30);
  });
});
