import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { share } from '../../support/rotation.ts';
import { abortOnceBusy } from '../../support/waiting.ts';
import { never } from '../connection/results.ts';
import { printInlined, printScript, scripts } from './block-graphs.ts';
import { openScriptSession, readError, rowsOf, type Script, type ScriptSession } from './script-session.ts';

/** A block over the table `orders`, which has one row. */
const C = '#+src sql C() #+begin SELECT * FROM orders #+end\n';
const ORDERS = "CREATE TABLE orders AS SELECT 'table' AS src, 1 AS n;\n";

/** A session that records the temporary objects that it creates for calls. */
async function openWatched(): Promise<ScriptSession & { readonly made: readonly string[] }> {
  const session = await openScriptSession();
  const made: string[] = [];
  const { relations } = session.connection;
  const { createTable } = relations;
  const createView = relations.createView!;
  Object.assign(relations, {
    createTable: (...args: Parameters<typeof createTable>) => {
      made.push('table');
      return createTable(...args);
    },
    createView: (...args: Parameters<typeof createView>) => {
      made.push('view');
      return createView(...args);
    },
  });
  return { ...session, made };
}

/** A chain of blocks B0 to Bn: each block calls the next one. */
function chain(length: number, print: (next: string) => string, last: string): string {
  const blocks = Array.from({ length }, (_, i) => print(`B${i + 1}`));
  return [...blocks, last].map((body, i) => `#+src sql B${i}(n=0) #+begin ${body} #+end\n`).join('');
}

describe('repeatable callees', () => {
  it.each([
    ['one', `${C}${ORDERS}SELECT src FROM {{ C() }}`, [['table']]],
    [
      'a chain',
      `${chain(150, (next) => `SELECT x + 1 AS x FROM {{ ${next}() }}`, 'SELECT 0 AS x')}FROM {{ B0() }}`,
      [[150]],
    ],
    [
      'a table that is created',
      `${C}${ORDERS}CREATE TABLE t (a, b) AS WITH c AS (FROM {{ C() }}) FROM c; SELECT * FROM t`,
      [['table', 1]],
    ],
    ['a pivot', `${C}${ORDERS}PIVOT {{ C() }} ON src USING sum(n)::INTEGER`, [[1]]],
    [
      'arguments',
      `#+src sql N(n) #+begin SELECT {{ n }} AS n #+end\nSELECT a.n, b.n FROM {{ N(1) }} a, {{ N(2) }} b`,
      [[1, 2]],
    ],
  ])('create no temporary objects: %s', async (_, script, rows) => {
    const session = await openWatched();
    expect((await session.run(script)).rows).toEqual(rows);
    expect(session.made).toEqual([]);
  });

  it('can be nested a thousand deep', async () => {
    const text = chain(1000, (next) => `SELECT x + 1 AS x FROM {{ ${next}() }}`, 'SELECT 0 AS x');
    expect(await rowsOf(`${text}FROM {{ B0() }}`)).toEqual([[1000]]);
    expect(await rowsOf(`${text}CREATE TABLE t (x INTEGER); INSERT INTO t FROM {{ B0() }}; FROM t`)).toEqual([
      [1000],
    ]);
  });

  it('can be read twice at each of thirty levels', async () => {
    const join = (next: string) => `SELECT a.x + b.x AS x FROM {{ ${next}() }} a, {{ ${next}() }} b`;
    expect(await rowsOf(`${chain(30, join, 'SELECT 1 AS x')}FROM {{ B0() }}`)).toEqual([[2 ** 30]]);
  });

  it('can exceed the limit of one statement', async () => {
    const both = (next: string) => `SELECT a.x + b.x AS x FROM {{ ${next}(1) }} a, {{ ${next}(2) }} b`;
    expect(await rowsOf(`${chain(10, both, 'SELECT 1 AS x')}FROM {{ B0() }}`)).toEqual([[1024]]);
    const sum = Array.from({ length: 600 }, (_, i) => `(SELECT n FROM {{ N(${i}) }}) AS n${i}`).join(', ');
    const text = `#+src sql N(n) #+begin SELECT {{ n }} AS n #+end\nSELECT n0, n599 FROM (SELECT ${sum})`;
    expect(await rowsOf(text)).toEqual([[0, 599]]);
  });

  it('can be read a hundred times by one statement', async () => {
    const sum = Array.from({ length: 100 }, () => '(SELECT n FROM {{ C() }})').join(' + ');
    expect(await rowsOf(`${C}${ORDERS}SELECT ${sum}`)).toEqual([[100]]);
  });
});

