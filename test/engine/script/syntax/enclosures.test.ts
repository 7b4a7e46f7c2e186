import { describe, expect, it } from 'vitest';
import { substituteInLongText, substituteParams } from '../../../../src/engine/script/params/params.ts';
import { checkUsedInLongTexts } from '../../../../src/engine/script/params/surplus-params.ts';
import type { Body } from '../../../../src/engine/script/syntax/ast.ts';
import { findEnclosures, prepareEnclosures } from '../../../../src/engine/script/syntax/enclosures.ts';
import { hasStatementInLongText } from '../../../../src/engine/script/syntax/has-statement.ts';
import type { Interruptible } from '../../../../src/engine/text/interruptible.ts';

const MEGABYTE = 1024 ** 2;
const render = (text: string) => substituteParams({ name: 'a.sql', text }, {});

/** The result of work, and the number of its interruptions. */
function measure<T>(work: Interruptible<T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    const next = work.next();
    if (next.done === true) return { value: next.value, pauses };
  }
}

describe('the enclosures of a long script', () => {
  it.each([
    ['comments that are all closed', '/* a /* b */ c */\n'],
    ['comments that are not closed', '/*'],
    ['tags of dollar quotes', '$$ $tag$ $é $'],
    ['dollar signs', '$'],
  ])('are the same if they are found in pieces: %s', (_, unit) => {
    // The end of a piece is inside a unit.
    const long = render(`*/ ${unit.repeat((3 * MEGABYTE) / unit.length)} */ $end$`);
    const { pauses } = measure(prepareEnclosures(long));
    expect(pauses).toBeGreaterThan(4);
    const { text } = long;
    const { commentEnds, lastCommentEnd, lastTags } = findEnclosures(long);
    expect(lastCommentEnd).toBe(text.lastIndexOf('*/') + 2);
    expect(lastTags).toEqual(
      new Map(
        ['$$', '$tag$', '$end$'].flatMap((tag) => (text.includes(tag) ? [[tag, text.lastIndexOf(tag)]] : [])),
      ),
    );
    const opened = unit.includes('*/') ? text.split('/*').length - 1 : Number(unit.startsWith('/*'));
    expect(commentEnds.size).toBe(opened);
    for (const [start, end] of [...commentEnds].slice(-3)) {
      expect([text.slice(start, start + 2), text.slice(end - 2, end)]).toEqual(['/*', '*/']);
    }
  });

  it('are found later in a short script', () => {
    expect(measure(prepareEnclosures(render('/* a */'.repeat(10_000)))).pauses).toBe(0);
  });
});

it('finds a statement of a long script in pieces', () => {
  const bodyOf = (text: string): Body => ({
    parts: [{ kind: 'text', start: 0, end: text.length }],
    start: 0,
    end: text.length,
  });
  const blanks = ' ;\ufeff\u2028'.repeat(MEGABYTE / 4);
  const none = measure(hasStatementInLongText(bodyOf(blanks), blanks));
  expect(none.value).toBe(false);
  expect(none.pauses).toBeGreaterThan(4);
  for (const at of [0, 128 * 1024 - 1, 128 * 1024, MEGABYTE - 1]) {
    const text = `${blanks.slice(0, at)}x${blanks.slice(at + 1)}`;
    expect(measure(hasStatementInLongText(bodyOf(text), text)).value).toBe(true);
  }
});

it('finds and replaces parameters of a long script in pieces', () => {
  const source = { name: 'a.sql', text: '$a $b '.repeat(50_000) };
  const replaced = measure(substituteInLongText(source, { a: 1 }));
  expect(replaced.value.text).toBe('1 $b '.repeat(50_000));
  expect(replaced.pauses).toBeGreaterThan(50);
  const used = measure(checkUsedInLongTexts({ params: { a: 1, c: 1 } }, [source]));
  expect(used.value.map(({ message }) => message)).toEqual([expect.stringContaining('`$c` is not used')]);
  expect(used.pauses).toBeGreaterThan(50);
});
