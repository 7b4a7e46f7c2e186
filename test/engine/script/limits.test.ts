import { describe, expect, it } from 'vitest';
import { findBlock, toArguments } from '../../../src/engine/run/blocks/block-arguments.ts';
import { compileFile } from '../../../src/engine/script/compile.ts';
import { loadProgram } from '../../../src/engine/script/load/load-program.ts';
import { createParseCache } from '../../../src/engine/script/load/parse-cache.ts';
import { ParamError } from '../../../src/engine/script/params/params.ts';
import { DiagnosticError } from '../../../src/engine/text/diagnostic.ts';
import { LEXICAL_RULES } from '../../../src/engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../../src/engine/text/sql-dialect.ts';

/** The messages of the errors of a script, the only file of its package. */
function findErrors(text: string): readonly string[] {
  const files = [{ name: 'a.sql', text }];
  const snapshot = {
    needs: [{ id: 'p' }] as const,
    packages: [{ id: 'p', name: 'p', files, unreadable: [], imports: {} }],
  };
  const options = { dialect: SQL_DIALECT.duckdb, lexicalRules: LEXICAL_RULES.duckdb, now: 0, warn: () => {} };
  try {
    compileFile(loadProgram(snapshot, {}, createParseCache()), 'a.sql', options);
    return [];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(({ message }) => message);
  }
}

const doubling = (first: string, next: (name: string) => string) =>
  `#+const c0 = ${first};\n${Array.from({ length: 100 }, (_, i) => `c${i + 1} = ${next(`c${i}`)};`).join('\n')}\n#+end\n`;

describe('a script that would never end', () => {
  it.each([
    [
      'a list of ten million',
      '#+import "std/lists"\n#+for i : lists.Range(10000000) do {{ i }} #+end',
      'at most 100000',
    ],
    [
      'loops in loops without any text',
      '#+import "std/lists"\n#+for i : lists.Range(100000) do#+for j : lists.Range(100000) do#+end#+end',
      'too many loop iterations',
    ],
    [
      'macros that double without any text',
      `${Array.from({ length: 90 }, (_, i) => `#+macro M${i}() #+begin{{ M${i + 1}() }}{{ M${i + 1}() }}#+end`).join('\n')}
#+macro M90() #+begin#+end\n{{ M0() }}`,
      'too many loop iterations and macro calls',
    ],
    ['a macro that calls itself', '#+macro M() #+begin {{ M() }} #+end\n{{ M() }}', 'calls itself endlessly'],
    [
      'strings that double',
      `${doubling('"x"', (name) => `${name} + ${name}`)}{{ c100 }}`,
      'at most 16777216 characters',
    ],
    ['lists that double', `${doubling('[1]', (name) => `${name} + ${name}`)}{{ c100 }}`, 'at most 16777216'],
    ['lists in lists', `${doubling('[1]', (name) => `[${name}, ${name}]`)}{{ c100 }}`, 'at most 16777216'],
    [
      'maps in maps',
      `${doubling('{}', (name) => `{ :a ${name}, :b ${name} }`)}{{ c100.a }}`,
      'at most 16777216',
    ],
    [
      'strings that multiply',
      `#+import "std/strings"\n${doubling('"xx"', (name) => `strings.Replace(${name}, "x", ${name})`)}{{ c100 }}`,
      'at most 16777216 characters',
    ],
    ['a constant that refers to itself', '#+const a = b; b = a; #+end\n{{ a }}', 'refers to itself'],
    [
      'macros with deep conditions',
      `#+macro M() #+begin ${'#+if true then '.repeat(190)}{{ M() }}${'#+end '.repeat(190)} #+end\n{{ M() }}`,
      'nested too deeply',
    ],
  ])('is stopped: %s', (_, text, message) => {
    expect(findErrors(text)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    [
      'blocks',
      '#+src sql A() #+begin SELECT * FROM {{ B() }} #+end\n#+src sql B() #+begin SELECT * FROM {{ A() }} #+end\nFROM {{ A() }}',
    ],
    [
      'blocks through a macro',
      '#+src sql A() #+begin SELECT * FROM {{ M() }} #+end\n#+macro M() #+begin {{ A() }} #+end\nFROM {{ A() }}',
    ],
  ])('prints the cycle of %s', (_, text) => {
    expect(findErrors(text)).toEqual([
      expect.stringMatching(/in a cycle: `A` \(a.sql:\d\) → (`B` \(a.sql:\d\) → )?`A`/),
    ]);
  });
});

/** A chain of blocks that call each other. */
function chain(length: number): string {
  const blocks = Array.from({ length }, (_, i) => {
    const body = i + 1 < length ? `SELECT * FROM {{ B${i + 1}() }}` : 'SELECT 1 AS a';
    return `#+src sql B${i}()\n#+begin\n${body}\n#+end\n`;
  });
  return `${blocks.join('')}SELECT * FROM {{ B0() }}`;
}

describe('a script with deep nesting', () => {
  it('can nest at most 1,024 calls', () => {
    expect(findErrors(chain(1024))).toEqual([]);
    const message =
      'this call of the block `B1024` is nested in 1024 other calls: publish a block in between, or merge some blocks';
    for (const length of [1025, 5000]) expect(findErrors(chain(length))).toEqual([message]);
  });

  it('cannot have values deeper than 500 levels', () => {
    const first = '#+import "std/lists"\n#+src sql B(x) #+begin SELECT {{ lists.Length(x) }} AS a #+end\n';
    const constants = (count: number) =>
      Array.from({ length: count }, (_, i) => `c${i + 1} = ${'['.repeat(100)}c${i}${']'.repeat(100)};`);
    const nest = (count: number) =>
      `${first}#+const c0 = 1; ${constants(count).join('\n')} #+end\n${constants(count)
        .map((_, i) => `{{ lists.Length(c${i}) }};`)
        .slice(1)
        .join('\n')}\nSELECT * FROM {{ B(c${count}) }}`;
    expect(findErrors(nest(5))).toEqual([]);
    expect(findErrors(nest(6))).toEqual(['a value can be nested at most 500 levels deep']);
    expect(findErrors(nest(300))).toEqual(['a value can be nested at most 500 levels deep']);
  });
});

describe('an argument of a block', () => {
  it('cannot be deeper than 500 levels', () => {
    const text = '#+src sql B(x) #+begin SELECT 1 #+end';
    const files = [{ name: 'a.sql', text }];
    const snapshot = {
      needs: [{ id: 'p' }] as const,
      packages: [{ id: 'p', name: 'p', files, unreadable: [], imports: {} }],
    };
    const block = findBlock(loadProgram(snapshot, {}, createParseCache()), 'B');
    const nest = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(toArguments(block, { x: nest(500) }, new Map()).size).toBe(1);
    for (const levels of [501, 5000]) {
      expect(() => toArguments(block, { x: nest(levels) }, new Map())).toThrow(
        new ParamError('Argument x is nested more than 500 levels deep.'),
      );
    }
  });
});

describe('many errors', () => {
  it('are limited to twenty in one file', () => {
    expect(findErrors('#+src sql A()\n#+begin\n'.repeat(50_000)).length).toBe(20);
  });

  it('are limited to five hundred unknown names', () => {
    expect(findErrors('{{ Nothing }} '.repeat(100_000)).length).toBe(500);
  });

  it('quote only the beginning of a long value', () => {
    const [message] = findErrors(`{{ ${'x'.repeat(1_000_000)} }}`);
    expect(message!.length).toBeLessThan(2100);
  });
});
