import { expect, it } from 'vitest';
import type { ScriptLoader } from '../../../../src/engine/project/package-loader.ts';
import { collectSnapshot } from '../../../../src/engine/script/load/collect-snapshot.ts';
import { DiagnosticError } from '../../../../src/engine/text/diagnostic.ts';

/** A loader of packages with one file each, which has the given length and imports other packages by id. */
function createLoader(sizes: Readonly<Record<string, number>>): ScriptLoader {
  const imports = Object.keys(sizes)
    .map((id) => `#+import "${id}"\n`)
    .join('');
  return createTextLoader((id) => imports.padEnd(sizes[id]!, ' '));
}

/** A loader of packages with one file each. */
function createTextLoader(textOf: (id: string) => string): ScriptLoader {
  const findScript = (id: string) => {
    const source = { name: `${id}.sql`, text: textOf(id) };
    return { name: source.name, read: () => ({ source }) };
  };
  return {
    printName: (id) => id,
    listScripts: (id) => [findScript(id)],
    findScript,
    findProject: () => null,
    resolveImport: (_from, path) => ({ kind: 'package', id: path }),
  };
}

it('accepts scripts of up to 32 million characters, and reports the file that exceeds the limit', () => {
  const million = 1024 ** 2;
  const { packages } = collectSnapshot(
    createLoader({ a: 16 * million, b: 16 * million }),
    [{ id: 'a', withImports: true }],
    { params: {} },
  );
  expect(packages.map(({ id }) => id)).toEqual(['a', 'b']);
  const loader = createLoader({ a: 16 * million, b: 16 * million, c: 100 });
  const large = collectSnapshot(loader, [{ id: 'a', withImports: true }], { params: {} });
  expect(large.packages.flatMap(({ unreadable }) => unreadable.map(({ error }) => error.message))).toEqual([
    'with this file, the scripts of a run have more than 33,554,432 characters',
  ]);
});

it('accepts a thousand imports of a script, and reports the import that exceeds the limit', () => {
  const collect = (imports: number) => {
    const text = `x #+import "a"\n${'  #+import "a"\n'.repeat(imports)}#+imported "a"`;
    return collectSnapshot(
      createTextLoader(() => text),
      [{ id: 'a' }],
      { params: {} },
    );
  };
  expect(collect(1_000).packages).toHaveLength(1);
  const error = expect(() => collect(1_001));
  error.toThrow(DiagnosticError);
  error.toThrow(/a\.sql:1002:3: .*a script can have at most 1,000 imports/);
});
