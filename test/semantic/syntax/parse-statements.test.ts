import { beforeAll, describe, expect, it } from 'vitest';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { SemanticSqlError } from '../../../src/semantic/syntax/semantic-sql-error.ts';
import type { ExpressionSyntax, SelectSyntax, StatementSyntax } from '../../../src/semantic/syntax/syntax.ts';

let parse: ParseStatements;
beforeAll(async () => {
  parse = await prepareParser();
});

/** The message for a text, and the marked part of the text. */
function refuse(text: string): readonly [marked: string, message: string] {
  try {
    parse(text);
  } catch (error) {
    if (!(error instanceof SemanticSqlError)) throw error;
    return [text.slice(error.span.start, error.span.end), error.message];
  }
  throw new Error(`it was accepted: ${text.slice(0, 200)}`);
}

function parseSelect(text: string): SelectSyntax {
  const [statement] = parse(text);
  if (statement?.kind !== 'query' || statement.query.body.kind !== 'select') throw new Error('no SELECT');
  return statement.query.body;
}

const parseItem = (text: string): ExpressionSyntax => parseSelect(`SELECT ${text} FROM t`).items[0]!.value;

/** A tree without locations. */
function withoutSpans(tree: unknown): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, value) => (key === 'start' || key === 'end' ? undefined : value)),
  );
}

const column = (...names: readonly string[]) => ({
  kind: 'column',
  names: names.map((text) => ({ text, isQuoted: false })),
});

describe('names', () => {
  const namesOf = (text: string) => {
    const item = parseItem(text);
    return item.kind === 'column' ? item.names : [];
  };

  it('are distinguished by their quotes, which the parser forgets', () => {
    expect(namesOf('Sales.Orders."Revenue"').map(({ text, isQuoted }) => [text, isQuoted])).toEqual([
      ['sales', false],
      ['orders', false],
      ['Revenue', true],
    ]);
    expect(namesOf('"revenue"')[0]?.isQuoted).toBe(true);
    expect(namesOf('revenue')[0]?.isQuoted).toBe(false);
  });

  it('keep their full length, and differ even if only their ends do', () => {
    const long = 'a'.repeat(70);
    expect(namesOf(`${long}1`)[0]?.text).toBe(`${long}1`);
    expect(namesOf(`"${long}2"`)[0]?.text).toBe(`${long}2`);
    expect(namesOf(`"${'é'.repeat(40)}1"`)[0]?.text).toBe(`${'é'.repeat(40)}1`);
  });

  it('can have letters of any script, quotes inside quotes, and dots', () => {
    expect(namesOf('Größe')[0]).toMatchObject({ text: 'größe', isQuoted: false });
    expect(namesOf('"a""b"."orders.ship_to"').map(({ text }) => text)).toEqual(['a"b', 'orders.ship_to']);
  });

  it("can look like the parser's placeholders", () => {
    expect(namesOf('"#0"')[0]).toMatchObject({ text: '#0', isQuoted: true });
    expect(namesOf('"#all"')[0]).toMatchObject({ text: '#all', isQuoted: true });
    expect(parseSelect('SELECT a FROM t GROUP BY "#all"').groupBy).toHaveLength(1);
  });

  it('are located in UTF-16, after letters of one to four bytes', () => {
    const text = `SELECT 'aé€😀' AS "é😀", "ü".b FROM t -- 😀`;
    const [, second] = parseSelect(text).items;
    const names = second?.value.kind === 'column' ? second.value.names : [];
    expect(names.map(({ start, end }) => text.slice(start, end))).toEqual(['"ü"', 'b']);
    expect(parseSelect(text).items[0]?.alias?.text).toBe('é😀');
  });
});

describe('texts and numbers', () => {
  it.each([
    ["'it''s'", "it's"],
    ["'aé€😀\\n'", 'aé€😀\\n'],
    ["E'a\\té'", 'a\té'],
    ["E'\\é'", 'é'],
    ["$$it's é$$", "it's é"],
    ['$x$a$$b$x$', 'a$$b'],
  ])('%s is read literally', (written, text) => {
    expect(parseItem(written)).toMatchObject({ kind: 'literal', type: 'text', text });
  });

  it.each([
    ['0', 'integer', '0'],
    ['-5', 'integer', '-5'],
    ['0x1F', 'integer', '31'],
    ['1_000_000_000_000', 'integer', '1000000000000'],
    ['9223372036854775807', 'integer', '9223372036854775807'],
    ['9223372036854775808', 'decimal', '9223372036854775808'],
    ['1.50', 'decimal', '1.50'],
    ['1e3', 'decimal', '1e3'],
    ['false', 'boolean', 'false'],
    ['NULL', 'null', ''],
  ])('%s is %s', (written, type, text) => {
    expect(parseItem(written)).toMatchObject({ kind: 'literal', type, text });
  });
});

