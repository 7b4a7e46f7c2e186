import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  duckdbRules,
  type LexicalRules,
  mysqlRules,
  postgresqlRules,
  trinoRules,
} from '../../../src/engine/text/lexical-rules.ts';
import { findStatements, scanSql } from '../../../src/engine/text/sql-scanner.ts';
import { share } from '../../support/rotation.ts';
import { comment, literal, quotedName, script } from './sql-pieces.ts';

const bracketLexis: LexicalRules = {
  ...postgresqlRules,
  bracketNames: true,
  dollarQuotes: false,
  escapeStrings: false,
};

const SIGNS = {
  space: '_',
  comment: 'c',
  word: 'w',
  number: 'n',
  string: 's',
  'quoted-name': 'q',
  'dollar-quote': 'd',
  parameter: 'p',
  punctuation: '.',
};

/** Each token as one sign with its text, and `!` if it is unterminated; without spaces. */
function tokens(text: string, lexicalRules: LexicalRules): string[] {
  return Array.from(scanSql(text, lexicalRules))
    .filter((token) => token.kind !== 'space')
    .map(
      (token) => `${SIGNS[token.kind]}${token.terminated ? '' : '!'} ${text.slice(token.start, token.end)}`,
    );
}

function split(text: string, lexicalRules: LexicalRules): string[] {
  return findStatements(text, lexicalRules).map(({ start, end }) => text.slice(start, end));
}

describe('scanSql for DuckDB', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['select 1;', ['w select', 'n 1', '. ;']],
    ["'it''s' x", ["s 'it''s'", 'w x']],
    ["'a\\' x", ["s 'a\\'", 'w x']],
    ["E'a\\' x' y", ["s E'a\\' x'", 'w y']],
    ["e'a\\\\' y", ["s e'a\\\\'", 'w y']],
    ["xE'a\\' y", ['w xE', "s 'a\\'", 'w y']],
    ["1E'a\\'' y", ['n 1', "s E'a\\''", 'w y']],
    ["1_E'a\\' y", ['n 1', 'w _E', "s 'a\\'", 'w y']],
    ["E 'a\\' y", ['w E', "s 'a\\'", 'w y']],
    ["E'a'\n'b\\'c' y", ["s E'a'", "s 'b\\'c'", 'w y']],
    ["E'a' -- c\n'b\\'c' y", ["s E'a'", 'c -- c', "s 'b\\'c'", 'w y']],
    ["E'a' 'b\\' y", ["s E'a'", "s 'b\\'", 'w y']],
    ["E'a' /**/\n'b\\' y", ["s E'a'", 'c /**/', "s 'b\\'", 'w y']],
    ["E'a'\nx 'b\\' y", ["s E'a'", 'w x', "s 'b\\'", 'w y']],
    ["x'00' U&'a\\' n'b'", ['w x', "s '00'", 'w U', '. &', "s 'a\\'", 'w n', "s 'b'"]],
    ['"a""b" "c', ['q "a""b"', 'q! "c']],
    ['$$a;$b$$ $t$ $$ $t$', ['d $$a;$b$$', 'd $t$ $$ $t$']],
    ['$t$ $T$ $t$', ['d $t$ $T$ $t$']],
    ['$é$;$é$ $😀$;$😀$', ['d $é$;$é$', 'd $😀$;$😀$']],
    ['a$b$c a$$;', ['w a$b$c', 'w a$$', '. ;']],
    ['1$x$;$x$', ['n 1', 'd $x$;$x$']],
    ['$1 $x $1a$ $é ? ?2', ['p $1', 'p $x', 'p $1', 'w a$', 'p $é', 'p ?', 'p ?2']],
    ['$"a;""b" $ x', ['p $"a;""b"', '. $', 'w x']],
    ['$a-b$', ['p $a', '. -', 'w b$']],
    ['$t$ x', ['d! $t$ x']],
    ["'a", ["s! 'a"]],
    ["E'a\\", ["s! E'a\\"]],
    ['-- a\nb --c', ['c -- a', 'w b', 'c --c']],
    ['--a\rb', ['c --a', 'w b']],
    ['--a\u2028b', ['c --a\u2028b']],
    ['/* /* */ ; */ x', ['c /* /* */ ; */', 'w x']],
    ['/*/ */ x /***/ y', ['c /*/ */', 'w x', 'c /***/', 'w y']],
    ['/* /*/ */ ; */ x', ['c /* /*/ */ ; */', 'w x']],
    ['/* /* */ x', ['c! /* /* */ x']],
    ['1*/* ; */2', ['n 1', '. *', 'c /* ; */', 'n 2']],
    ['1->--x', ['n 1', '. -', '. >', 'c --x']],
    [
      '1.5 .5 1. 1..2 1e5 1e 1e+ 1_0 1__0',
      'n 1.5|n .5|n 1.|n 1|. .|n .2|n 1e5|n 1|w e|n 1|w e|. +|n 1_0|n 1|w __0'.split('|'),
    ],
    ['# `a` [b]', ['. #', '. `', 'w a', '. `', '. [', 'w b', '. ]']],
    ['a\u00a0b\u3000c\ufeffd', ['w a', 'w b', 'w c', 'w d']],
    ['a\u0085b\u2028c\u200dd', ['w a\u0085b\u2028c\u200dd']],
    ['\v\0', ['. \v', '. \0']],
  ])('%j', (text, expected) => {
    expect(tokens(text, duckdbRules)).toEqual(expected);
  });
});

