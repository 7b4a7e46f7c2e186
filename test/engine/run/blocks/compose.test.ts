import { describe, expect, it } from 'vitest';
import {
  compose,
  findLoose,
  findMade,
  isInString,
  joinStatements,
  type NamedQuery,
} from '../../../../src/engine/run/blocks/compose.ts';
import type { Statement } from '../../../../src/engine/script/evaluate/steps.ts';
import { substituteParams } from '../../../../src/engine/script/params/params.ts';
import { LEXICAL_RULES } from '../../../../src/engine/text/lexical-rules.ts';

const lexicalRules = LEXICAL_RULES.duckdb;

/** A statement whose characters have an offset of `at` in a separate file. */
function write(file: string, sql: string, { at = 0, start = 0 } = {}): Statement {
  const rendered = substituteParams({ name: file, text: ' '.repeat(at) + sql }, {});
  return {
    sql,
    start,
    findOrigin: (span) => ({
      rendered,
      span: { start: span.start + at, end: span.end + at },
      block: '',
    }),
  };
}

/** The origin of a span of a statement as `file:start-end`. */
function place(statement: Statement, start: number, end = start): string {
  const { rendered, span } = statement.findOrigin({ start, end })!;
  return `${rendered.source.name}:${span.start}-${span.end}`;
}

function name(file: string, sql: string, options: { at?: number; isOnce?: boolean } = {}): NamedQuery {
  return { name: file, query: write(file, sql, options), isOnce: options.isOnce ?? false };
}

const A = name('a', 'SELECT 1 AS x', { at: 10 });
const B = name('b', 'SELECT x FROM a', { at: 20, isOnce: true });
const QUERIES = 'a AS (SELECT 1 AS x\n), b AS MATERIALIZED (SELECT x FROM a\n)';

describe('a statement with named queries', () => {
  it.each([
    ['SELECT * FROM b', `WITH ${QUERIES}\nSELECT * FROM b`],
    ['FROM b', `WITH ${QUERIES}\nFROM b`],
    ['VALUES (1)', `WITH ${QUERIES}\nVALUES (1)`],
    ['table b', `WITH ${QUERIES}\ntable b`],
    ['PIVOT b ON x', `WITH ${QUERIES}\nPIVOT b ON x`],
    ['((FROM b)) LIMIT 1', `WITH ${QUERIES}\n((FROM b)) LIMIT 1`],
    ['WITH c AS (FROM b) FROM c', `WITH ${QUERIES}, c AS (FROM b) FROM c`],
    ['with"c"as(FROM b) FROM c', `with ${QUERIES},"c"as(FROM b) FROM c`],
    ['WITH/* RECURSIVE */c AS (FROM b) FROM c', `WITH ${QUERIES},/* RECURSIVE */c AS (FROM b) FROM c`],
    ['/* WITH */ -- RECURSIVE\nSELECT 1', `/* WITH */ -- RECURSIVE\nWITH ${QUERIES}\nSELECT 1`],
    ['CREATE TABLE t AS FROM b', `CREATE TABLE t AS WITH ${QUERIES}\nFROM b`],
    ['CREATE MATERIALIZED VIEW v (x) AS FROM b', `CREATE MATERIALIZED VIEW v (x) AS WITH ${QUERIES}\nFROM b`],
    [
      'create or replace temp table if not exists "as" (y, z) as with c as (from b) from c',
      `create or replace temp table if not exists "as" (y, z) as with ${QUERIES}, c as (from b) from c`,
    ],
    [
      'CREATE TABLE s.t (x INT, y AS (SELECT 1)) AS FROM b',
      `CREATE TABLE s.t (x INT, y AS (SELECT 1)) AS WITH ${QUERIES}\nFROM b`,
    ],
  ])('has them before its own query: %s', (sql, expected) => {
    expect(compose(write('main', sql), [A, B], lexicalRules)?.sql).toBe(expected);
  });

  it.each([
    ['WITH RECURSIVE c AS (FROM b) FROM c'],
    ['with -- a comment\n /* or two */ recursive c AS (FROM b) FROM c'],
    ['(WITH c AS (FROM b) FROM c)'],
    ['((WITH c AS (FROM b) FROM c)) LIMIT 1'],
    ['SUMMARIZE b'],
    ['INSERT INTO t FROM b'],
    ['CREATE VIEW v AS WITH RECURSIVE c AS (FROM b) FROM c'],
    ['CREATE RECURSIVE VIEW v AS FROM b'],
    ['CREATE TABLE t AS WITH RECURSIVE c AS (FROM b) FROM c'],
    ['CREATE TABLE t AS SUMMARIZE b'],
    ['CREATE TABLE t (x INT, y AS (x + 1))'],
    ['CREATE MACRO m() AS TABLE FROM b'],
    ['CREATE'],
    ['-- nothing'],
    [''],
  ])('cannot have them: %s', (sql) => {
    expect(compose(write('main', sql), [A, B], lexicalRules)).toBeNull();
  });

  it('is unchanged without queries', () => {
    const own = write('main', 'INSERT INTO t VALUES (1)');
    expect(compose(own, [], lexicalRules)).toBe(own);
  });

  it.each([
    ['SELECT nope FROM b', 30],
    ['WITH c AS (FROM b) SELECT nope FROM c', 40],
    ['CREATE TABLE t AS WITH c AS (FROM b) SELECT nope FROM c', 50],
  ])('has its errors at the origin of their part: %s', (sql, at) => {
    const composed = compose(write('main', sql, { at }), [A, B], lexicalRules)!;
    const find = (text: string) => composed.sql.indexOf(text);
    const own = at + sql.indexOf('nope');
    expect(place(composed, find('nope'), find('nope') + 4)).toBe(`main:${own}-${own + 4}`);
    expect(place(composed, find('SELECT 1'))).toBe('a:10-10');
    expect(place(composed, find('1 AS x'), find('1 AS x') + 6)).toBe('a:17-23');
    expect(place(composed, find('x FROM a'))).toBe('b:27-27');
    expect(place(composed, composed.sql.length)).toBe(`main:${at + sql.length}-${at + sql.length}`);
    expect(place(composed, 0).split(':')[0]).toBe('main');
  });

  it('clamps an error that extends beyond a query', () => {
    const composed = compose(write('main', 'FROM b'), [A, B], lexicalRules)!;
    const end = composed.sql.indexOf('\n)');
    expect(place(composed, end - 1, composed.sql.length)).toBe('a:22-23');
    expect(place(composed, end + 1, end + 2)).toBe('a:23-23');
  });

  it.each([
    ['SELECT 1', 0],
    ['WITH c AS (FROM b) FROM c', 0],
    ['CREATE TABLE t AS FROM b', 0],
    ['WITH c AS (FROM b) FROM c', 19],
    ['SELECT * FROM (SELECT 1)', 15],
    ['CREATE TABLE t AS FROM b', 18],
  ])('has errors without a position at its own start: %s, %i', (sql, start) => {
    const composed = compose(write('main', sql, { at: 5, start }), [A, B], lexicalRules)!;
    expect(place(composed, composed.start)).toBe(`main:${start + 5}-${start + 5}`);
  });

  it('can be a query of another statement, with its errors', () => {
    const inner = compose(
      write('inner', 'WITH c AS (FROM a) SELECT nope FROM c', { at: 7 }),
      [A],
      lexicalRules,
    )!;
    const outer = compose(
      write('main', 'FROM i'),
      [{ name: 'i', query: inner, isOnce: false }],
      lexicalRules,
    )!;
    expect(outer.sql).toBe(
      'WITH i AS (WITH a AS (SELECT 1 AS x\n), c AS (FROM a) SELECT nope FROM c\n)\nFROM i',
    );
    const at = outer.sql.indexOf('nope');
    expect(place(outer, at, at + 4)).toBe('inner:33-37');
    expect(place(outer, outer.sql.indexOf('SELECT 1'))).toBe('a:10-10');
  });

  it('can have a thousand queries', () => {
    const queries = Array.from({ length: 1000 }, (_, i) => name(`q${i}`, `SELECT ${i} AS x`, { at: i }));
    const composed = compose(write('main', 'FROM q999'), queries, lexicalRules)!;
    const at = composed.sql.indexOf('777 AS x');
    expect(place(composed, at)).toBe('q777:784-784');
  });
});

