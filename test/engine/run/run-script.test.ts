import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { share } from '../../support/rotation.ts';
import { printInlined, printScript, scripts } from './block-graphs.ts';
import { CHANCE, openScriptSession, rowsOf, SERIES } from './script-session.ts';

describe('a call of a block', () => {
  it('has the same rows everywhere in one statement, including random rows', async () => {
    const same = 'SELECT count(*) FROM {{ Chance(100) }} a JOIN {{ Chance(100) }} b USING (id, x)';
    expect(await rowsOf(`${CHANCE}${same}`)).toEqual([[100]]);
    const nested = `${CHANCE}#+src sql Again() #+begin SELECT * FROM {{ Chance(9) }} #+end\n`;
    expect(
      await rowsOf(`${nested}SELECT count(*) FROM {{ Again() }} a JOIN {{ Again() }} b USING (x)`),
    ).toEqual([[9]]);
  });

  it('has new rows in the next statement', async () => {
    const text = `${CHANCE}CREATE TABLE seen AS FROM {{ Chance() }};
      INSERT INTO seen FROM {{ Chance() }}; INSERT INTO seen FROM {{ Chance() }};
      SELECT count(*), count(DISTINCT x) FROM seen`;
    expect(await rowsOf(text)).toEqual([[3, 3]]);
  });

  it.each(['EXPLAIN SELECT * FROM', 'EXPLAIN ANALYZE SELECT count(*) FROM', 'EXPLAIN (FORMAT json) FROM'])(
    'is a part of the plan of %s',
    async (statement) => {
      const [[, plan]] = (await rowsOf(`${SERIES}${statement} {{ Series(1000) }} WHERE x = 3`)) as [
        [string, string],
      ];
      expect(plan).toMatch(/Function:\s+RANGE|"Function": "RANGE"/);
    },
  );

  it('has other rows with other arguments', async () => {
    const text = `${CHANCE}SELECT count(*) FROM {{ Chance(3) }} a JOIN {{ Chance(4) }} b USING (x)`;
    expect(await rowsOf(text)).toEqual([[0]]);
  });

  it('is shared with calls of equal arguments in any notation', async () => {
    const text = `#+src sql Dice(n=1, m=n, l=[1], o={ :a 1 }) #+begin SELECT random() AS x #+end
      SELECT count(DISTINCT x) FROM (FROM {{ Dice() }} UNION ALL FROM {{ Dice(1) }} UNION ALL FROM {{ Dice(m=1, n=1) }}
        UNION ALL FROM {{ Dice(2 - 1, 1, [1]) }} UNION ALL FROM {{ Dice(o={ :a 1 }) }})`;
    expect(await rowsOf(text)).toEqual([[1]]);
  });

  it('distinguishes arguments of different types', async () => {
    const text = `#+src sql Dice(n) #+begin SELECT random() AS x #+end
      SELECT count(DISTINCT x) FROM (#+for n : [1, 1.0, "1", true, "true", null, "", [1], [[1]], { :a 1 }, { :b 1 }, :a, "a"]
      separator " UNION ALL " do FROM {{ Dice(n) }}#+end)`;
    expect(await rowsOf(text)).toEqual([[13]]);
  });

  it.each([
    ['after FROM, without an alias', 'SELECT x FROM {{ Series(3) }} WHERE x > 0', [[1], [2]]],
    ['with an alias', 'SELECT s.x FROM {{ Series(2) }} AS s', [[0], [1]]],
    ['in a CTE', 'WITH s AS (FROM {{ Series(2) }}) SELECT * FROM s', [[0], [1]]],
    [
      'in a recursive CTE',
      'WITH RECURSIVE s AS (FROM {{ Series(1) }} UNION ALL SELECT x + 1 FROM s WHERE x < 2) FROM s',
      [[0], [1], [2]],
    ],
    [
      'in a sub-query',
      'SELECT (SELECT max(x) FROM {{ Series(5) }}), 3 IN (FROM {{ Series(3) }})',
      [[4, false]],
    ],
    [
      'in a condition',
      'SELECT 1 WHERE EXISTS (FROM {{ Series(1) }}) AND NOT EXISTS (FROM {{ Series(0) }})',
      [[1]],
    ],
    [
      'in a sub-query that reads a column of the outer query',
      'SELECT x, (SELECT count(*) FROM {{ Series(3) }} i WHERE i.x < o.x) FROM {{ Series(2) }} o',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      'in a join',
      'SELECT a.x, b.x FROM {{ Series(3) }} a JOIN {{ Series(2) }} b ON a.x = b.x + 1',
      [
        [1, 0],
        [2, 1],
      ],
    ],
    ['in a join without aliases', 'SELECT * FROM {{ Series(2) }} JOIN {{ Series(3) }} USING (x)', [[0], [1]]],
    ['in a set operation', 'FROM {{ Series(3) }} EXCEPT FROM {{ Series(2) }}', [[2]]],
    ['as a name before a column', 'SELECT {{ Series(1) }}.x FROM {{ Series(1) }}', [[0]]],
    ['alone', '{{ Series(2) }};', [[0], [1]]],
    ['alone, without a semicolon', '{{ Series(2) }}', [[0], [1]]],
    ['through a macro', '{{ Twice(2) }} ORDER BY ALL', [[0], [0], [1], [1]]],
    [
      'once for each value',
      'SELECT #+for n : [1, 2, 3] separator ", " do (SELECT count(*) FROM {{ Series(n) }})#+end',
      [[1, 2, 3]],
    ],
    [
      'on a condition',
      'SELECT #+if true then count(*) FROM {{ Series(4) }} #+else nope FROM {{ Missing() }} #+end',
      [[4]],
    ],
  ])('can be used %s', async (_, statement, rows) => {
    const text = `${SERIES}#+src sql Missing() #+begin SELECT error('it was run') #+end
      #+macro Twice(n) #+begin SELECT x FROM {{ Series(n) }} UNION ALL SELECT x FROM {{ Series(n) }} #+end
      ${statement}`;
    expect(await rowsOf(text)).toEqual(rows);
  });

  it('accepts arguments of every type', async () => {
    const text = `#+src sql Show(i, f, s, b, n, l, m) #+begin
      SELECT {{ i }} AS i, {{ f }} AS f, '{{ s }}' AS s, {{ b }} AS b, '{{ n }}' AS n, [{{ l }}] AS l,
        {{ m.a }} AS a, [{{ m.list }}] AS list, '{{ m.map.text }}' AS text, #+if b and n == null then 'yes' #+end AS met
      #+end
      FROM {{ Show(-9007199254740991, 1.5, "it''s
two", true, null, [1, 2], { :a 3, :list [4, 5], :map { :text "six" } }) }}`;
    expect(await rowsOf(text)).toEqual([
      [-9007199254740991, 1.5, "it's\ntwo", true, '', [1, 2], 3, [4, 5], 'six', 'yes'],
    ]);
  });

  it('uses parameters of the execution', async () => {
    const params = { n: 3n, list: ['a', 'b'], none: null };
    const text = `${SERIES}SELECT count(*), '$list', '$none|' FROM {{ Series($n) }}`;
    expect(await rowsOf(text, { params })).toEqual([[3, 'a, b', '|']]);
  });

  it('runs a chain of sixty blocks', async () => {
    const blocks = Array.from(
      { length: 60 },
      (_, i) => `#+src sql B${i}() #+begin SELECT x + 1 AS x FROM {{ B${i + 1}() }} #+end\n`,
    );
    const text = `${blocks.join('')}#+src sql B60() #+begin SELECT 0 AS x #+end\nFROM {{ B0() }}`;
    expect(await rowsOf(text)).toEqual([[60]]);
  });

  it('finds blocks of sibling files and of other packages', async () => {
    const files = {
      'main.sql': '#+import "lib"\nSELECT * FROM {{ lib.Name() }}, {{ Name() }}, {{ private() }}',
      'other.sql':
        "SELECT error('a sibling was run');\n#+src sql Name() #+begin SELECT 'mine' #+end\n#+src sql private() #+begin SELECT 'private' #+end",
    };
    const lib =
      "#+src sql Name() #+begin SELECT * FROM {{ private() }} #+end\n#+src sql private() #+begin SELECT 'theirs' #+end";
    expect(await rowsOf(files, { packages: { lib } })).toEqual([['theirs', 'mine', 'private']]);
  });

  it('keeps the order of columns and rows of the block', async () => {
    const session = await openScriptSession();
    const text = `#+src sql A() #+begin SELECT x, -x AS "B ä", x AS a FROM range(5000) t(x) ORDER BY 2 #+end\nFROM {{ A() }}`;
    const { columns, rows } = await session.run(text);
    expect(columns).toEqual(['x', 'B ä', 'a']);
    expect(rows.map(([x]) => x)).toEqual(Array.from({ length: 5000 }, (_, i) => 4999 - i));
  });

  it('can have no rows, or a body that ends with a comment', async () => {
    const text = `#+src sql Empty() #+begin SELECT 1 AS x WHERE false; -- no more; #+end
      /* ; */
      #+end
      SELECT count(*) FROM {{ Empty() }}`;
    expect(await rowsOf(text)).toEqual([[0]]);
  });

  it('has untyped NULLs of a block with random rows as text', async () => {
    const text = `#+src sql A() #+begin SELECT NULL AS a, random() AS b #+end\nSELECT typeof(a) FROM {{ A() }}`;
    expect(await rowsOf(text)).toEqual([['VARCHAR']]);
  });
});