describe('names in a callee', () => {
  it.each([
    [
      "WITH orders AS (SELECT 'cte' AS src) SELECT c.src, o.src FROM {{ C() }} c, orders o",
      [['table', 'cte']],
    ],
    [
      "WITH x AS (SELECT 1), orders AS MATERIALIZED (SELECT 'cte' AS src) SELECT (SELECT src FROM {{ C() }}), src FROM orders",
      [['table', 'cte']],
    ],
    ["SELECT src FROM (WITH orders AS (SELECT 'cte' AS src) FROM {{ C() }})", [['table']]],
    ['SELECT a.src, b.src FROM {{ Inner() }} a, {{ C() }} b', [['inner table', 'table']]],
    [
      "WITH orders AS (SELECT 'cte' AS src) SELECT a.src, b.src FROM {{ Inner() }} a, orders b",
      [['inner table', 'cte']],
    ],
    [
      "WITH RECURSIVE orders AS (SELECT 'cte' AS src UNION SELECT src FROM {{ C() }}) SELECT src FROM orders ORDER BY 1",
      [['cte'], ['table']],
    ],
    [
      "WITH /* */ recursive orders AS (SELECT 'cte' AS src UNION SELECT src FROM {{ C() }}) SELECT src FROM orders ORDER BY 1",
      [['cte'], ['table']],
    ],
    [
      "(WITH orders AS (SELECT 'cte' AS src) SELECT c.src, o.src FROM {{ C() }} c, orders o) LIMIT 5",
      [['table', 'cte']],
    ],
    ['SELECT src FROM {{ Deep() }} ORDER BY 1', [['cte'], ['table']]],
    [
      "WITH orders AS (SELECT 'outer' AS src) SELECT d.src FROM {{ Deep() }} d, orders ORDER BY 1",
      [['cte'], ['table']],
    ],
  ])('are separate from names of the calling statement: %s', async (statement, rows) => {
    const blocks = `${C}#+src sql Inner() #+begin
        WITH orders AS (SELECT 'inner ' || src AS src FROM {{ C() }}) SELECT src FROM orders
      #+end
      #+src sql Deep() #+begin
        WITH RECURSIVE orders AS (SELECT 'cte' AS src UNION SELECT src FROM {{ C() }}) FROM orders
      #+end\n`;
    expect(await rowsOf(`${blocks}${ORDERS}${statement}`)).toEqual(rows);
  });

  it.each([
    ['a comment before it', '/* with */ SELECT 1 AS x', [[1]]],
    ['a comment after it', 'SELECT 1 AS x -- )', [[1]]],
    ['parentheses', '((SELECT 1 AS x))', [[1]]],
    ['parentheses and an order', '(SELECT 1 AS x UNION ALL SELECT 0) ORDER BY x', [[0], [1]]],
    [
      'WITH in parentheses',
      '(WITH a AS (FROM {{ C() }}) SELECT n FROM a) UNION ALL SELECT 2 ORDER BY 1',
      [[1], [2]],
    ],
    ['VALUES', 'VALUES (1), (2)', [[1], [2]]],
    ['FROM', 'FROM range(2)', [[0], [1]]],
    ['TABLE', 'TABLE orders', [['table', 1]]],
    ['names in quotes', 'SELECT "with", "FROM" FROM (SELECT 1 AS "with", 2 AS "FROM")', [[1, 2]]],
    ['strings', "SELECT $$with ) ( '$$ AS x, ') -- ' AS y", [["with ) ( '", ') -- ']]],
    ['equal columns', 'SELECT 1 AS a, 2 AS a, 3 AS A', [[1, 2, 3]]],
    ['no rows', 'SELECT 1 WHERE false', []],
  ])('can appear in a query with %s', async (_, query, rows) => {
    const block = `${C}#+src sql Q() #+begin\n${query}\n#+end\n${ORDERS}`;
    expect(await rowsOf(`${block}FROM {{ Q() }}`)).toEqual(rows);
    expect(await rowsOf(`${block}WITH own AS (FROM {{ Q() }}) FROM own`)).toEqual(rows);
    expect(await rowsOf(`${block}CREATE TABLE made AS FROM {{ Q() }}; FROM made`)).toEqual(rows);
  });

  it('can be passed to functions that resolve them', async () => {
    const session = await openScriptSession();
    const text = `${C}${ORDERS}SELECT t.n, q.n, i.name FROM query_table('{{ C() }}') t, query('FROM {{ C() }}') q,
      pragma_table_info('{{ C() }}') i ORDER BY i.name`;
    expect((await session.run(text)).rows).toEqual([
      [1, 1, 'n'],
      [1, 1, 'src'],
    ]);
    expect(await session.listTemporary()).toEqual([]);
  });
});

