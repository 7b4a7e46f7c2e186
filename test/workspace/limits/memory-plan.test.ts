import { describe, expect, it } from 'vitest';
import {
  findMemory,
  MemoryError,
  planMemory,
  readMemory,
} from '../../../src/workspace/limits/memory-plan.ts';

const GIB = 1024 ** 3;

describe('an amount of memory', () => {
  it.each([
    ['4GB', 4e9],
    ['4gb', 4e9],
    ['1.5 GiB', 1.5 * GIB],
    ['512MiB', GIB / 2],
    [' 100MB ', 100e6],
    ['0.01TB', 1e10],
    ['50%', 8 * GIB],
    ['12.5%', 2 * GIB],
    ['80%', Math.floor(12.8 * GIB)],
  ])('is read: %s', (text, bytes) => {
    expect(readMemory(text, 16 * GIB)).toBe(bytes);
  });

  it.each([
    ['', 'it looks like 4GB'],
    ['4', 'it looks like 4GB'],
    ['4 GBs', 'it looks like 4GB'],
    ['-4GB', 'it looks like 4GB'],
    ['4e9MB', 'it looks like 4GB'],
    ["4GB'; SET x", 'it looks like 4GB'],
    ['10MB', 'at least 64MiB'],
    ['0%', 'at least 64MiB'],
    ['81%', 'at most 80% of the memory, which is 16384MiB here'],
    ['13GiB', 'at most 80% of the memory'],
    ['999999999TB', 'at most 80% of the memory'],
  ])('is refused: %j', (text, reason) => {
    const read = () => readMemory(text, 16 * GIB);
    expect(read).toThrow(MemoryError);
    expect(read).toThrow(reason);
  });

  it('is a part of what this machine has', () => {
    expect(readMemory('50%')).toBe(Math.floor(findMemory() / 2));
  });
});

describe('the plan', () => {
  it('gives databases half of the memory, and their process three quarters', () => {
    expect(planMemory(undefined, 16 * GIB)).toEqual({ database: 8 * GIB, ceiling: 12 * GIB });
  });

  it('leaves the process little more than a small amount, and others some beside a large one', () => {
    expect(planMemory(GIB, 64 * GIB).ceiling).toBe(2.5 * GIB);
    expect(planMemory(12 * GIB, 16 * GIB).ceiling).toBe(14 * GIB);
  });
});
