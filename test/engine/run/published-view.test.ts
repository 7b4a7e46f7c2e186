import { describe, expect, it } from 'vitest';
import { declare, IMPORT, publishing } from './publishing-scripts.ts';
import { createPublisher, openPublishing, readError } from './publishing-session.ts';

const VIEW = ':type "view", :name "shown"';
const TABLE = ':type "table", :name "shown"';
const KINDS = [
  ['view', VIEW],
  ['table', TABLE],
] as const;

/** Blocks over the table `t`, which has three rows. */
const BLOCKS = `#+src sql All() #+begin SELECT * FROM t #+end
#+src sql Chance(n=1) #+begin SELECT random() AS r #+end
#+src sql Again() #+begin SELECT r FROM {{ Chance() }} #+end
#+src sql Some() #+begin SELECT x FROM t USING SAMPLE 2 ROWS #+end
#+src sql Next() #+begin SELECT nextval('s') AS r #+end
`;
const T = "CREATE SEQUENCE s; CREATE TABLE t AS SELECT range AS x, 'a' || range AS s FROM range(3);\n";

describe.each(KINDS)('a published %s', (_, publication) => {
  it.each([
    [
      'SELECT a.r = b.r AND a.r = (SELECT r FROM {{ Chance() }}) AS same FROM {{ Chance() }} a, {{ Chance() }} b',
    ],
    ['SELECT a.r = b.r AS same FROM {{ Again() }} a, {{ Again() }} b'],
    ['WITH a AS (FROM {{ Chance() }}), b AS (FROM {{ Chance() }}) SELECT a.r = b.r AS same FROM a, b'],
    ['SELECT a.r <> b.r AS same FROM {{ Chance(1) }} a, {{ Chance(2) }} b'],
    ['SELECT a.r = b.r AS same FROM {{ Next() }} a, {{ Next() }} b'],
    ['SELECT count(*) = 2 AS same FROM {{ Some() }} a JOIN {{ Some() }} b USING (x)'],
    [
      'WITH RECURSIVE w AS (SELECT 0 AS n, -1.0 AS r UNION ALL SELECT n + 1, c.r FROM w, {{ Chance() }} c WHERE n < 5) SELECT count(DISTINCT r) = 2 AS same FROM w',
    ],
  ])('has one set of rows of a block with random rows: %s', async (body) => {
    const session = await openPublishing();
    await session.publish(`${BLOCKS}${T}${publishing(publication, body)}`);
    for (let i = 0; i < 5; i += 1) expect(await session.rows('FROM shown')).toEqual([[true]]);
  });

  it.each([
    [
      "WITH t AS (SELECT 'cte' AS x) SELECT t.x, count(*) AS n FROM t, {{ All() }} GROUP BY ALL",
      [['cte', 3n]],
    ],
    [
      'WITH RECURSIVE t AS (SELECT 0 AS x UNION ALL SELECT x + 1 FROM t WHERE x < (SELECT max(x) FROM {{ All() }})) SELECT count(*) FROM t',
      [[3n]],
    ],
    ['(WITH t AS (SELECT 5 AS x) SELECT t.x, count(*) FROM t, {{ All() }} GROUP BY ALL)', [[5, 3n]]],
    ['SELECT x, x FROM {{ All() }} WHERE x = 1', [[1n, 1n]]],
    ['FROM {{ All() }} SELECT x WHERE x = 1 -- )', [[1n]]],
    ["PIVOT (SELECT 1 AS n, s FROM {{ All() }}) ON s IN ('a1', 'nope') USING count(*)", [[1, 1n, 0n]]],
    ['SELECT * FROM {{ All() }} WHERE false', []],
    ['SELECT * FROM {{ Odd() }}', [['mine', 3n]]],
    [
      "WITH quern_1 AS (SELECT 'own' AS m) SELECT a.m, b.m, b.n FROM quern_1 a, {{ Odd() }} b",
      [['own', 'mine', 3n]],
    ],
    ['SELECT m, count(*) FROM quern_1, {{ All() }} GROUP BY ALL', [['mine', 3n]]],
  ])('keeps names separate: %s', async (body, rows) => {
    const session = await openPublishing();
    const odd =
      '#+src sql Odd() #+begin SELECT m, count(*) AS n FROM quern_1, {{ All() }} GROUP BY ALL #+end\n';
    await session.publish(
      `${BLOCKS}${odd}CREATE TABLE quern_1 AS SELECT 'mine' AS m; ${T}${publishing(publication, body)}`,
    );
    expect(await session.rows('FROM shown')).toEqual(rows);
    expect(await session.connection.relations.listTemporary(new AbortController().signal)).toEqual([]);
  });

  it('can depend on a chain of four hundred blocks', async () => {
    const blocks = Array.from(
      { length: 400 },
      (_, i) => `#+src sql B${i}() #+begin SELECT x + 1 AS x FROM {{ B${i + 1}() }} #+end\n`,
    ).join('');
    const session = await openPublishing();
    await session.publish(
      `${blocks}#+src sql B400() #+begin SELECT 0 AS x #+end\n${publishing(publication, 'SELECT x FROM {{ B0() }}')}`,
    );
    expect(await session.rows('FROM shown')).toEqual([[400]]);
  });

  it('can depend on blocks that read the next one twice, thirty deep', async () => {
    const blocks = Array.from(
      { length: 30 },
      (_, i) =>
        `#+src sql B${i}() #+begin SELECT a.x + b.x AS x FROM {{ B${i + 1}() }} a, {{ B${i + 1}() }} b #+end\n`,
    ).join('');
    const session = await openPublishing();
    await session.publish(
      `${blocks}#+src sql B30() #+begin SELECT 1 AS x #+end\n${publishing(publication, 'SELECT x FROM {{ B0() }}')}`,
    );
    expect(await session.rows('FROM shown')).toEqual([[2 ** 30]]);
  });

  it("has its own and a callee's untyped NULL columns as text", async () => {
    const session = await openPublishing();
    const blocks = '#+src sql N() #+begin SELECT NULL AS a, 1 AS b #+end\n';
    await session.publish(`${blocks}${publishing(publication, 'SELECT a, b, NULL AS c FROM {{ N() }}')}`);
    expect(await session.rows('SELECT typeof(a), typeof(b), typeof(c) FROM shown')).toEqual([
      ['VARCHAR', 'INTEGER', 'VARCHAR'],
    ]);
  });

  it('has untyped NULL columns of a callee as text', async () => {
    const session = await openPublishing();
    const blocks = `#+src sql N() #+begin SELECT NULL AS a, 1 AS b #+end
#+src sql Over() #+begin SELECT a, b FROM {{ N() }} #+end\n`;
    await session.publish(`${blocks}${publishing(publication, 'SELECT * FROM {{ Over() }}')}`);
    const types = await session.rows('SELECT column_type FROM (DESCRIBE shown)');
    expect(types).toEqual([['VARCHAR'], ['INTEGER']]);
  });

  const DEEP = `#+src sql One()\n#+begin\n  SELECT * FROM {{ Two() }}\n#+end
#+src sql Two()\n#+begin\n  SELECT * FROM {{ Bad() }}\n#+end\n`;
  it.each([
    ['a column', 'SELECT x,\n nope FROM t', 'c.sql:12:2', 'nope'],
    ['a table', 'SELECT *\n FROM nope', 'c.sql:12:7', 'nope'],
    ['syntax', 'SELECT x,\n FROM WHERE', 'c.sql:12:7', 'WHERE'],
    ['a column next to a NULL', 'SELECT NULL AS z,\n nope FROM t', 'c.sql:12:2', 'nope'],
    ['a column after WITH', 'WITH c AS (FROM t)\n SELECT nope FROM c', 'c.sql:12:9', 'nope'],
    ['text that ends the surrounding query', 'SELECT 1 AS x\n), more AS (SELECT 2 AS x', 'c.sql:12:1', ''],
    ['text that replaces the surrounding query', 'SELECT 1 AS x\n) SELECT (SELECT 3', 'c.sql:12:1', ''],
    ['a parenthesis without an end', 'SELECT\n (1', '', ''],
  ])('reports an error of a callee at its position: %s', async (_name, body, at, words) => {
    const callee = `${DEEP}#+src sql Bad()\n#+begin\n  ${body}\n#+end\n`;
    const session = await openPublishing();
    await session.publish("CREATE TABLE shown AS SELECT 'old' AS x");
    for (const reader of [
      'SELECT * FROM {{ One() }}',
      'WITH c AS (FROM {{ One() }}) FROM c',
      'FROM {{ Bad() }}',
    ]) {
      const files = {
        'main.sql': `${T.replaceAll('CREATE', 'CREATE OR REPLACE')}${publishing(publication, reader)}`,
        'c.sql': callee,
      };
      const [place, message] = await readError(session.publish(files));
      expect(place.startsWith(at === '' ? 'c.sql:12:' : at)).toBe(true);
      expect(message).toContain(words);
    }
    expect(await session.rows('FROM shown')).toEqual([['old']]);
  });

  it.each([
    ['a column', 'SELECT x,\n nope FROM {{ All() }}', 4, 2],
    ['a column after WITH', 'WITH c AS (FROM {{ All() }})\n SELECT nope FROM c', 4, 9],
    ['syntax', 'SELECT * FROM {{ All() }}\n WHERE GROUP', 4, 8],
    ['one closing parenthesis too many', 'SELECT * FROM {{ All() }}\n ), (SELECT 1', 4, 2],
    ['no place', 'SELECT x FROM {{ All() }} UNION SELECT 1, 2', 3, 1],
    ['no position after WITH', 'WITH c AS (FROM {{ All() }}) SELECT x FROM c UNION SELECT 1, 2', 3, 1],
  ])('reports an error of the published block at its position: %s', async (_name, body, line, column) => {
    const session = await openPublishing();
    const files = { 'main.sql': publishing(publication, body), 'blocks.sql': BLOCKS };
    await session.publish(T);
    const [place] = await readError(session.publish(files));
    expect(place).toBe(`main.sql:${line}:${column}`);
  });
});