describe('expressions', () => {
  it.each<readonly [string, object]>([
    ['a IS NOT NULL', { kind: 'is-null', operand: column('a'), isNegated: true }],
    ['a NOT IN (b)', { kind: 'in-list', operand: column('a'), values: [column('b')], isNegated: true }],
    [
      'a NOT BETWEEN b AND c',
      { kind: 'between', operand: column('a'), low: column('b'), high: column('c'), isNegated: true },
    ],
    [
      'a NOT ILIKE b ESCAPE c',
      {
        kind: 'like',
        operand: column('a'),
        pattern: column('b'),
        escape: column('c'),
        ignoresCase: true,
        isNegated: true,
      },
    ],
    [
      'a LIKE b',
      {
        kind: 'like',
        operand: column('a'),
        pattern: column('b'),
        escape: null,
        ignoresCase: false,
        isNegated: false,
      },
    ],
    [
      'a IS NOT DISTINCT FROM b',
      { kind: 'is-distinct', left: column('a'), right: column('b'), isNegated: true },
    ],
    ['a IS NOT UNKNOWN', { kind: 'is-boolean', operand: column('a'), value: null, isNegated: true }],
    ['NOT a', { kind: 'not', operand: column('a') }],
    ['- a', { kind: 'operator', operator: '-', left: null, right: column('a') }],
    ['a != b', { kind: 'operator', operator: '<>', left: column('a'), right: column('b') }],
    ['a::numeric(9, 2)', { kind: 'cast', operand: column('a'), type: { name: 'numeric', args: [9, 2] } }],
    [
      'CASE a WHEN b THEN c END',
      {
        kind: 'case',
        operand: column('a'),
        branches: [{ when: column('b'), result: column('c') }],
        otherwise: null,
      },
    ],
  ])('%s', (text, tree) => {
    expect(withoutSpans(parseItem(text))).toEqual(tree);
  });

  it.each([
    ['COALESCE(a, b)', 'coalesce', 2],
    ['NULLIF(a, b)', 'nullif', 2],
    ['GREATEST(a, b, c)', 'greatest', 3],
    ['LEAST(a)', 'least', 1],
    ['EXTRACT(year FROM a)', 'extract', 2],
    ["TRIM(both 'x' FROM a)", 'btrim', 2],
    ['CURRENT_DATE', 'current_date', 0],
    ['Lower(a)', 'lower', 1],
  ])('%s is a call', (text, name, args) => {
    const call = parseItem(text);
    if (call.kind !== 'call') throw new Error(call.kind);
    expect([call.name.text, call.args.length]).toEqual([name, args]);
  });

  it('have FILTER, DISTINCT, OVER and frames', () => {
    const call = parseItem(
      'sum(DISTINCT a) FILTER (WHERE b) OVER (PARTITION BY c ORDER BY d DESC NULLS FIRST ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)',
    );
    expect(withoutSpans(call)).toMatchObject({
      isDistinct: true,
      filter: column('b'),
      over: {
        partitionBy: [column('c')],
        orderBy: [{ value: column('d'), isDescending: true, nulls: 'first' }],
        frame: {
          unit: 'rows',
          from: { side: 'preceding', rows: { text: '2' } },
          to: { side: 'current', rows: null },
        },
      },
    });
  });
});

