import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggest } from '../../src/text/suggest.ts';
import { share } from '../support/rotation.ts';

const tables = ['Customers', 'Orders', 'OrderLines', 'Products', 'Region'];

describe('suggest', () => {
  it.each([
    ['custmers', 'Customers'],
    ['CUSTOMERS', 'Customers'],
    ['Cutsomers', 'Customers'],
    ['Order', 'Orders'],
    ['Ordres', 'Orders'],
    ['orderline', 'OrderLines'],
    ['Rejion', 'Region'],
    ['Suppliers', undefined],
    ['x', undefined],
    ['', undefined],
    ['Orders', undefined],
  ])('%s: %s', (word, expected) => {
    expect(suggest(word, tables)).toBe(expected);
  });

  it.each([
    ['id', ['ad', 'it'], undefined],
    ['id', ['ID'], 'ID'],
    ['sum', ['num', 'max'], 'num'],
    ['abcdef', ['badcfe'], undefined],
    ['abcdef', ['bacdfe'], 'bacdfe'],
    ['abc', ['cab'], undefined],
    ['name', ['nbme', 'naem', 'mane'], 'naem'],
    ['constructor', [], undefined],
  ])('%s of %j: %s', (word, candidates, expected) => {
    expect(suggest(word, candidates)).toBe(expected);
  });

  it('does not depend on the order of the candidates', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 12 }), (typed, candidates) => {
        const found = suggest(typed, candidates);
        expect(suggest(typed, candidates.toReversed())).toBe(found);
        expect([undefined, ...candidates]).toContain(found);
      }),
      { numRuns: share(500) },
    );
  });

  it('finds a name of three letters or more despite one mistake', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), minLength: 4, maxLength: 30 });
    fc.assert(
      fc.property(name, fc.nat(), fc.constantFrom('', 'z', 'swap'), (given, place, mistake) => {
        const at = place % (given.length - 1);
        const middle = mistake === 'swap' ? given[at + 1]! + given[at] : mistake + given[at + 1];
        const typed = given.slice(0, at) + middle + given.slice(at + 2);
        expect(suggest(typed, [given])).toBe(typed === given ? undefined : given);
      }),
      { numRuns: share(500) },
    );
  });

  it('allows only a different case in very long words', () => {
    const long = 'column_'.repeat(100_000);
    expect(suggest(long.toUpperCase(), [long])).toBe(long);
    expect(suggest(`${long}x`, Array(5000).fill(long))).toBeUndefined();
  });
});