describe('a block of several statements', () => {
  const STEPS = `#+src sql Steps(n=1) #+begin
    CREATE TEMP TABLE work AS SELECT {{ n }} AS x; UPDATE work SET x = x + 1;
    CREATE TEMP VIEW seen AS FROM work; CREATE TEMP TABLE "Other; one" AS FROM seen; FROM "Other; one";
  #+end\n`;

  it('runs them in order, and drops its temporary objects after the calling statement', async () => {
    const session = await openScriptSession();
    const text = `${STEPS}FROM {{ Steps() }}; CREATE TABLE after AS SELECT count(*) AS n FROM duckdb_tables() WHERE temporary;`;
    expect((await session.run(text)).rows).toEqual([[2]]);
    expect(await session.query('FROM after')).toEqual([[0n]]);
    expect(await session.listTemporary()).toEqual([]);
  });

  it('can be called again, also in the same statement with other arguments', async () => {
    const text = `${STEPS}SELECT a.x, b.x, c.x FROM {{ Steps() }} a, {{ Steps(5) }} b, {{ Steps() }} c`;
    expect(await rowsOf(text)).toEqual([[2, 6, 2]]);
    expect(await rowsOf(`${STEPS}CREATE TABLE t AS FROM {{ Steps() }}; FROM {{ Steps(7) }}`)).toEqual([[8]]);
  });

  it('runs them once for all equal calls', async () => {
    const text = `#+src sql Log() #+begin INSERT INTO log VALUES (1); SELECT count(*) AS n FROM log #+end
      CREATE TABLE log (x INTEGER);
      SELECT a.n, b.n FROM {{ Log() }} a, {{ Log() }} b; SELECT 1 FROM {{ Log() }}; CREATE TABLE n AS FROM log;`;
    const session = await openScriptSession();
    expect((await session.run(text)).rows).toEqual([[1, 1]]);
    expect(await session.query('SELECT count(*) FROM log')).toEqual([[2n]]);
  });

  it('can call blocks in each of them', async () => {
    const text = `${CHANCE}#+src sql Steps() #+begin
        CREATE TEMP TABLE one AS FROM {{ Chance(3) }};
        CREATE TEMP TABLE two AS FROM {{ Chance(3) }};
        SELECT count(*) AS n FROM one JOIN two USING (x) UNION ALL SELECT count(*) FROM {{ Chance(5) }}
      #+end
      FROM {{ Steps() }}`;
    expect(await rowsOf(text)).toEqual([[0], [5]]);
  });

  it('keeps temporary objects for the blocks that it calls, until it ends', async () => {
    const text = `#+src sql Outer() #+begin CREATE TEMP TABLE one AS SELECT 1 AS x; SELECT x FROM {{ Inner() }} #+end
      #+src sql Inner() #+begin CREATE TEMP TABLE two AS SELECT x + 1 AS x FROM one; FROM two #+end
      CREATE TABLE t AS FROM {{ Outer() }}; INSERT INTO t FROM {{ Outer() }}; FROM t`;
    const session = await openScriptSession();
    expect((await session.run(text)).rows).toEqual([[2], [2]]);
    expect(await session.listTemporary()).toEqual([]);
  });

  it('keeps objects that are not temporary', async () => {
    const text = `#+src sql A() #+begin CREATE TABLE kept AS SELECT 3 AS x; FROM kept #+end\nCREATE TABLE t AS FROM {{ A() }}; FROM kept`;
    expect(await rowsOf(text)).toEqual([[3]]);
  });
});