describe('clauses', () => {
  it('support GROUP BY ALL, which PostgreSQL does not know, in each SELECT', () => {
    const text = 'SELECT a FROM (SELECT b FROM t GROUP BY ALL) s GROUP BY ALL HAVING true';
    const select = parseSelect(text);
    expect(select.groupBy).toBe('all');
    const [derived] = select.from;
    const inner = derived?.kind === 'derived' ? derived.query.body : null;
    expect(inner?.kind === 'select' && inner.groupBy).toBe('all');
    expect(parseSelect('SELECT a FROM t GROUP BY ALL a, b').groupBy).toHaveLength(2);
  });

  it('can be separate statements', () => {
    const text = 'SHOW ENTITIES; ; SELECT \'a;b\' -- ;\n; EXPLAIN SELECT 1; SHOW FIELDS FROM "s".orders;';
    const kinds = parse(text).map(({ kind, start, end }) => [kind, text.slice(start, end)]);
    expect(kinds).toEqual([
      ['show-entities', 'SHOW ENTITIES'],
      ['query', "SELECT 'a;b'"],
      ['explain', 'EXPLAIN SELECT 1'],
      ['show-fields', 'SHOW FIELDS FROM "s".orders'],
    ]);
  });

  it('can be joins, sub-queries, WITH, VALUES and set operations', () => {
    const [statement] = parse(
      'WITH w (x) AS (VALUES (1), (2)) SELECT * FROM w LEFT JOIN (SELECT 1 AS x) d USING (x) CROSS JOIN v ' +
        'UNION ALL SELECT 1 ORDER BY 1 OFFSET 3 ROWS FETCH FIRST 2 ROWS ONLY',
    ) as [StatementSyntax];
    expect(withoutSpans(statement)).toMatchObject({
      kind: 'query',
      query: {
        tables: [{ name: { text: 'w' }, columns: [{ text: 'x' }], query: { body: { kind: 'values' } } }],
        body: {
          kind: 'union',
          keepsDuplicates: true,
          left: {
            body: {
              from: [{ kind: 'join', join: 'cross', left: { join: 'left', using: [{ text: 'x' }] } }],
            },
          },
        },
        limit: 2,
        offset: 3,
      },
    });
  });
});