describe('a published view', () => {
  it('is the same after each publication, and in later sessions', async () => {
    const publisher = await createPublisher();
    const script = `${BLOCKS}${publishing(VIEW, 'SELECT a.r = b.r AS same, (SELECT count(*) FROM {{ All() }}) AS n FROM {{ Again() }} a, {{ Again() }} b')}`;
    const session = await publisher.open();
    const readDefinition = () => session.rows("SELECT sql FROM duckdb_views() WHERE view_name = 'shown'");
    await session.publish(T);
    await session.publish(script);
    const first = await readDefinition();
    await session.publish(script);
    expect(await readDefinition()).toEqual(first);
    await session.close();
    const next = await publisher.open();
    expect(await next.rows('FROM shown')).toEqual([[true, 3n]]);
  });

  it('can read another view, which has its own blocks', async () => {
    const session = await openPublishing();
    const declared = ['A', 'B', 'C'].map((name, i) =>
      declare(
        name,
        `:type "view", :name "v${name}"`,
        i === 0
          ? 'SELECT x FROM {{ All() }}'
          : `SELECT a.x FROM {{ ${'ABC'[i - 1]}() }} a JOIN {{ All() }} b USING (x)`,
      ),
    );
    await session.publish(
      `${BLOCKS}${declared.join('')}${IMPORT}${T}{{ publication.Run(blocks=[C, A, B]) }};`,
    );
    expect(await session.rows('SELECT count(*) FROM vC')).toEqual([[3n]]);
  });
});

