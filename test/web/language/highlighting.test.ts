import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { LEXICAL_RULES } from '../../../src/engine/text/lexical-rules.ts';
import { quernLanguage } from '../../../web/language/quern-language.ts';
import { scanToken } from '../../../web/language/scan/scan-line.ts';
import { START } from '../../../web/language/scan/state.ts';
import { type EditorDialect, SQL_KEYWORDS } from '../../../web/language/sql-keywords.ts';
import { classify } from './engine-tokens.ts';

const root = path.resolve(import.meta.dirname, '../../../fixtures');
const SCRIPTS = [
  ...globSync('script/good/**/*.sql', { cwd: root }),
  ...globSync('demo/**/*.sql', { cwd: root }),
].sort();

/** Scripts that are valid only with their parameters, or whose values change how the text around them is read. */
const NEED_VALUES = [
  'null-inserts-nothing',
  'param-as-a-name',
  'param-in-directive',
  'param-opens-no-comment-or-quote',
].map((name) => `script/good/${name}/main.sql`);

interface Token {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** All tokens of a text, scanned line by line. */
function scan(text: string, dialect: EditorDialect = 'duckdb', isScript = true): readonly Token[] {
  const rules = { lexicalRules: LEXICAL_RULES[dialect], isScript, keywords: SQL_KEYWORDS[dialect] };
  const tokens: Token[] = [];
  let state = START;
  let offset = 0;
  for (const line of text.split('\n')) {
    for (let at = 0; at < line.length; ) {
      const scanned = scanToken(line, at, state, rules);
      if (scanned.end <= at) throw new Error(`no progress at ${offset + at}`);
      tokens.push({ kind: scanned.kind, start: offset + at, end: scanned.end + offset });
      at = scanned.end;
      state = scanned.state;
    }
    offset += line.length + 1;
  }
  return tokens;
}

const LETTERS: Readonly<Record<string, string>> = {
  comment: 'c',
  string: 's',
  'quoted-name': 'q',
  number: '1',
  parameter: '$',
  symbol: ':',
  word: 'w',
  keyword: 'w',
  function: 'w',
  name: 'w',
  'value-word': 'w',
  directive: 'd',
  brace: 'b',
  operator: '.',
  punctuation: '.',
  unknown: '?',
  space: ' ',
};

/** The tokens as one letter for each character. */
function toClasses(text: string, tokens: readonly Token[]): string[] {
  const classes = new Array<string>(text.length).fill(' ');
  for (const { kind, start, end } of tokens) classes.fill(LETTERS[kind]!, start, end);
  return classes.map((letter, at) => (/\s/.test(text[at]!) ? ' ' : letter));
}

/** Prints the tokens of a text: `kind text`, without spaces. */
function show(text: string, dialect: EditorDialect = 'duckdb', isScript = true): readonly string[] {
  const tokens = scan(text, dialect, isScript).filter(({ kind }) => kind !== 'space');
  return tokens.map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
}

describe('the scanner of the editor', () => {
  it('finds many scripts to compare', () => {
    expect(SCRIPTS.length).toBeGreaterThan(80);
  });

  it.each(SCRIPTS.filter((file) => !NEED_VALUES.includes(file)))(
    'agrees with the engine about each character of %s',
    (file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      const engine = classify(text, LEXICAL_RULES.duckdb);
      const own = toClasses(text, scan(text));
      const lines = (classes: readonly string[]) =>
        text.split('\n').map((line, i, all) => {
          const start = all.slice(0, i).reduce((sum, { length }) => sum + length + 1, 0);
          return `${line}\n${classes.slice(start, start + line.length).join('')}`;
        });
      expect(lines(own)).toEqual(lines(engine));
    },
  );

  it.each(globSync('script/bad/**/*.sql', { cwd: root }).sort())(
    'scans all of %s, which has errors',
    (file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      for (const dialect of ['duckdb', 'postgresql', 'mysql', 'trino'] as const) {
        const covered = scan(text, dialect).reduce((sum, { start, end }) => sum + end - start, 0);
        expect(covered).toBe(text.replaceAll('\n', '').length);
      }
    },
  );

  it('finds expressions and parameters inside quotes', () => {
    expect(show(`WHERE a = '{{ f(1) }} of $month' AND "{{ x }}" = E'\\'$a'`)).toEqual([
      'keyword WHERE',
      'word a',
      'punctuation =',
      "string '",
      'brace {{',
      'function f',
      'punctuation (',
      'number 1',
      'punctuation )',
      'brace }}',
      'string  of ',
      'parameter $month',
      "string '",
      'keyword AND',
      'quoted-name "',
      'brace {{',
      'name x',
      'brace }}',
      'quoted-name "',
      'punctuation =',
      "string E'\\'",
      'parameter $a',
      "string '",
    ]);
  });

  it('continues comments, strings and dollar quotes on the next lines', () => {
    const kinds = (text: string, dialect: EditorDialect = 'duckdb') =>
      show(text, dialect).map((token) => token.split(' ', 1)[0]);
    expect(kinds('/* a\n/* b */\nc */ d')).toEqual(['comment', 'comment', 'comment', 'word']);
    expect(kinds('/* a\n/* b */\nc', 'mysql')).toEqual(['comment', 'comment', 'word']);
    expect(kinds("'a\n''b\n' c")).toEqual(['string', 'string', 'string', 'word']);
    expect(kinds('$tag$ a\n$$\n$tag$ c')).toEqual(['string', 'string', 'string', 'word']);
    expect(kinds('$$name + 1')).toEqual(['parameter', 'punctuation', 'number']);
  });

  it('takes words that a directive uses for names where they are names', () => {
    expect(show('#+if then == do then x #+end')).toEqual([
      'directive #+if',
      'name then',
      'operator ==',
      'name do',
      'directive then',
      'word x',
      'directive #+end',
    ]);
    expect(show('#+for before :after separator ", " do x #+end').slice(1, 7)).toEqual([
      'name before',
      'punctuation :',
      'name after',
      'directive separator',
      'string ", "',
      'directive do',
    ]);
  });

  it('starts again at a declaration after an unfinished expression or header', () => {
    const rest = [
      'directive #+const',
      'name a',
      'operator =',
      'number 1',
      'punctuation ;',
      'directive #+end',
    ];
    for (const unfinished of ['SELECT {{ f(', '#+src sql Name(', '#+if "a']) {
      expect(show(`${unfinished}\n#+const a = 1; #+end`).slice(-6)).toEqual(rest);
    }
  });

  it('knows no directives and expressions in plain SQL, but parameters', () => {
    expect(show("#+if {{ x }} = '$a'", 'duckdb', false)).toEqual([
      'punctuation #',
      'punctuation +',
      'keyword if',
      'punctuation {',
      'punctuation {',
      'word x',
      'punctuation }',
      'punctuation }',
      'punctuation =',
      "string '",
      'parameter $a',
      "string '",
    ]);
  });

  it('follows the rules of the database', () => {
    expect(show('`a` # x', 'mysql', false)).toEqual(['quoted-name `a`', 'comment # x']);
    expect(show('"a" ILIKE b', 'mysql', false)).toEqual(['string "a"', 'word ILIKE', 'word b']);
    expect(show('"a" ILIKE b', 'postgresql', false)).toEqual(['quoted-name "a"', 'keyword ILIKE', 'word b']);
  });
});

describe('the language of an editor', () => {
  const namesOf = (doc: string) => {
    const state = EditorState.create({ doc, extensions: quernLanguage({ kind: 'script' }) });
    const names: string[] = [];
    ensureSyntaxTree(state, doc.length, 10_000)?.iterate({ enter: ({ name }) => void names.push(name) });
    return names;
  };

  it('names each token for its colours', () => {
    expect(namesOf('#+src sql A()\n#+begin\nSELECT 1 -- one\n#+end')).toEqual([
      'Document',
      'directive',
      'keyword',
      'function',
      'punctuation',
      'directive',
      'keyword',
      'number',
      'comment',
      'directive',
    ]);
  });

  it('leaves the rest of a very long line without colours', () => {
    const names = namesOf(`${"'a',".repeat(100_000)}\n'a'`);
    expect(names.length).toBeLessThan(10_000);
    expect(names.at(-1)).toBe('string');
  });
});
