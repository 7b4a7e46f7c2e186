import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** Defines tests that each row has a case in a folder, and that cases name existing rows only. */
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

    it('are the only names in cases', () => {
      expect(named.filter((id) => !Object.hasOwn(rows, id))).toEqual([]);
      expect(() => covers('no such row' as never)).toThrow('there is no row `no such row`');
    });
  });
}

/** The texts of the test files in a folder, except the one that checks that every row has a case. */
export function readCases(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
    .map((name) => readFileSync(path.join(folder, name), 'utf8'));
}

/** The rows that cases name: the arguments of `covers` in their text. */
function listCovered(cases: readonly string[]): readonly string[] {
  return cases.flatMap((source) =>
    [...source.matchAll(/\bcovers\(([^)]*)\)/g)].flatMap(([, ids]) =>
      [...ids!.matchAll(/'([^']*)'/g)].map(([, id]) => id!),
    ),
  );
}
