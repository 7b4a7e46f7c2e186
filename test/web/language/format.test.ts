import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { substituteParams } from '../../../src/engine/script/params/params.ts';
import { parseScript } from '../../../src/engine/script/syntax/parse-script.ts';
import { LEXICAL_RULES } from '../../../src/engine/text/lexical-rules.ts';
import { notNull } from '../../../src/invariants/must.ts';
import { hasSameTokens } from '../../../web/language/format/compare-tokens.ts';
import { apply, formatScript, printFormatting } from '../../../web/language/format/format-script.ts';
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
    const left = (text: string) => formatScript(text, 'duckdb')?.left.map(({ reason }) => reason);
    expect(left('select 1 #+if x then , 2 #+end')).toEqual(['conditions']);
    expect(left("select 'a'\n'b'")).toEqual(['meaning']);
    expect(left('select 1')).toEqual([]);
    expect(format('select {{ f( }}')).toBe(null);
  });

  it('says how many blocks it has formatted, and why not others', () => {
    const say = (text: string) => printFormatting(notNull(formatScript(text, 'duckdb')));
    const block = (name: string, sql: string) => `#+src sql ${name}() #+begin\n${sql}\n#+end\n`;
    const late = block('Late', 'select 1 #+if true then , 2 #+end');
    const good = block('A', 'select\n    1');
    expect(say(`${block('A', 'select 1')}${good.replace('A', 'B')}${late}`)).toEqual([
      'Formatted 2 of 3 blocks; `Late` has conditions',
      true,
    ]);
    expect(say('select 1')).toEqual(['Formatted 1 block', true]);
    expect(say(good)).toEqual(['Nothing to format', false]);
    expect(say(late)).toEqual(['Nothing to format; `Late` has conditions', false]);
    expect(say("\nselect 'a'\n'b'")).toEqual([
      'Nothing to format; the SQL in line 2 could get another meaning',
      false,
    ]);
    const five = Array.from({ length: 5 }, (_, at) => late.replace('Late', `Late${at}`));
    expect(say(five.join(''))[0]).toBe(
      'Nothing to format; `Late0` has conditions; `Late1` has conditions; `Late2` has conditions; 2 more stay as they are',
    );
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