describe('invalid Semantic SQL', () => {
  it.each<readonly [text: string, marked: string, message: string | RegExp]>([
    ['SELECT CURRENT_TIMESTAMP(3)', 'CURRENT_TIMESTAMP', /^a precision of .*: write CURRENT_TIMESTAMP$/],
    ['SELECT CURRENT_TIME(3)', 'CURRENT_TIME', /^CURRENT_TIME is not supported$/],
    ['SELECT CURRENT_USER', 'CURRENT_USER', /^CURRENT_USER is not supported$/],
    ['INSERT INTO a VALUES (1)', 'INSERT', /^INSERT is not supported: Semantic SQL only reads/],
    ['UPDATE a SET b = 1', 'UPDATE', /^UPDATE is not supported/],
    ['DELETE FROM a', 'DELETE', /^DELETE is not supported/],
    ['MERGE INTO a USING b ON true WHEN MATCHED THEN DELETE', 'MERGE', /^MERGE is not supported/],
    ['TRUNCATE a', 'TRUNCATE', /^TRUNCATE is not supported/],
    ['CREATE TABLE a (b int)', 'CREATE', /^CREATE is not supported/],
    ['CREATE TABLE a AS SELECT 1', 'CREATE', /^CREATE is not supported/],
    ['DROP TABLE a', 'DROP', /^DROP is not supported/],
    ['ALTER TABLE a ADD b int', 'ALTER', /^ALTER is not supported/],
    ["COPY a TO '/tmp/a'", 'COPY', /^COPY is not supported/],
    ['GRANT SELECT ON a TO b', 'GRANT', /^GRANT is not supported/],
    ['SET search_path TO a', 'SET', /^SET is not supported/],
    ['BEGIN', 'BEGIN', /^BEGIN is not supported/],
    ['DO $$ begin end $$', 'DO', /^DO is not supported/],
    ['CALL f()', 'CALL', /^CALL is not supported/],
    ['EXPLAIN DELETE FROM a', 'EXPLAIN', /^EXPLAIN is not supported/],
    ['EXPLAIN ANALYZE SELECT 1', 'EXPLAIN', /^EXPLAIN with options/],
    ['SELECT 1; DROP TABLE a', 'DROP', /^DROP is not supported/],
    ['/* SELECT 1 */ DROP TABLE a', 'DROP', /^DROP is not supported/],
    ['SELECT 1 -- \n; DROP TABLE a', 'DROP', /^DROP is not supported/],
    ['WITH w AS (DELETE FROM a RETURNING b) SELECT b FROM w', 'w', /^DELETE in WITH is not supported/],
    [
      'WITH RECURSIVE w AS (SELECT 1) SELECT * FROM w',
      'WITH RECURSIVE w AS (SELECT 1) SELECT * FROM w',
      /^WITH RECURSIVE/,
    ],
    ['SELECT a INTO b FROM t', 'INTO', /^SELECT INTO is not supported/],
    ['SELECT a FROM t FOR UPDATE', 'FOR', /^FOR UPDATE/],
    ['SELECT a FROM t FETCH FIRST 1 ROWS WITH TIES', 'WITH', /WITH TIES/],
    [
      'SELECT a FROM t ORDER BY a FETCH FIRST 1 ROWS WITH TIES',
      'TIES',
      /^WITH TIES is not supported: write ONLY$/,
    ],
    ['SELECT DISTINCT ON (a) b FROM t', 'b', /^DISTINCT ON is not supported/],
    ['SELECT * FROM t, LATERAL (SELECT 1) s', '1', /^LATERAL is not supported/],
    ['SELECT * FROM t TABLESAMPLE SYSTEM (1)', 'SYSTEM', /^TABLESAMPLE is not supported/],
    ['SELECT * FROM generate_series(1, 2)', 'generate_series', /^a function in FROM is not supported/],
    ['SELECT * FROM t NATURAL JOIN u', 'u', /^NATURAL JOIN is not supported/],
    ['SELECT * FROM t AS u (a, b)', 't', /^a list of columns after an alias/],
    ['SELECT * FROM ONLY t', 't', /^ONLY is not supported/],
    ['SELECT pg_catalog.sum(a) FROM t', 'pg_catalog', /^a schema before a function/],
    ['SELECT a OPERATOR(pg_catalog.+) b FROM t', 'OPERATOR', /^OPERATOR/],
    ['SELECT sum(a ORDER BY b) FROM t', 'sum', /^ORDER BY in an aggregate/],
    ['SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t', 'percentile_cont', /write MEDIAN/],
    ['SELECT f(x => 1) FROM t', 'x', /not supported$/],
    ['SELECT f(VARIADIC a) FROM t', 'f', /not supported$/],
    ['SELECT a FROM t WHERE a = ANY (SELECT 1)', '=', /^ANY or ALL of a sub-query/],
    ['SELECT a FROM t WHERE a = ANY (ARRAY[1])', '=', /write IN/],
    ['SELECT a FROM t WHERE (a, b) = (1, 2)', '(', /^a row of several values/],
    ['SELECT ARRAY[1] FROM t', 'ARRAY', /^an array is not supported/],
    ['SELECT a SIMILAR TO b FROM t', 'SIMILAR', /^SIMILAR TO is not supported: write LIKE/],
    ['SELECT a BETWEEN SYMMETRIC 1 AND 2 FROM t', 'BETWEEN', /^BETWEEN SYMMETRIC/],
    ['SELECT a COLLATE "C" FROM t', 'COLLATE', /^COLLATE is not supported/],
    ["SELECT B'01' FROM t", 'B', /^a string of bits/],
    ['SELECT current_user', 'current_user', /not supported$/],
    ['SELECT json_object() FROM t', 'json_object', /not supported$/],
    ['SELECT a FROM t LIMIT b', 'b', 'LIMIT must be a whole number of rows'],
    ['SELECT a FROM t LIMIT 1.5', '1.5', 'LIMIT must be a whole number of rows'],
    ['SELECT a FROM t OFFSET -1', '-', 'OFFSET must not be negative'],
    ['SELECT a == b FROM t', '==', 'operator `==` is not supported: write `=`'],
    ['SELECT a <=> b FROM t', '<=>', 'operator `<=>` is not supported: write IS NOT DISTINCT FROM'],
    ['SELECT a @> b FROM t', '@>', 'operator `@>` is not supported'],
    ['SELECT `a b` FROM t', '`', 'backticks do not quote names: write `"a b"`'],
    ['SELECT [a] FROM t', '[', 'brackets do not quote names: write `"a"`'],
    ['SELECT TOP 5 a FROM t', 'TOP', 'TOP is not supported: write LIMIT 5 at the end'],
    ['SELECT a FROM t LIMIT 1, 2', 'LIMIT', /^LIMIT with a comma is not supported/],
    ['SELECT a FROM t QUALIFY b = 1', 'QUALIFY', /^QUALIFY is not supported/],
    ['SELECT a # note\nFROM t', '#', /write `--`/],
    ["SELECT U&'x'", 'U&', /^U& is not supported/],
    ['SELECT $1', '$1', 'parameter `$1` has no value'],
    ['SELECT $region', '$region', 'parameter `$region` has no value'],
    ['SHOW TABLES', 'TABLES', /^SHOW must be followed by/],
    ['SHOW FIELDS FROM', 'FROM', /^SHOW must be followed by/],
    ['SHOW FIELDS FROM a.', '.', /^SHOW must be followed by/],
    ['SELEC 1', 'SELEC', 'syntax error at `SELEC`'],
    ['SELECT a FROM', '', 'syntax error at the end of the statement'],
    ['SELECT (a FROM t', 'FROM', 'syntax error at `FROM`'],
    ["SELECT 'é', FROM t", 'FROM', 'syntax error at `FROM`'],
    ['SELECT "a', '"', 'a quoted name is not closed'],
    ["SELECT 'a", "'", 'a string is not closed'],
    ['SELECT $$a', '$', 'a dollar-quoted string is not closed'],
    ['SELECT 1 /* a', '/', 'a comment is not closed'],
    ['SELECT\u00a0a FROM t', '\u00a0', '`U+00A0` outside of quotes is not supported: write a plain space'],
    ['SELECT 1\0; DROP TABLE a', '\0', 'the statement contains a NUL character'],
    ["SELECT '\ud800'", '\ud800', /surrogate/],
    ['', '', 'the text contains no statement'],
    ['-- nothing', '', 'the text contains no statement'],
  ])('%s', (text, marked, message) => {
    const [place, said] = refuse(text);
    expect(place).toBe(marked);
    if (message instanceof RegExp) expect(said).toMatch(message);
    else expect(said).toBe(message);
  });
});

