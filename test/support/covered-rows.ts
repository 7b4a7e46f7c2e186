import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** Expects each row to have a case in a folder, and cases to name rows only. */
export function describeCoverage(
  folder: string,
  rows: Readonly<Record<string, string>>,
  covers: (...ids: never[]) => string,
): void {
  const named = listCovered(readCases(folder));
  describe('the rows', () => {
    it('have a case each', () => {
      expect(Object.keys(rows).filter((id) => !named.includes(id))).toEqual([]);
    });

    it('are all that cases name', () => {
      expect(named.filter((id) => !Object.hasOwn(rows, id))).toEqual([]);
      expect(() => covers('no such row' as never)).toThrow('there is no row `no such row`');
    });
  });
}

/** The texts of the tests in a folder, but for the one that looks whether every row has a case. */
export function readCases(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
    .map((name) => readFileSync(path.join(folder, name), 'utf8'));
}

/** The rows that cases name, by their text: what a call of `covers` holds between its brackets. */
function listCovered(cases: readonly string[]): readonly string[] {
  return cases.flatMap((source) =>
    [...source.matchAll(/\bcovers\(([^)]*)\)/g)].flatMap(([, ids]) =>
      [...ids!.matchAll(/'([^']*)'/g)].map(([, id]) => id!),
    ),
  );
}