describe('an incremental published table', () => {
  it.each([
    ['append', ':incremental "append"', [0n, 1n, 2n, 100n, 101n, 102n]],
    ['merge', ':incremental "merge", :unique_key ["x"]', [0n, 1n, 2n, 100n, 101n, 102n]],
  ])('can get rows from a callee that reads it: %s', async (_, options, expected) => {
    const session = await openPublishing();
    const block = declare(
      'A',
      `${TABLE}, ${options}`,
      '#+if publication.Incremental() then WITH o AS (FROM {{ Own() }}) SELECT x + 100 AS x FROM o #+else SELECT x FROM {{ All() }} #+end',
    );
    const own = '#+src sql Own() #+begin SELECT x FROM shown #+end\n';
    const run = '{{ publication.Run(blocks=[A]) }};';
    await session.publish(`${IMPORT}${BLOCKS}${own}${block}${T}${run}${run}`);
    expect((await session.rows('FROM shown ORDER BY x')).flat()).toEqual(expected);
  });

  it('reports an error in a callee at its position', async () => {
    const session = await openPublishing();
    const block = declare(
      'A',
      `${TABLE}, :incremental "append"`,
      '#+if publication.Incremental() then SELECT x FROM {{ Bad() }} #+else SELECT x FROM {{ All() }} #+end',
    );
    const run = '{{ publication.Run(blocks=[A]) }};';
    const files = {
      'main.sql': `${IMPORT}${block}${T}${run}${run}`,
      'c.sql': `#+src sql Bad()\n#+begin\n  SELECT\n CAST(s AS INTEGER) AS x FROM t\n#+end\n${BLOCKS}`,
    };
    const [place, message] = await readError(session.publish(files));
    expect(place).toBe('c.sql:4:2');
    expect(message).toContain("'a0'");
    expect(await session.rows('SELECT count(*) FROM shown')).toEqual([[3n]]);
  });
});
