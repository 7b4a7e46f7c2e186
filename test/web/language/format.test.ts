import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { substituteParams } from '../../../src/engine/script/params/params.ts';
import { parseScript } from '../../../src/engine/script/syntax/parse-script.ts';
import { LEXICAL_RULES } from '../../../src/engine/text/lexical-rules.ts';
import { hasSameTokens } from '../../../web/language/format/compare-tokens.ts';
import { apply, formatScript } from '../../../web/language/format/format-script.ts';
import type { EditorDialect } from '../../../web/language/sql-keywords.ts';

const root = path.resolve(import.meta.dirname, '../../../fixtures');
/** Without the scripts that are valid only with their parameters. */
const SCRIPTS = globSync('{script/good,demo,warehouse}/**/*.sql', { cwd: root })
  .filter((file) => !/\/param-(as-a-name|in-directive)\//.test(file))
  .sort();

/** Formats a text; null if it has errors. */
function format(text: string, dialect: EditorDialect = 'duckdb'): string | null {
  const found = formatScript(text, dialect);
  return found === null ? null : apply(text, found.changes);
}

/** All expressions and heads of directives, and the SQL without white space. */
function readMeaning(text: string): unknown {
  const { file } = parseScript(substituteParams({ name: '', text }, {}));
  const squeeze = (part: { start: number; end: number }) =>
    text.slice(part.start, part.end).replace(/\s+/g, '');
  return {
    declarations: [...file.imports, ...file.macros, ...file.constants].map(squeeze),
    blocks: file.blocks.map(({ body, name }) => [name?.name, squeeze(body)]),
  };
}

describe('formatting a script', () => {
  it('changes many of the fixtures', () => {
    const changed = SCRIPTS.filter((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return format(text) !== null && format(text) !== text;
    });
    expect(changed.length).toBeGreaterThan(60);
  });

  it.each(SCRIPTS)('changes nothing but white space in %s, and nothing the second time', (file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const dialect of ['duckdb', 'postgresql', 'mysql', 'trino'] as const) {
      const once = format(text, dialect);
      if (once === null) throw new Error('the script has errors');
      expect(readMeaning(once)).toEqual(readMeaning(text));
      expect(format(once, dialect)).toBe(once);
    }
  });

  it('keeps directives, expressions and parameters', () => {
    const text = `#+import "a/b"
#+src sql Orders(least=0)
#+begin select id, $column from {{ b.Raw( 1 ) }} where total>={{least}} and name = '$name {{ b.X() }}' #+end
select * from {{ Orders() }} limit $most;
select 2`;
    expect(format(text)).toBe(`#+import "a/b"
#+src sql Orders(least=0)
#+begin
select
    id,
    $column
from
    {{ b.Raw( 1 ) }}
where
    total >= {{least}}
    and name = '$name {{ b.X() }}'
#+end
select
    *
from
    {{ Orders() }}
limit
    $most;

select
    2`);
  });

  it('leaves bodies alone that have conditions, or whose meaning could change', () => {
    const left = (text: string, dialect: EditorDialect = 'duckdb') => formatScript(text, dialect)?.left;
    expect(left('select 1 #+if x then , 2 #+end')).toBe(1);
    expect(left("select 'a'\n'b'")).toBe(1);
    expect(left('select 1')).toBe(0);
    expect(format('select {{ f( }}')).toBe(null);
  });

  it('notices where white space means something', () => {
    const isSame = (one: string, other: string) => hasSameTokens(one, other, LEXICAL_RULES.postgresql);
    expect(isSame('a+1', 'a  +\n 1')).toBe(true);
    expect(isSame('a->b', 'a - > b')).toBe(false);
    expect(isSame("x'00'", "x '00'")).toBe(false);
    expect(isSame('count(a)', 'count (a)')).toBe(false);
    expect(isSame('a::int', 'a: :int')).toBe(false);
    expect(isSame('- -1', '--1')).toBe(false);
    expect(isSame('a /* x\n  y */', 'a /* x y */')).toBe(true);
    expect(isSame('SELECT', 'select')).toBe(false);
  });
});
