import fc from 'fast-check';
import { expect, it } from 'vitest';
import { substituteParams } from '../../../../src/engine/script/params/params.ts';
import { isInMySqlText } from '../../../../src/engine/script/syntax/mysql-texts.ts';
import { parseScript } from '../../../../src/engine/script/syntax/parse-script.ts';
import { share } from '../../../support/rotation.ts';

const render = (text: string) => substituteParams({ name: 'a.sql', text }, {});

/** The reference implementation, which reads the complete line before an offset. */
function isBehindMark(text: string, at: number): boolean {
  const before = text
    .slice(0, at)
    .split(/[\n\r]/)
    .at(-1)!;
  return /#(?!\+[A-Za-z])/.test(before) || before.split('`').length % 2 === 0;
}

it('finds offsets after a # or in backticks on their line', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '`', '#', '#+if', '#+', '\n', '\r', ' '),
    maxLength: 30,
  });
  fc.assert(
    fc.property(text, (own) => {
      const rendered = render(own);
      for (let at = 0; at <= own.length; at += 1) {
        // The scanner never checks an offset between the letters of a directive.
        if (/#\+?$/.test(own.slice(0, at)) && /^\+?[A-Za-z]/.test(own.slice(at))) continue;
        expect(isInMySqlText(rendered, at), `${JSON.stringify(own)} at ${at}`).toBe(isBehindMark(own, at));
      }
    }),
    { numRuns: share(2_000) },
  );
});

it('is linear for a long line with many directives', () => {
  const body = 'a#+begin '.repeat(300_000);
  const { diagnostics } = parseScript(render(`#+src sql A() #+begin SELECT 1 ${body} #+end\n`));
  expect(diagnostics.length).toBeLessThan(30);
});
