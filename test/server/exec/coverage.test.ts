import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { covers, ROWS } from './rows.ts';

const sources = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
  .map((name) => readFileSync(path.join(import.meta.dirname, name), 'utf8'));

/** The rows that the cases name. */
const named = sources.flatMap((source) =>
  [...source.matchAll(/\bcovers\(([^)]*)\)/g)].flatMap(([, ids]) =>
    [...ids!.matchAll(/'([^']*)'/g)].map(([, id]) => id!),
  ),
);

describe('the rows', () => {
  it('have a case each', () => {
    expect(Object.keys(ROWS).filter((id) => !named.includes(id))).toEqual([]);
  });

  it('are all that cases name', () => {
    expect(named.filter((id) => !Object.hasOwn(ROWS, id))).toEqual([]);
    expect(() => covers('no such row' as never)).toThrow('there is no row `no such row`');
  });
});