describe('a void block', () => {
  const INIT = `#+src sql Init(n=1): void #+begin
    CREATE TEMP TABLE IF NOT EXISTS work (x INTEGER); INSERT INTO work VALUES ({{ n }});
    INSERT INTO work SELECT max(x) + 1 FROM work; SELECT * FROM work
  #+end\n`;

  it('runs its statements at the position of the call, and has no answer', async () => {
    const text = `${INIT}{{ Init() }}; UPDATE work SET x = x * 10; {{ Init(100) }}; FROM work ORDER BY x`;
    expect(await rowsOf(text)).toEqual([[10], [20], [100], [101]]);
    expect(await rowsOf(`${INIT}{{ Init() }}`)).toEqual([]);
  });

  it('runs for each call', async () => {
    expect(
      await rowsOf(`${INIT}{{ Init() }}; {{ Init() }};\n{{ Init() }}; SELECT count(*) FROM work`),
    ).toEqual([[6]]);
  });

  it('keeps its temporary objects until the script ends', async () => {
    const session = await openScriptSession();
    const text = `${INIT}${CHANCE}{{ Init() }}; CREATE TEMP TABLE own AS FROM {{ Chance() }}; CREATE TEMP VIEW look AS FROM own; FROM work`;
    await session.run(text);
    expect(await session.listTemporary()).toEqual(['look', 'own', 'work']);
  });

  it('can call void blocks, and blocks with rows', async () => {
    const text = `${SERIES}#+src sql Outer(): void #+begin
        CREATE TABLE log AS FROM {{ Series(2) }}; {{ Inner() }}; INSERT INTO log VALUES (8)
      #+end
      #+src sql Inner(): void #+begin INSERT INTO log VALUES (7) #+end
      {{ Outer() }}; FROM log`;
    expect(await rowsOf(text)).toEqual([[0], [1], [7], [8]]);
  });

  it('can be called in loops and conditions', async () => {
    const text = `${INIT}#+for n : [1, 5] do {{ Init(n) }}; #+end #+if false then {{ Init(9) }}; #+end SELECT x FROM work ORDER BY x`;
    expect(await rowsOf(text)).toEqual([[1], [2], [5], [6]]);
  });
});

