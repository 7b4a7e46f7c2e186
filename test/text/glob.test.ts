import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createGlob } from '../../src/text/glob.ts';
import { share } from '../support/rotation.ts';

it('matches the same strings as the equivalent regular expression', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/'), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '*'), maxLength: 8 });
  fc.assert(
    fc.property(pattern, text, (given, own) => {
      const expected = new RegExp(`^${given.replaceAll('.', '\\.').replace(/\*+/g, '.*')}$`).test(own);
      expect(createGlob(given)(own), `${given} and ${own}`).toBe(expected);
    }),
    { numRuns: share(5_000) },
  );
});

it('is fast for patterns with exponential backtracking in a regular expression', () => {
  const matches = createGlob(`${'*a'.repeat(1_000)}b`);
  expect(matches('a'.repeat(1_000_000))).toBe(false);
  expect(matches(`${'a'.repeat(1_000_000)}b`)).toBe(true);
});
