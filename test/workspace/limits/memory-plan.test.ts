import { describe, expect, it } from 'vitest';
import { planMemory } from '../../../src/workspace/limits/memory-plan.ts';

const GIB = 1024 ** 3;

describe('the plan', () => {
  it('gives the process of databases half as much again and 1 GiB, up to half way to all memory', () => {
    expect(planMemory(8 * GIB, 16 * GIB)).toEqual({ database: 8 * GIB, ceiling: 12 * GIB });
  });

  it('leaves the process little more than a small amount, and others some beside a large one', () => {
    expect(planMemory(GIB, 64 * GIB).ceiling).toBe(2.5 * GIB);
    expect(planMemory(12 * GIB, 16 * GIB).ceiling).toBe(14 * GIB);
  });
});
