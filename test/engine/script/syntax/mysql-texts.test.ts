import fc from 'fast-check';
import { expect, it } from 'vitest';
import { substituteParams } from '../../../../src/engine/script/params/params.ts';
import { isInMySqlText } from '../../../../src/engine/script/syntax/mysql-texts.ts';
import { parseScript } from '../../../../src/engine/script/syntax/parse-script.ts';

const render = (text: string) => substituteParams({ name: 'a.sql', text }, {});

/** The same, by looking at all of the line before a place. */
function isBehindMark(text: string, at: number): boolean {
  const before = text
    .slice(0, at)
    .split(/[\n\r]/)
    .at(-1)!;
  return /#(?!\+[A-Za-z])/.test(before) || before.split('`').length % 2 === 0;
}

it('knows what stands behind a # or in backticks on its line', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '`', '#', '#+if', '#+', '\n', '\r', ' '),
    maxLength: 30,
  });
  fc.assert(
    fc.property(text, (own) => {
      const rendered = render(own);
      for (let at = 0; at <= own.length; at += 1) {
        // A place between the letters of a directive is none that anybody asks about.
        if (/#\+?$/.test(own.slice(0, at)) && /^\+?[A-Za-z]/.test(own.slice(at))) continue;
        expect(isInMySqlText(rendered, at), `${JSON.stringify(own)} at ${at}`).toBe(isBehindMark(own, at));
      }
    }),
    { numRuns: 2_000 },
  );
});

it('ends soon for lines of which every directive would be compared with all that is before it', () => {
  const body = 'a#+begin '.repeat(300_000);
  const { diagnostics } = parseScript(render(`#+src sql A() #+begin SELECT 1 ${body} #+end\n`));
  expect(diagnostics.length).toBeLessThan(30);
});
