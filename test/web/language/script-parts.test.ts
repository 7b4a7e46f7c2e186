import { describe, expect, it } from 'vitest';
import { findBlockAt, findStatementAt, keepPart } from '../../../web/language/script-parts.ts';
import type { EditorDialect } from '../../../web/language/sql-keywords.ts';

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

describe('findStatementAt', () => {
  /** The statement at the `|` of a text. */
  const at = (marked: string, dialect: EditorDialect = 'duckdb'): string | null => {
    const offset = marked.indexOf('|');
    expect(offset).toBeGreaterThanOrEqual(0);
    const text = marked.replace('|', '');
    const found = findStatementAt(text, offset, dialect);
    return found === null ? null : text.slice(found.start, found.end);
  };

  it.each([
    ['|SELECT 1; SELECT 2', 'SELECT 1'],
    ['SELECT 1|; SELECT 2', 'SELECT 1'],
    ['SELECT 1; |SELECT 2', 'SELECT 2'],
    ['SELECT 1; -- no|te\nSELECT 2', 'SELECT 1'],
    ['SELECT 1;\n-- no|te\nSELECT 2', 'SELECT 2'],
    ['SELECT 1;\n|\nSELECT 2', 'SELECT 2'],
    ['SELECT 1;\nSELECT 2;\n\n|', 'SELECT 2'],
    ['-- not|hing', null],
    ['|', null],
  ])('between statements takes that of the line, then the next: %s', (text, statement) => {
    expect(at(text)).toBe(statement);
  });

  it.each([
    ["SELECT '|;' AS a; SELECT 2", "SELECT ';' AS a"],
    ['SELECT 1 AS "a;|b"; SELECT 2', 'SELECT 1 AS "a;b"'],
    ['SELECT /* ; | */ 1; SELECT 2', 'SELECT /* ;  */ 1'],
    ['SELECT $q$ a;|b $q$; SELECT 2', 'SELECT $q$ a;b $q$'],
    ['SELECT {{ f("a;b|") }}; SELECT 2', 'SELECT {{ f("a;b") }}'],
  ])('does not end at a semicolon in a text, a name, a comment or an expression: %s', (text, statement) => {
    expect(at(text)).toBe(statement);
  });

  it('follows the database', () => {
    expect(at("SELECT 'a\\'; |b'; SELECT 2", 'mysql')).toBe("SELECT 'a\\'; b'");
    expect(at("SELECT 'a\\'; |SELECT 2")).toBe('SELECT 2');
  });

  it('takes a condition within a statement with it, and one around statements as a whole', () => {
    expect(at('SELECT 1 #+if true then , 2| #+end FROM t; SELECT 3')).toBe(
      'SELECT 1 #+if true then , 2 #+end FROM t',
    );
    const loop = '#+for i : [1, 2] do SELECT {{ i }}; SELECT 0;| #+end';
    expect(at(`SELECT 1;\n${loop}\nSELECT 3`)).toBe(loop.replace('|', ''));
    expect(at('SELECT 1;\n#+if true then SELECT 2; #+end\nSEL|ECT 3')).toBe('SELECT 3');
  });

  it('finds nothing in a block or a macro', () => {
    expect(at('SELECT 1;\n#+src sql A()\n#+begin\nSELECT |2\n#+end')).toBe(null);
    expect(at('#+macro m() #+begin 1| #+end\nSELECT 2')).toBe(null);
    expect(at('#+src sql A() #+begin SELECT 1 #+end\nSEL|ECT 2;')).toBe('SELECT 2');
  });
});
