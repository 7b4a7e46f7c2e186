import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATALOG_ROWS } from './catalog-rows.ts';
import { INTERFACE_ROWS } from './interface-rows.ts';
import { covers, ROWS } from './rows.ts';

const sources = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
  .map((name) => readFileSync(path.join(import.meta.dirname, name), 'utf8'));

/** The rows that the cases name, by their text: what a call of `covers` holds between its brackets. */
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

  it('have ids of their own', () => {
    const count = Object.keys(INTERFACE_ROWS).length + Object.keys(CATALOG_ROWS).length;
    expect(Object.keys(ROWS)).toHaveLength(count);
  });

  it('are run: no case is left out, and none is run alone', () => {
    expect(sources.filter((source) => /\.(skip|only|todo|fails)\b/.test(source))).toEqual([]);
  });
});
