import { describe, expect, it } from 'vitest';
import { describeCoverage, readCases } from '../../support/covered-rows.ts';
import { CATALOG_ROWS } from './catalog-rows.ts';
import { EXEC_ROWS } from './exec-rows.ts';
import { INTERFACE_ROWS } from './interface-rows.ts';
import { covers, ROWS } from './rows.ts';
import { SCIM_ROWS } from './scim-rows.ts';
import { SEMANTIC_ROWS } from './semantic-rows.ts';

describeCoverage(import.meta.dirname, ROWS, covers);

describe('the rows of all areas', () => {
  it('have unique ids', () => {
    const ids = [INTERFACE_ROWS, CATALOG_ROWS, EXEC_ROWS, SEMANTIC_ROWS, SCIM_ROWS].flatMap(Object.keys);
    expect(Object.keys(ROWS)).toHaveLength(ids.length);
  });

  it('are complete: no case is skipped, and none runs alone', () => {
    const sources = readCases(import.meta.dirname);
    expect(sources.filter((source) => /\.(skip|only|todo|fails)\b/.test(source))).toEqual([]);
  });
});
