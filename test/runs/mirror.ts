import path from 'node:path';

/**
 * The tests in the folder that mirrors the folder of a file of `src` or `web`, or in the nearest parent folder with
 * tests. The one with the name of the file is first.
 */
export function findMirrored(file: string, tests: readonly string[]): readonly string[] {
  if (!/^(?:src|web)\//.test(file)) return [];
  const mirrored = file.replace(/^src\//, '').replace(/\.\w+$/, '.test.ts');
  const name = path.posix.basename(mirrored);
  for (let folder = path.posix.dirname(mirrored); folder !== '.'; folder = path.posix.dirname(folder)) {
    const own = tests.filter((test) => path.posix.dirname(test) === `test/${folder}`);
    const [same, others] = [own.filter(hasName), own.filter((test) => !hasName(test))];
    if (own.length > 0) return [...same, ...others];
  }
  return [];

  function hasName(test: string): boolean {
    return path.posix.basename(test) === name;
  }
}