describe('scanSql for other databases', () => {
  it.each<[string, LexicalRules, string, string[]]>([
    ['PostgreSQL', postgresqlRules, 'a ?| b\u00a0c $1', ['w a', '. ?', '. |', 'w b\u00a0c', 'p $1']],
    ['PostgreSQL', postgresqlRules, '\ufeffa \ufeffb', ['w a', 'w \ufeffb']],
    ['MySQL', mysqlRules, '\'a\\\';\' "b\\";" `c``;`', ["s 'a\\';'", 's "b\\";"', 'q `c``;`']],
    ['MySQL', mysqlRules, '\'a\'\';\' "b"";"', ["s 'a'';'", 's "b"";"']],
    [
      'MySQL',
      mysqlRules,
      '1--1 -- a\n2 # b\n3 --',
      ['n 1', '. -', '. -', 'n 1', 'c -- a', 'n 2', 'c # b', 'n 3', 'c --'],
    ],
    ['MySQL', mysqlRules, '-- a\rb', ['c -- a\rb']],
    ['MySQL', mysqlRules, '/* /* */ a', ['c /* /* */', 'w a']],
    ['MySQL', mysqlRules, '/*!50001 a */ b', ['. /*!50001', 'w a', '. *', '. /', 'w b']],
    ['MySQL', mysqlRules, '$a $$ ?', ['w $a', 'w $$', 'p ?']],
    ['MySQL', mysqlRules, "E'a\\'' x", ['w E', "s 'a\\''", 'w x']],
    [
      'Trino',
      trinoRules,
      "'a\\' U&'b''\\0041' X'00'",
      ["s 'a\\'", 'w U', '. &', "s 'b''\\0041'", 'w X', "s '00'"],
    ],
    ['Trino', trinoRules, '/* /* */ a -- b\rc', ['c /* /* */', 'w a', 'c -- b', 'w c']],
    [
      'Trino',
      trinoRules,
      'PATTERN (a? b*?) "c"";"',
      'w PATTERN|. (|w a|. ?|w b|. *|. ?|. )|q "c"";"'.split('|'),
    ],
    ['Trino', trinoRules, "E'a\\' AS $$ b; $$", ['w E', "s 'a\\'", 'w AS', 'd $$ b; $$']],
    ['brackets', bracketLexis, '[a]];] [b', ['q [a]];]', 'q! [b']],
    ['brackets', bracketLexis, '$x $$y', ['p $x', '. $', 'p $y']],
  ])('%s %#', (_, lexicalRules, text, expected) => {
    expect(tokens(text, lexicalRules)).toEqual(expected);
  });
});

