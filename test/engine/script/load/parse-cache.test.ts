import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../../src/engine/project/snapshot.ts';
import { checkSnapshot } from '../../../../src/engine/script/load/load-program.ts';
import { createParseCache } from '../../../../src/engine/script/load/parse-cache.ts';
import type { Params } from '../../../../src/engine/script/params/params.ts';
import { LEXICAL_RULES } from '../../../../src/engine/text/lexical-rules.ts';

const BLOCK = '#+src sql Base() #+begin SELECT 1 #+end\n';
const CALLER = 'SELECT * FROM {{ Base() }}';

/** A package of two files, `a.sql` and `b.sql`, and one that imports it. */
function createProject(a: string, b: string, main = 'SELECT 1'): Snapshot {
  const files = [
    { name: 'a.sql', text: a },
    { name: 'b.sql', text: b },
  ];
  return {
    needs: [{ id: 'main' }, { id: 'lib' }],
    packages: [
      {
        id: 'main',
        name: 'main',
        files: [{ name: 'main.sql', text: main }],
        unreadable: [],
        imports: { lib: { kind: 'package', id: 'lib' } },
      },
      { id: 'lib', name: 'lib', files, unreadable: [], imports: {} },
    ],
  };
}

/** The messages of several snapshots, loaded one after another with the same cache. */
function check(...rounds: readonly (readonly [Snapshot, Params?])[]): readonly (readonly string[])[] {
  const cache = createParseCache();
  return rounds.map(([snapshot, params = {}]) =>
    checkSnapshot(snapshot, { params, lexicalRules: LEXICAL_RULES.duckdb }, cache).map(
      ({ file, message }) => `${file}: ${message}`,
    ),
  );
}

describe('a project that is loaded again', () => {
  it('no longer has a removed name of another file', () => {
    const [before, after, again] = check(
      [createProject(BLOCK, CALLER)],
      [createProject('SELECT 2', CALLER)],
      [createProject(BLOCK, CALLER)],
    );
    expect(before).toEqual([]);
    expect(after).toEqual(['b.sql: unknown name `Base`']);
    expect(again).toEqual([]);
  });

  it('no longer has a removed name of another package', () => {
    const main = '#+import "lib"\nSELECT * FROM {{ lib.Base() }}';
    const [before, after] = check([createProject(BLOCK, '', main)], [createProject('SELECT 2', '', main)]);
    expect(before).toEqual([]);
    expect(after).toEqual(['main.sql: the package `lib` has no `Base`']);
  });

  it('uses changed and new values of parameters', () => {
    const text = '#+src sql $name() #+begin SELECT 1 #+end\nSELECT * FROM {{ Base() }}';
    const [first, other, same, more] = check(
      [createProject('', text), { name: 'Base' }],
      [createProject('', text), { name: 'Bose' }],
      [createProject('', text), { name: 'Base' }],
      [createProject('', text), { name: 'Base', more: 1 }],
    );
    expect([first, same, more]).toEqual([[], [], []]);
    expect(other).toEqual(['b.sql: unknown name `Base`, did you mean `Bose`?']);
  });

  it('uses a changed type of a parameter with the same text', () => {
    const text = 'SELECT {{ $n }}';
    const [asNumber, asText] = check(
      [createProject('', text), { n: 5n }],
      [createProject('', text), { n: '5n' }],
    );
    expect(asNumber).toEqual([]);
    expect(asText).toEqual([expect.stringContaining('b.sql: this string is inserted without quotes')]);
  });

  it('reports every position of an unknown name', () => {
    const [, twice] = check([createProject(BLOCK, CALLER)], [createProject('', `${CALLER};\n${CALLER}`)]);
    expect(twice).toEqual(Array.from({ length: 2 }, () => 'b.sql: unknown name `Base`'));
  });
});