describe('the order of the work', () => {
  it('runs a block just before the statement that calls it', async () => {
    const text = `#+src sql Count() #+begin SELECT count(*) AS n FROM log #+end
      CREATE TABLE log (x BIGINT);
      INSERT INTO log FROM {{ Count() }}; INSERT INTO log FROM {{ Count() }};
      FROM log`;
    expect(await rowsOf(text)).toEqual([[0], [1]]);
  });

  it('stores the rows of a block before the statement changes its source', async () => {
    const text = `#+src sql Top() #+begin SELECT max(x) AS top FROM t #+end
      #+src sql All() #+begin SELECT x + 1 AS x FROM t #+end
      CREATE TABLE t AS FROM range(3) r(x);
      UPDATE t SET x = x + (SELECT top FROM {{ Top() }});
      CREATE OR REPLACE TABLE t AS FROM {{ All() }};
      DELETE FROM t WHERE x = (SELECT top FROM {{ Top() }});
      FROM t ORDER BY x`;
    expect(await rowsOf(text)).toEqual([[3], [4]]);
  });

  it('answers with the first result set, and also runs the other statements', async () => {
    const session = await openScriptSession();
    const text = `CREATE TABLE log (x INTEGER); ${SERIES}SELECT 1 AS first; {{ Series(3) }};
      #+src sql Between() #+begin SELECT 1 #+end
      INSERT INTO log VALUES (1); SELECT 2 AS second;
      #+src sql
      #+begin INSERT INTO log VALUES (2); #+end
      INSERT INTO log VALUES (3);`.replace(SERIES, `\n${SERIES}`);
    const { columns, rows } = await session.run(text);
    expect({ columns, rows }).toEqual({ columns: ['first'], rows: [[1]] });
    expect(await session.query('FROM log')).toEqual([[1], [2], [3]]);
  });

  it('runs a transaction of the script', async () => {
    const session = await openScriptSession();
    const text = `${CHANCE}CREATE TABLE t (id BIGINT, x DOUBLE);
      BEGIN; INSERT INTO t FROM {{ Chance(3) }}; ROLLBACK; BEGIN; INSERT INTO t FROM {{ Chance(2) }}; COMMIT;
      SELECT count(*) FROM t`;
    expect((await session.run(text)).rows).toEqual([[2]]);
    expect(await session.listTemporary()).toEqual([]);
  });

  it('has no columns and rows for a script without a result set', async () => {
    const session = await openScriptSession();
    const nothing = { columns: [], rows: [], tests: null };
    expect(await session.run('CREATE TABLE t (x INTEGER); -- no more')).toEqual(nothing);
    const empty = await session.run('-- no statement');
    expect(empty).toMatchObject(nothing);
    expect(empty.warnings?.map(({ message }) => message)).toEqual([
      'main.sql has no statement, so nothing ran',
    ]);
    const { warnings, ...answer } = await session.run(SERIES);
    expect(answer).toEqual(nothing);
    expect(warnings?.map(({ message }) => message)).toEqual([
      'main.sql has blocks but no statement outside them, so nothing ran: `Series`. Run one with `quern exec-block . Series`',
    ]);
  });

  it('drops the objects for calls, and keeps the other objects of the session', async () => {
    const session = await openScriptSession();
    const text = `${CHANCE}${SERIES}CREATE TEMP TABLE own AS FROM {{ Chance() }} JOIN {{ Series(1) }} ON true; FROM own; {{ Series(1) }}`;
    await session.run(text);
    expect(await session.listTemporary()).toEqual(['own']);
  });
});