describe('sizes', () => {
  const MB = 1024 * 1024;

  it.each([
    ['parentheses', `SELECT ${'('.repeat(MB - 10)}`, /nested more than 200 deep/],
    ['+', `SELECT 1${'+1'.repeat(MB / 2 - 10)}`, /more than 500 operators/],
    ['AND', `SELECT a FROM t WHERE a${' AND a'.repeat(MB / 6 - 10)}`, /more than 500 operators/],
    ['casts', `SELECT a${'::int'.repeat(MB / 5 - 10)}`, /more than 500 operators/],
    ['NOT', `SELECT ${'NOT '.repeat(MB / 4 - 10)}a`, /more than 500 operators/],
    ['CASE', `SELECT ${'CASE WHEN '.repeat(300)}`, /nested more than 200 deep/],
    ['UNION', `SELECT 1${' UNION SELECT 1'.repeat(1000)}`, /more than 500 operators/],
    ['joins', `SELECT 1 FROM a${' CROSS JOIN a'.repeat(1000)}`, /more than 500 operators/],
    ['columns', `SELECT a${',a'.repeat(MB / 2 - 10)}`, /more than 50,000 words and signs/],
    ['digits', `SELECT ${'9'.repeat(MB - 10)}`, /at most 1,000 digits/],
    ['digits of a fraction', `SELECT 0.${'9'.repeat(MB - 10)}`, /at most 1,000 digits/],
    ['operands of IN', `SELECT a IN (b${',b'.repeat(MB / 2 - 10)})`, /more than 50,000 words and signs/],
    ['one string', `SELECT '${'x'.repeat(MB)}'`, /more than 1,048,576 bytes/],
    ['letters of two bytes', `SELECT '${'é'.repeat(MB / 2)}'`, /more than 1,048,576 bytes/],
  ])('refuses 1 MB of %s', (_what, text, message) => {
    expect(refuse(text)[1]).toMatch(message);
  });

  it('refuses chains that are deep together, although no level has a long one', () => {
    const text = `SELECT ${'('.repeat(100)}1${`${'+1'.repeat(50)})`.repeat(100)}`;
    expect(refuse(text)[1]).toMatch(/more than 1,000 operators deep/);
  });

  it.each([
    ['200 levels of parentheses', `SELECT ${'('.repeat(200)}1${')'.repeat(200)}`],
    ['200 levels of sub-queries', `SELECT ${'(SELECT '.repeat(200)}1${')'.repeat(200)}`],
    ['500 operators', `SELECT 1${'+1'.repeat(500)}`],
    ['990 operators on 11 levels', `SELECT ${'('.repeat(10)}1${`${'+1'.repeat(97)})`.repeat(10)}`],
    ['100,000 values in IN', `SELECT a FROM t WHERE a IN (${"'x',".repeat(100_000)}'x')`],
    ['24,000 columns', `SELECT a${',a'.repeat(24_000)} FROM t`],
  ])('accepts %s', (_what, text) => {
    expect(parse(text)).toHaveLength(1);
  });
});
