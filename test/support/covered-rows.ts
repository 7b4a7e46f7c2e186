import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The texts of the tests in a folder, but for the one that looks whether every row has a case. */
export function readCases(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
    .map((name) => readFileSync(path.join(folder, name), 'utf8'));
}

/** The rows that cases name, by their text: what a call of `covers` holds between its brackets. */
export function listCovered(cases: readonly string[]): readonly string[] {
  return cases.flatMap((source) =>
    [...source.matchAll(/\bcovers\(([^)]*)\)/g)].flatMap(([, ids]) =>
      [...ids!.matchAll(/'([^']*)'/g)].map(([, id]) => id!),
    ),
  );
}