describe('a callee that is not a complete query', () => {
  it.each([
    ['ends the surrounding query', 'SELECT 1 AS x), more AS (SELECT 2 AS x'],
    ['replaces its caller', 'SELECT 1 AS x) SELECT (SELECT 3'],
    ['has too many closing parentheses', 'SELECT 1)'],
    ['has a quote without an end', "SELECT 'abc"],
    ['has a comment without an end', 'SELECT 1 /* '],
    ['has a parenthesis without an end', 'SELECT (1'],
    ['has a bracket without an end', 'SELECT [1'],
    ['has no end', 'SELECT 1 FROM'],
  ])('is an error at its own position: %s', async (_, body) => {
    // As the value of a parameter, which cannot end a quote or block of the script.
    const callee = '#+src sql Q() #+begin\n$body\n#+end';
    for (const main of [
      'FROM {{ Q() }}',
      "SELECT 'x', * FROM {{ Q() }} WHERE 'y' = 'z' /* */",
      'CREATE TABLE t AS FROM {{ Q() }}',
      'WITH RECURSIVE r AS (SELECT 1) FROM r, {{ Q() }}',
    ]) {
      const files = { 'main.sql': main, 'callee.sql': callee };
      const error = await readError(rowsOf(files, { params: { body } }));
      expect(error).toMatchObject({ file: 'callee.sql', line: 2 });
    }
  });
});

