import { describe, expect, it } from 'vitest';
import { listCovered, readCases } from '../../support/covered-rows.ts';
import { covers, ROWS } from './rows.ts';

const sources = readCases(import.meta.dirname);
const named = listCovered(sources);

describe('the rows', () => {
  it('have a case each', () => {
    expect(Object.keys(ROWS).filter((id) => !named.includes(id))).toEqual([]);
  });

  it('are all that cases name', () => {
    expect(named.filter((id) => !Object.hasOwn(ROWS, id))).toEqual([]);
    expect(() => covers('no such row' as never)).toThrow('there is no row `no such row`');
  });
});
