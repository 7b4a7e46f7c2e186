import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printCodeFrame } from '../../../src/engine/text/code-frame.ts';
import { share } from '../../support/rotation.ts';

function frame(text: string, start: number, end = start): string[] {
  return printCodeFrame({ name: 'a.sql', text }, { start, end }).split('\n');
}

/** The part of the marked line above the carets. */
function above(rows: readonly string[]): string {
  const caret = rows.at(-1)!;
  return rows.at(-2)!.slice(caret.indexOf('^'), caret.length);
}

describe('printCodeFrame', () => {
  it('shows two lines of context and marks the span', () => {
    const text = 'select 1;\nselect a,\n  b\nfrom nowhere;\nselect 2;';
    const start = text.indexOf('nowhere');
    expect(frame(text, start, start + 7)).toEqual([
      '2 | select a,',
      '3 |   b',
      '4 | from nowhere;',
      '  |      ^~~~~~~',
    ]);
  });

  it('lines up numbers of different length', () => {
    const text = `${'x\n'.repeat(9)}here`;
    expect(frame(text, 18, 22)).toEqual([' 8 | x', ' 9 | x', '10 | here', '   | ^~~~']);
  });

  it.each([
    ['an empty text', '', 0, ['1 |', '  | ^']],
    ['the end of a text', 'select', 6, ['1 | select', '  |       ^']],
    ['the empty line after the last line end', 'select\n', 7, ['1 | select', '2 |', '  | ^']],
    ['an offset past the end', 'ab', 99, ['1 | ab', '  |   ^']],
    ['an offset before the beginning', 'ab', -1, ['1 | ab', '  | ^']],
    ['a line end', 'ab\r\ncd', 3, ['1 | ab', '  |   ^']],
    ['an offset within a surrogate pair', 'x😀y', 2, ['1 | x😀y', '  |  ^']],
  ])('places the caret at %s', (_, text, offset, rows) => {
    expect(frame(text, offset)).toEqual(rows);
  });

  it('marks only the first line of a span over several lines', () => {
    expect(frame('ab\ncd', 1, 5)).toEqual(['1 | ab', '  |  ^']);
    expect(frame('a bcd\nef', 2, 8)).toEqual(['1 | a bcd', '  |   ^~~']);
  });

  it('aligns the caret with its text after tabs, wide letters and signs', () => {
    expect(frame('\tx\ty', 3, 4)).toEqual(['1 |     x   y', '  |         ^']);
    expect(frame('名前 x', 0, 2)).toEqual(['1 | 名前 x', '  | ^~~~']);
    expect(frame('名前 x', 3, 4)).toEqual(['1 | 名前 x', '  |      ^']);
    expect(frame('\u001b[2Jx', 4, 5)).toEqual(['1 | ␛[2Jx', '  |     ^']);
    expect(frame('a\tb', 1, 2)).toEqual(['1 | a   b', '  |  ^~~']);
  });

  it.each([0, 1, 59, 60, 61, 500, 4_999_939, 4_999_940, 4_999_997])(
    'cuts a very long line around %i',
    (at) => {
      const text = `${'x'.repeat(at)}bad${'y'.repeat(4_999_997 - at)}`;
      const rows = frame(text, at, at + 3);
      expect(above(rows)).toBe('bad');
      expect(rows.map((row) => row.length).every((length) => length <= 4 + 120 + 2)).toBe(true);
      expect(rows[0]!.startsWith('1 | …')).toBe(at > 60);
      expect(rows[0]!.endsWith('…')).toBe(at < 4_999_940);
    },
  );

  it('cuts a mark at the end of its window', () => {
    const rows = frame('x'.repeat(1000), 100, 900);
    expect(rows[0]).toBe(`1 | …${'x'.repeat(120)}…`);
    expect(rows[1]).toBe(`  | ${' '.repeat(61)}^${'~'.repeat(59)}`);
  });

  it('cuts the end of long context lines', () => {
    expect(frame(`${'c'.repeat(300)}\nx`, 301)[0]).toBe(`1 | ${'c'.repeat(120)}…`);
  });

  it('never splits a surrogate pair', () => {
    for (let lead = 0; lead < 4; lead += 1) {
      const text = 'x'.repeat(lead) + '😀'.repeat(300);
      for (let at = lead; at < text.length; at += 37) {
        expect(frame(text, at, at + 2).join('')).not.toContain('\ufffd');
      }
    }
  });

  it('prints any text and span without unprintable characters', () => {
    const span = fc.tuple(fc.integer({ min: -3, max: 400 }), fc.integer({ min: -3, max: 400 }));
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(text, span, (content, [start, end]) => {
        const rows = frame(content, start, end);
        expect(rows.at(-1)).toMatch(/^ +\| +\^~*$/);
        expect(rows.length).toBeLessThanOrEqual(4);
        expect(rows.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
      { numRuns: share(500) },
    );
  });
});