describe('the position of an error', () => {
  /** A chain of blocks in separate files; the last one has the `body`. */
  function stack(depth: number, body: string, main: string): Script {
    const files: Record<string, string> = {
      'main.sql': `CREATE TABLE t AS SELECT range AS x, 'a' || range AS s FROM range(3);\n${main}`,
    };
    for (let i = 0; i < depth; i += 1) {
      files[`b${i}.sql`] = `#+src sql B${i}()\n#+begin\n  SELECT * FROM {{ B${i + 1}() }}\n#+end\n`;
    }
    files[`b${depth}.sql`] = `#+src sql B${depth}()\n#+begin\n  ${body}\n#+end\n`;
    return files;
  }

  const BODIES = [
    ['a column', 'SELECT x,\n nope FROM t', 2],
    ['a table', 'SELECT *\n FROM nope', 7],
    ['a function', "SELECT 'äöü💛',\n nope(x) FROM t", 2],
    ['syntax', 'SELECT x,\n FROM WHERE', 7],
    ['a cast', 'SELECT\n CAST(s AS INTEGER) AS x FROM t', 2],
    ['a cast next to a NULL', 'SELECT NULL AS z,\n CAST(s AS INTEGER) AS x FROM t', 2],
    ['a column after WITH', 'WITH c AS (SELECT * FROM t)\n SELECT nope FROM c', 9],
    ['a column after WITH RECURSIVE', 'WITH RECURSIVE c AS (SELECT * FROM t)\n SELECT nope FROM c', 9],
  ] as const;
  const READERS = [
    ['a query', 'SELECT *\n FROM {{ B0() }}'],
    ['a query with WITH', 'WITH c AS (FROM {{ B0() }})\n FROM c'],
    ['a table that is created', 'CREATE TABLE made AS\n SELECT * FROM {{ B0() }}'],
    ['a pivot', 'PIVOT (SELECT 1 AS n, * FROM {{ B0() }}) ON n USING count(*)'],
    ['a statement that writes', 'DELETE FROM t WHERE EXISTS (FROM {{ B0() }})'],
    ['a summary', 'SUMMARIZE {{ B0() }}'],
  ] as const;
  it.each(BODIES)('is in the callee at any depth: %s', async (_, body, column) => {
    for (const [depth, [, main]] of [1, 3, 10].flatMap((depth) =>
      READERS.map((reader) => [depth, reader] as const),
    )) {
      const error = await readError(rowsOf(stack(depth, body, main)));
      expect({ main, ...error }).toMatchObject({ main, file: `b${depth}.sql`, line: 4, column });
    }
  });

  it.each([
    ['of a column', 'SELECT *,\n nope FROM {{ B0() }}', { line: 3, column: 2 }],
    ['of a column after WITH', 'WITH c AS (FROM {{ B0() }})\n SELECT nope FROM c', { line: 3, column: 9 }],
    ['of syntax', 'SELECT * FROM {{ B0() }}\n WHERE GROUP', { line: 3, column: 8 }],
    ['of a parenthesis', 'SELECT * FROM {{ B0() }} )', { line: 2, column: 26 }],
    ['of a cast', 'SELECT\n CAST(s AS INTEGER) FROM {{ B0() }}', { line: 3, column: 2 }],
    ['without a position', "SELECT\n error('x') FROM {{ B0() }}", { line: 2, column: 1 }],
    [
      'without a position after WITH',
      "  WITH c AS (FROM {{ B0() }})\n SELECT error('x') FROM c",
      { line: 2, column: 3 },
    ],
    [
      'without a position in a table that is created',
      "CREATE TABLE made AS\n WITH c AS (FROM {{ B0() }}) SELECT error('x') FROM c",
      { line: 2, column: 1 },
    ],
  ])('is in the calling statement: %s', async (_, main, place) => {
    const error = await readError(rowsOf(stack(2, 'SELECT * FROM t', main)));
    expect(error).toMatchObject({ file: 'main.sql', ...place });
  });
});

describe('a callee of a statement that writes', () => {
  const ALL = '#+src sql All() #+begin SELECT n + 10 AS n FROM t #+end\n';
  it.each([
    ['INSERT INTO t SELECT n FROM {{ All() }} UNION ALL SELECT n FROM {{ All() }}', [1, 2, 11, 11, 12, 12]],
    ['INSERT INTO t WITH a AS (FROM {{ All() }}) FROM a', [1, 2, 11, 12]],
    ['WITH a AS (FROM {{ All() }}) INSERT INTO t FROM a', [1, 2, 11, 12]],
    ['UPDATE t SET n = (SELECT sum(n) FROM {{ All() }})', [23, 23]],
    [
      'DELETE FROM t USING {{ All() }} a WHERE t.n + 10 = a.n AND t.n < (SELECT max(n) - 10 FROM {{ All() }})',
      [2],
    ],
    ['MERGE INTO t USING {{ All() }} a ON t.n + 10 = a.n WHEN MATCHED THEN UPDATE SET n = a.n', [11, 12]],
    ['CREATE OR REPLACE TABLE t AS FROM {{ All() }}', [11, 12]],
    ['CREATE /* */ OR REPLACE TABLE t AS FROM {{ All() }}', [11, 12]],
    [
      'BEGIN; INSERT INTO t FROM {{ All() }}; INSERT INTO t FROM {{ All() }}; COMMIT',
      [1, 2, 11, 11, 12, 12, 21, 22],
    ],
    ['BEGIN; INSERT INTO t FROM {{ All() }}; ROLLBACK; INSERT INTO t FROM {{ All() }}', [1, 2, 11, 12]],
  ])('has the rows from before the write: %s', async (statements, expected) => {
    const session = await openScriptSession();
    await session.run(`${ALL}CREATE TABLE t AS FROM (VALUES (1), (2)) v(n);\n${statements};`);
    expect((await session.query('FROM t ORDER BY n')).map(([n]) => Number(n))).toEqual(expected);
    expect(await session.listTemporary()).toEqual([]);
  });

  it.each([
    ['a callee', '{{ Log() }} a, {{ Add() }} b', [1, 2]],
    ['a callee before', '{{ Add() }} b, {{ Log() }} a', [2, 2]],
    ['a callee of a callee', '{{ Over() }} a, {{ Add() }} b', [1, 2]],
    [
      'a callee with an argument that others read too',
      '{{ Log() }} a, {{ First(Log()) }} f, {{ Add() }} b',
      [1, 2],
    ],
    ['a callee in a transaction of another', '{{ Log() }} a, {{ Undone() }} b', [1, 1]],
    ['a callee next to one that deletes rows', '{{ Log() }} a, {{ Emptied() }} b', [1, 0]],
  ])('has these rows even if other callees write: %s', async (_, from, rows) => {
    const count = 'SELECT count(*) AS n FROM log';
    const text = `#+src sql Log() #+begin ${count} #+end
      #+src sql Over() #+begin WITH RECURSIVE r AS (SELECT n FROM {{ Log() }}) SELECT n FROM r #+end
      #+src sql First(of) #+begin WITH RECURSIVE r AS (SELECT n FROM {{ of }}) SELECT n FROM r LIMIT 1 #+end
      #+src sql Add() #+begin INSERT INTO log VALUES (1); ${count} #+end
      #+src sql Undone() #+begin BEGIN; INSERT INTO log VALUES (1); ROLLBACK; ${count} #+end
      #+src sql Emptied() #+begin TRUNCATE log; ${count} #+end
      CREATE TABLE log AS SELECT 1 AS x;
      SELECT a.n, b.n FROM ${from}`;
    const session = await openScriptSession();
    expect((await session.run(text)).rows).toEqual([rows]);
    expect(await session.listTemporary()).toEqual([]);
  });
});

