import { describe, expect, it } from 'vitest';
import { elementAt, entryOf, notNull, present } from '../../src/invariants/must.ts';

describe('a value that must exist', () => {
  it('is returned, including null and zero', () => {
    expect([elementAt(['a', 'b'], 0), elementAt(['a', 'b'], -1), elementAt('xy', 1)]).toEqual([
      'a',
      'b',
      'y',
    ]);
    expect(elementAt([null], 0)).toBeNull();
    expect(entryOf(new Map([['a', 0]]), 'a')).toBe(0);
    expect([present(null), present(''), notNull(0)]).toEqual([null, '', 0]);
  });

  it('throws an error if it is missing', () => {
    expect(() => elementAt(['a'], 1)).toThrow('no element 1 of 1');
    expect(() => elementAt([], -1)).toThrow('no element -1 of 0');
    expect(() => entryOf(new Map(), 'a')).toThrow('no entry a');
    expect(() => present(undefined)).toThrow('a value is missing');
    expect(() => notNull(null)).toThrow('a value is null');
  });
});