describe('macros', () => {
  it('write statements, calls and parts of them', async () => {
    const text = `${SERIES}
      #+macro Make(name, n) #+begin CREATE TABLE {{ name }} AS FROM {{ Series(n) }}; INSERT INTO {{ name }} VALUES (100) #+end
      #+macro Sum(column) #+begin sum({{ column }})::BIGINT -- of all
      #+end
      {{ Make("one", 2) }}; {{ Make("two", 3) }};
      SELECT {{ Sum("x") }} AS total FROM (FROM one UNION ALL FROM two)`;
    expect(await rowsOf(text)).toEqual([[204]]);
  });

  it('have the same rows for equal calls as the surrounding statement', async () => {
    const text = `${CHANCE}#+macro Rows() #+begin {{ Chance(5) }} #+end
      SELECT count(*) FROM {{ Rows() }} a JOIN {{ Chance(5) }} b USING (x)`;
    expect(await rowsOf(text)).toEqual([[5]]);
  });
});

describe('nested blocks', () => {
  it('have the rows of the nested queries', async () => {
    const session = await openScriptSession();
    await fc.assert(
      fc.asyncProperty(scripts, async (graph) => {
        const { rows } = await session.run(printScript(graph));
        const inlined = await session.query(printInlined(graph));
        expect(rows).toEqual(
          inlined.map((row) => row.map((value) => (value === null ? null : Number(value)))),
        );
        expect(await session.listTemporary()).toEqual([]);
      }),
      { numRuns: share(150) },
    );
  });
});