describe('callees with random rows', () => {
  it.each([
    ['random()', 'SELECT random() AS r'],
    ['a sequence', "SELECT nextval('s') AS r, NULL AS none"],
    ['a view of the user', 'SELECT r FROM luck_again'],
    ['a macro of the user', 'SELECT luck() AS r'],
    ['a table macro of the user', 'SELECT r FROM lucks()'],
    ['a LIMIT', 'SELECT r FROM rows USING SAMPLE 1'],
    ['another one with random rows', 'SELECT r FROM {{ Random() }}'],
  ])('have the same rows everywhere in one statement: %s', async (_, body) => {
    const text = `#+src sql Luck() #+begin ${body} #+end
      #+src sql Random() #+begin SELECT random() AS r #+end
      #+src sql Over() #+begin SELECT a.r AS r, b.r AS s FROM {{ Luck() }} a, {{ Luck() }} b #+end
      CREATE SEQUENCE s; CREATE TABLE rows AS SELECT range AS r FROM range(1000000);
      CREATE VIEW luck AS SELECT random() AS r; CREATE VIEW luck_again AS FROM luck;
      CREATE MACRO luck() AS random(); CREATE MACRO lucks() AS TABLE SELECT random() AS r;
      SELECT a.r = b.r AND a.r = (SELECT r FROM {{ Luck() }}), (SELECT r = s FROM {{ Over() }})
      FROM {{ Luck() }} a, {{ Luck() }} b`;
    expect(await rowsOf(text)).toEqual([[true, true]]);
  });
});

describe('an error without a position', () => {
  const DEEP = `#+src sql Odd() #+begin
  SELECT 1 AS x UNION SELECT 1, 2
#+end
#+src sql Over() #+begin
  SELECT x FROM {{ Odd() }}
#+end
`;

  it('is located in the callee that causes it', async () => {
    const error = await readError(
      (await openScriptSession()).run({ 'blocks.sql': DEEP, 'main.sql': 'SELECT x FROM {{ Over() }}' }),
    );
    expect(error).toMatchObject({ file: 'blocks.sql', line: 2 });
  });

  it('is located in the statement if that causes it', async () => {
    const good = DEEP.replace('SELECT 1, 2', 'SELECT 3');
    const text = `${good}SELECT x FROM {{ Over() }} UNION SELECT 1, 2`;
    expect(await readError((await openScriptSession()).run(text))).toMatchObject({ line: 7 });
  });
});

