import { describe, expect, it } from 'vitest';
import { planMemory } from '../../../src/workspace/limits/memory-plan.ts';

const GIB = 1024 ** 3;

describe('the memory plan', () => {
  it('gives the database process 1.5 times the limit and 1 GiB, but at most the mean of the limit and all memory', () => {
    expect(planMemory(8 * GIB, 16 * GIB)).toEqual({ database: 8 * GIB, ceiling: 12 * GIB });
  });

  it('gives little more to a small limit, and leaves memory to other programs with a large one', () => {
    expect(planMemory(GIB, 64 * GIB).ceiling).toBe(2.5 * GIB);
    expect(planMemory(12 * GIB, 16 * GIB).ceiling).toBe(14 * GIB);
  });
});