describe('scanSql for any text', () => {
  const lexes = fc.constantFrom(duckdbRules, postgresqlRules, mysqlRules, trinoRules, bracketLexis);
  const fragment = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom(
      "'",
      '"',
      '`',
      '[',
      ']',
      '$',
      '$$',
      '$a$',
      '/*',
      '*/',
      '--',
      '#',
      '\\',
      ';',
      "E'",
      '\n',
      '1',
      '.',
      'e',
    ),
  );
  const text = fc.array(fragment, { maxLength: 25 }).map((parts) => parts.join(''));

  it('covers the text without gaps, and leaves at most the last token unterminated', () => {
    fc.assert(
      fc.property(text, lexes, (content, lexicalRules) => {
        const found = Array.from(scanSql(content, lexicalRules));
        expect(found.map((token) => content.slice(token.start, token.end)).join('')).toBe(content);
        let end = 0;
        for (const token of found) {
          expect(token.start).toBe(end);
          expect(token.end).toBeGreaterThan(token.start);
          end = token.end;
        }
        expect(end).toBe(content.length);
        expect(found.slice(0, -1).every((token) => token.terminated)).toBe(true);
      }),
      { numRuns: share(1000) },
    );
  });

  it('finds statements in order, trimmed and without `;`', () => {
    fc.assert(
      fc.property(text, lexes, (content, lexicalRules) => {
        let end = 0;
        for (const statement of findStatements(content, lexicalRules)) {
          expect(statement.start).toBeGreaterThanOrEqual(end);
          expect(statement.end).toBeGreaterThan(statement.start);
          expect(statement.end).toBeLessThanOrEqual(content.length);
          expect(content.charAt(statement.start)).not.toMatch(/[ \n;]/);
          end = statement.end;
        }
        expect(end).toBeLessThanOrEqual(content.length);
      }),
      { numRuns: share(1000) },
    );
  });

  it('finds one statement in SQL without comments and quotes, as with a comment behind it', () => {
    const parts = [
      'select',
      'a',
      'é',
      '1.5e3',
      ' ',
      '\n',
      '\t',
      '\u00a0',
      '\ufeff',
      '\0',
      '-',
      '/',
      '*',
      '(',
      '?',
      '\\',
    ];
    const plain = fc
      .array(fc.constantFrom(...parts), { maxLength: 12 })
      .map((own) => own.join('').replaceAll(/--|\/\*/g, '+'));
    fc.assert(
      fc.property(plain, lexes, (content, lexicalRules) => {
        const found = findStatements(content, lexicalRules);
        expect(found).toEqual(findStatements(`${content}/**/`, lexicalRules));
        expect(found.length).toBeLessThan(2);
      }),
      { numRuns: share(1000) },
    );
  });

  it.each([
    ['string or dollar quote', literal, /^(string|dollar-quote)$/],
    ['quoted name', quotedName, /^quoted-name$/],
    ['comment', comment, /^comment$/],
  ])('reads a %s as one token', (_, piece, kind) => {
    fc.assert(
      fc.property(piece, (content) => {
        const found = Array.from(scanSql(`${content} ;`, duckdbRules));
        const [first] = found;
        expect(first?.kind).toMatch(kind);
        expect(found.every((token) => token.terminated)).toBe(true);
        expect(found.filter((token) => token.kind === 'punctuation').length).toBe(1);
      }),
      { numRuns: share(300) },
    );
  });
});

describe('splitStatements', () => {
  it.each<[string, string[]]>([
    ['', []],
    [' ;; \n; -- a\n; /* ; */', []],
    ['select 1', ['select 1']],
    ['select 1; select 2;', ['select 1', 'select 2']],
    [
      '-- head\n select 1 -- tail\n;\n/* between */ select /* in */ 2 /* end */',
      ['select 1', 'select /* in */ 2'],
    ],
    [
      "select ';', \";\", $$;$$, $q$;$q$, E'\\';' /* ; */ -- ;\n, 1; x",
      ["select ';', \";\", $$;$$, $q$;$q$, E'\\';' /* ; */ -- ;\n, 1", 'x'],
    ],
    ["select 'open; select 2", ["select 'open; select 2"]],
    ['\ufeffselect 1;\u00a0select 2;\u00a0', ['select 1', 'select 2']],
    ['begin; create macro f(a) as a + 1; commit', ['begin', 'create macro f(a) as a + 1', 'commit']],
    ['select a$b$c; select $1;', ['select a$b$c', 'select $1']],
  ])('%j', (text, expected) => {
    expect(split(text, duckdbRules)).toEqual(expected);
  });

  it('splits SQL of MySQL', () => {
    const text = "select 'it\\'s;' # one;\n; select `a;b` -- two;\n; select 1--1; /*!40101 set x = 1 */;";
    expect(split(text, mysqlRules)).toEqual([
      "select 'it\\'s;'",
      'select `a;b`',
      'select 1--1',
      '/*!40101 set x = 1 */',
    ]);
  });

  it('finds the statements that a script was generated from', () => {
    fc.assert(
      fc.property(script, ({ text, statements }) => {
        expect(findStatements(text, duckdbRules)).toEqual(statements);
        expect(findStatements(text.replace(/^\ufeff/, ''), postgresqlRules).length).toBe(statements.length);
      }),
      { numRuns: share(500) },
    );
  });
});