describe('untyped NULL columns', () => {
  it('have the type text in a block that calls another one', async () => {
    const text = `#+src sql N() #+begin SELECT NULL AS n, 1 AS b #+end
#+src sql NN() #+begin SELECT n, NULL AS m FROM {{ N() }} #+end
SELECT typeof(n), typeof(m) FROM {{ NN() }}`;
    expect(await rowsOf(text)).toEqual([['VARCHAR', 'VARCHAR']]);
  });

  it('can be in a pivot', async () => {
    const text = `#+src sql P() #+begin PIVOT (SELECT range AS n, 'a' || range AS s, NULL AS z FROM range(2)) ON s USING sum(n) #+end
SELECT z, a1 FROM {{ P() }} WHERE a1 IS NOT NULL`;
    expect(await rowsOf(text)).toEqual([[null, 1]]);
  });

  it('have the type text', async () => {
    const text = `#+src sql A() #+begin SELECT NULL AS a, NULL AS a, NULL AS "b ""c""", NULL #+end
      #+src sql B() #+begin SELECT * FROM {{ A() }} #+end
      CREATE TABLE t AS FROM {{ B() }}; SELECT column_type FROM (DESCRIBE t)`;
    expect(await rowsOf(text)).toEqual([['VARCHAR'], ['VARCHAR'], ['VARCHAR'], ['VARCHAR']]);
  });

  it('can be among two thousand columns', async () => {
    const columns = Array.from({ length: 2000 }, (_, i) => `${i % 2 === 0 ? i : 'NULL'} AS c${i}`);
    const text = `#+src sql A() #+begin SELECT ${columns.join(', ')} #+end
      SELECT c1998, typeof(c1998), c1999, typeof(c1999) FROM {{ A() }}`;
    expect(await rowsOf(text)).toEqual([[1998, 'INTEGER', null, 'VARCHAR']]);
  });
});

describe('a cancellation', () => {
  it('ends the statement that contains a callee', async () => {
    const session = await openScriptSession();
    const text = `#+src sql Long() #+begin SELECT count(*) AS n FROM range(100000) a, range(100000) b, range(1000) c WHERE a.range + b.range < c.range #+end
      SELECT n FROM {{ Long() }}`;
    const run = session.run(text, { signal: abortOnceBusy() });
    await expect(run).rejects.toThrow('The statement was cancelled.');
    expect(await session.connection.relations.listTemporary(never)).toEqual([]);
  });
});

describe('graphs of callees', () => {
  /** Statements that read the last block, with the rows that they read. */
  const readers = fc.constantFrom<(from: string) => string>(
    (from) => `WITH t AS (SELECT 99 AS a) SELECT a, b FROM ${from}`,
    (from) => `CREATE OR REPLACE TABLE made AS WITH x AS (FROM ${from}) SELECT a, b FROM x; FROM made`,
    (from) =>
      `WITH RECURSIVE r AS (SELECT a, b FROM ${from} UNION ALL SELECT a, b FROM r WHERE false) FROM r`,
    (from) => `SELECT a, b FROM query_table('${from}')`,
    (from) =>
      `CREATE OR REPLACE TABLE made (a BIGINT, b BIGINT); INSERT INTO made SELECT a, b FROM ${from}; FROM made`,
  );

  it('have the same rows for statements of every kind', async () => {
    const session = await openScriptSession();
    await fc.assert(
      fc.asyncProperty(scripts, readers, async (graph, print) => {
        const script = printScript(graph).replace(
          /SELECT a, b FROM (\{\{ B\d+\(\d+\) \}\}) ORDER BY ALL$/,
          (_, call: string) => `\n${print(call)}`,
        );
        const { rows } = await session.run(script);
        const expected = await session.query(printInlined(graph));
        const sort = (all: readonly (readonly unknown[])[]) =>
          all
            .map((row) => row.map((value) => (value === null ? null : Number(value))))
            .map((row) => JSON.stringify(row))
            .sort();
        expect(sort(rows)).toEqual(sort(expected));
        expect(await session.listTemporary()).toEqual([]);
      }),
      { numRuns: share(100) },
    );
  });
});
