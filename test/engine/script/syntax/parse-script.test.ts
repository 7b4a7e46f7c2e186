import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { substituteParams } from '../../../../src/engine/script/params/params.ts';
import { parseScript } from '../../../../src/engine/script/syntax/parse-script.ts';
import { share } from '../../../support/rotation.ts';
import { printScript } from './print-script.ts';

const fixtures = path.resolve(import.meta.dirname, '../../../../fixtures');

function parse(text: string, params: Record<string, string> = {}) {
  return parseScript(substituteParams({ name: 'a.sql', text }, params));
}

/** Pieces of scripts, so that random scripts resemble real ones. */
const piece = fc.oneof(
  fc.constantFrom(
    ...'#+src sql |#+test sql |#+macro |#+const\n|#+import "a/b"\n|#+begin|#+end|#+end;|#+if |#+else|#+elseif '.split(
      '|',
    ),
    ...'#+for x : |#+meta {|}|then|do|separator |before |after |{{|}}|{{ | }}|(|)|[|]|,|;|:|.|=|==|+|-|*|/|%|<|'.split(
      '|',
    ),
    ...'Name|name|A()|f(1, n=2)|:key|"text"|`raw`|"|`|\'|$x|$$|$x$|1|2.5|true|null|and |or |not |as |-- |/*|*/'.split(
      '|',
    ),
    ...[' ', '\n', '\r\n', '\\', '\ufeff', 'é', '𝄞', '#+', '{', '{{{'],
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const script = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

describe('a random script', () => {
  it('is parsed, with errors only inside it', () => {
    fc.assert(
      fc.property(script, fc.dictionary(fc.constantFrom('x', 'y'), script), (text, params) => {
        const { diagnostics } = parse(text, params);
        const lines = text.split(/\r\n|\n|\r/);
        for (const { line, column } of diagnostics) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column).toBeLessThanOrEqual(lines[line - 1]!.length + 2);
        }
      }),
      { numRuns: share(3000) },
    );
  });

  it('has consecutive declarations inside it', () => {
    fc.assert(
      fc.property(script, (text) => {
        const { file } = parse(text);
        const all = [...file.imports, ...file.blocks, ...file.macros, ...file.constants];
        all.sort((a, b) => a.start - b.start);
        let last = 0;
        for (const { start, end } of all) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = end;
        }
      }),
      { numRuns: share(1000) },
    );
  });
});

describe('a printed script', () => {
  const print = (text: string) => printScript(parse(text).file);

  it('keeps text that resembles a directive as text', () => {
    const printed = print('#+const\n#+end;#+test sql ');
    expect(parse(printed).diagnostics).toEqual([]);
    expect(print(printed)).toBe(printed);
  });

  it('is unchanged if it is printed again', () => {
    fc.assert(
      fc.property(script, (text) => {
        const parsed = parse(text);
        fc.pre(parsed.diagnostics.length === 0);
        const printed = printScript(parsed.file);
        const again = parse(printed);
        expect(again.diagnostics).toEqual([]);
        expect(printScript(again.file)).toBe(printed);
      }),
      { numRuns: share(5000) },
    );
  });

  const warehouse = path.join(fixtures, 'warehouse');
  const files = readdirSync(warehouse, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.sql'),
  );

  it.each(files)('can be parsed again: %s', (name) => {
    const parsed = parse(readFileSync(path.join(warehouse, name), 'utf8'));
    expect(parsed.diagnostics).toEqual([]);
    const printed = printScript(parsed.file);
    expect(print(printed)).toBe(printed);
    expect(parse(printed).file.blocks.length).toBe(parsed.file.blocks.length);
  });

  it('has a uniform format', () => {
    const text = `#+import  "a/b"  as  c;
#+const x=1;y = [1,2 ,]; #+end
#+src sql A ( n , m=-2 ) :void #+meta {:doc "d", "k k" {}} #+begin x {{-(-n)+2*3 == c.M(1,k=\`r"\`)[0].y}} #+end
#+if not(a)and b then  1 #+elseif 1.0>2 then 2 #+else 3 #+end
#+for i:[1] after ")" before "(" do {{i}}#+end`;
    expect(print(text)).toBe(
      `#+import "a/b" as c
#+const
x = 1;
#+end
#+const
y = [1, 2];
#+end
#+src sql A(n, m=-2): void
#+meta { :doc "d", "k k" {} }
#+begin x {{ ((-(-n)) + (2 * 3)) == c.M(1, k="r\\"")[0].y }} #+end
#+if (not a) and b then  1 #+elseif 1.0 > 2 then 2 #+else 3 #+end
#+for i : [1] after ")" before "(" do {{ i }}#+end
`,
    );
  });
});

describe('the limits of the parser', () => {
  it.each([
    ['parentheses', `select {{ ${'('.repeat(10_000)}`],
    ['lists', `select {{ ${'['.repeat(10_000)}`],
    ['maps', `select {{ ${'{ :a '.repeat(10_000)}`],
    ['calls', `select {{ ${'f('.repeat(10_000)}`],
    ['negations', `select {{ ${'not '.repeat(10_000)} true }}`],
    ['minus signs', `select {{ ${'- '.repeat(10_000)} 1 }}`],
    ['conditions', '#+if true then '.repeat(10_000)],
    ['loops', '#+for x : y do '.repeat(10_000)],
  ])('reject %s nested ten thousand deep', (_, text) => {
    const { diagnostics } = parse(text);
    expect(diagnostics.map(({ message }) => message)).toEqual(['this is nested more than 200 levels deep']);
  });

  it.each([
    ['operators', `select {{ 1${' + 1'.repeat(10_000)} }}`, 'this expression has more than 500 levels'],
    ['members', `select {{ a${'.b'.repeat(10_000)} }}`, 'this expression has more than 500 levels'],
  ])('reject %s ten thousand in a row', (_, text, message) => {
    expect(parse(text).diagnostics[0]?.message).toContain(message);
  });

  it('allow a script of 15 MB', () => {
    const block = `#+src sql B() #+begin SELECT '${'x'.repeat(900)}' -- {{\n#+end\nSELECT {{ 1 }};\n`;
    const text = block.repeat(Math.floor((15 * 1024 * 1024) / block.length));
    const { file, diagnostics } = parse(text);
    expect(diagnostics).toEqual([]);
    expect(file.blocks.length).toBe(2 * Math.floor((15 * 1024 * 1024) / block.length));
  });
});
