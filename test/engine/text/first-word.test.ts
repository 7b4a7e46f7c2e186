import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findFirstWord } from '../../../src/engine/text/first-word.ts';
import {
  duckdbRules,
  mysqlRules,
  postgresqlRules,
  trinoRules,
} from '../../../src/engine/text/lexical-rules.ts';
import { share } from '../../support/rotation.ts';

it.each([
  ['SELECT 1', 'select'],
  ['from\nt', 'from'],
  [' \t-- a note\n/* and another */(VALUES (1))', '('],
  ['"select" 1', '"select"'],
  ['with\tx AS (SELECT 1) FROM x', 'with'],
  ['Élan 1', 'élan'],
  ["e'x' y", "e'x'"],
  ['', ''],
  [' /* only a comment */ ', ''],
])('the first word of %j is %j', (statement, first) => {
  expect(findFirstWord(statement, duckdbRules)).toBe(first);
});

it('the first word of any text is the same behind a comment', () => {
  const parts = ['select', 'E', 'x', 'é', '1', ' ', '\n', '\t', "'", '"', '`', '.', '$$', '-', '(', '\0'];
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 6 }).map((own) => own.join(''));
  const rules = fc.constantFrom(duckdbRules, postgresqlRules, mysqlRules, trinoRules);
  fc.assert(
    fc.property(text, rules, (statement, lexicalRules) => {
      expect(findFirstWord(statement, lexicalRules)).toBe(findFirstWord(`/**/${statement}`, lexicalRules));
    }),
    { numRuns: share(1000) },
  );
});
