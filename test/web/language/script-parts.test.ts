import { describe, expect, it } from 'vitest';
import { findBlockAt, keepPart } from '../../../web/language/script-parts.ts';

const SCRIPT = `#+import "acme.io/shop/base"
SELECT 1;
SELECT 2;
#+src sql Numbers(least, most=1 + 2)
#+begin
SELECT * FROM range({{ least }}, {{ most }})
#+end
SELECT * FROM {{ Numbers(3) }};
#+test sql Positive()
#+begin
SELECT 3 WHERE false
#+end
`;

/** The part of the script that contains a text. */
function find(part: string, text = SCRIPT) {
  const start = text.indexOf(part);
  expect(start).toBeGreaterThanOrEqual(0);
  return { start, end: start + part.length };
}

describe('keepPart', () => {
  it('keeps the selected statement, and what it can call', () => {
    const kept = keepPart(SCRIPT, find('SELECT 2;'));
    expect(kept).toHaveLength(SCRIPT.length);
    expect(kept.split('\n').map((line) => line.trimEnd())).toEqual([
      '#+import "acme.io/shop/base"',
      '',
      'SELECT 2;',
      '#+src sql Numbers(least, most=1 + 2)',
      '#+begin',
      'SELECT * FROM range({{ least }}, {{ most }})',
      '#+end',
      '',
      '',
      '',
      '',
      '',
      '',
    ]);
  });

  it('keeps columns when a part of a line is selected', () => {
    expect(keepPart('SELECT 1; SELECT 2; SELECT 3', find('SELECT 2', 'SELECT 1; SELECT 2; SELECT 3'))).toBe(
      '          SELECT 2          ',
    );
  });

  it('makes statements of a part of a block', () => {
    const text = '#+src sql A()\n#+begin\nSELECT 1 FROM (SELECT 2)\n#+end\nSELECT 3\n';
    const kept = keepPart(text, find('SELECT 2', text));
    expect(kept.split('\n')[2]).toBe('               SELECT 2 ');
    expect(kept.trim()).toBe('SELECT 2');
  });

  it('keeps everything when everything is selected', () => {
    const text = 'SELECT 1;\r\nSELECT 2';
    expect(keepPart(text, { start: 0, end: text.length })).toBe(text);
  });

  it('keeps lines that a carriage return ends, also in a script with errors', () => {
    const text = 'SELECT {{ ;\r\nSELECT 2\r\n#+src sql\r\n';
    const kept = keepPart(text, find('SELECT 2', text));
    expect(kept).toHaveLength(text.length);
    expect(kept).toContain('SELECT 2\r\n');
  });
});

describe('findBlockAt', () => {
  it('finds the block or the test at the cursor, with its parameters', () => {
    expect(findBlockAt(SCRIPT, find('{{ least').start)).toEqual({
      name: 'Numbers',
      params: [
        { name: 'least', default: null },
        { name: 'most', default: '1 + 2' },
      ],
    });
    expect(findBlockAt(SCRIPT, find('SELECT 3').start)?.name).toBe('Positive');
  });

  it('finds nothing between blocks', () => {
    expect(findBlockAt(SCRIPT, find('SELECT 1').start)).toBeNull();
    expect(findBlockAt('', 0)).toBeNull();
  });
});
