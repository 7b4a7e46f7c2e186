import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createGlob } from '../../../src/engine/text/glob.ts';

it('matches what the regular expression of a pattern matches', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/'), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '*'), maxLength: 8 });
  fc.assert(
    fc.property(pattern, text, (given, own) => {
      const expected = new RegExp(`^${given.replaceAll('.', '\\.').replace(/\*+/g, '.*')}$`).test(own);
      expect(createGlob(given)(own), `${given} and ${own}`).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
});

it('ends soon for patterns that a regular expression would try for years', () => {
  const matches = createGlob(`${'*a'.repeat(1_000)}b`);
  expect(matches('a'.repeat(1_000_000))).toBe(false);
  expect(matches(`${'a'.repeat(1_000_000)}b`)).toBe(true);
});