describe('joined statements', () => {
  it('start at the main statement, after the parts before it', () => {
    const main = write('main', 'FROM t', { at: 3, start: 2 });
    const joined = joinStatements(['SELECT * FROM (', main, '\n)'], main);
    expect(joined.sql).toBe('SELECT * FROM (FROM t\n)');
    expect(joined.sql.slice(joined.start)).toBe('OM t\n)');
    expect(place(joined, 0, 3)).toBe('main:3-3');
    expect(place(joined, joined.sql.length, joined.sql.length)).toBe('main:9-9');
  });
});

describe('an unmatched quote or parenthesis', () => {
  it.each([
    ["SELECT ')' || \"(\" || $$('$$ || $a$)$$)$a$ /* ( /* */ ' */ -- '(\n, (1), [(2)]"],
    ["SELECT E'\\')'"],
    ['((()))()'],
    [''],
  ])('is not in %s', (sql) => {
    expect(findLoose(sql, lexicalRules)).toBeNull();
  });

  it.each([
    ['SELECT 1) AS x', ')'],
    ['SELECT 1 AS x), evil AS (SELECT 2', '), evil'],
    ['SELECT (1', '(1'],
    ['SELECT ((1)', '((1'],
    ["SELECT 'it''s", "'it"],
    ["SELECT E'\\'", "E'"],
    ['SELECT "x', '"x'],
    ['SELECT $a$ $b$', '$a$'],
    ['SELECT 1 /* /* */', '/* /*'],
    [')(', ')('],
  ])('is in %s', (sql, at) => {
    expect(findLoose(sql, lexicalRules)).toBe(sql.indexOf(at));
  });
});

describe('a name in a string', () => {
  it.each([
    ["FROM query_table('quern_1')", true],
    ['FROM query($$FROM quern_1$$)', true],
    ["FROM quern_1 WHERE x = 'quern_'", false],
    ['SELECT "quern_1" -- quern_1', false],
  ])('is found: %s', (sql, expected) => {
    expect(isInString(['quern_0', 'quern_1'], sql, lexicalRules)).toBe(expected);
  });
});

describe('the object that a statement creates', () => {
  it.each([
    ['CREATE TABLE t AS SELECT 1', 't'],
    ['create temp table if not exists "My Table" (x INT)', 'my table'],
    ['CREATE /* a */ VIEW s.V AS SELECT 1', 'v'],
    ['CREATE SEQUENCE db.s.q', 'q'],
    ['CREATE OR REPLACE TABLE t AS SELECT 1', null],
    ['CREATE /* a */ OR REPLACE TABLE t AS SELECT 1', null],
    ['INSERT INTO t SELECT 1', null],
    ['CREATE', null],
  ])('is known by its name: %s', (sql, expected) => {
    expect(findMade(sql, lexicalRules)).toBe(expected);
  });
});
