import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { openScriptSession, type ScriptSession, useKinds } from './script-session.ts';

const CHANCE = { duckdb: 'random()', postgresql: 'random()', mysql: 'rand()', trino: 'random()' };
/** Trino has no temporary tables, and its recursion no UNION. */
const OWN = { duckdb: 'TEMPORARY', postgresql: 'TEMPORARY', mysql: 'TEMPORARY', trino: 'OR REPLACE' };
type Kind = keyof typeof CHANCE;

/** Blocks that read a random value, directly and through each other. */
function printBlocks(kind: Kind): string {
  return `#+src sql A() #+begin SELECT ${CHANCE[kind]} AS r #+end
#+src sql Plus(n=0) #+begin SELECT r + {{ n }} AS r FROM {{ A() }} a #+end
#+src sql Far() #+begin SELECT r FROM {{ Plus() }} p #+end
#+src sql Filter(of) #+begin SELECT r FROM {{ of }} o WHERE r IS NOT NULL #+end
#+src sql Steps() #+begin CREATE ${OWN[kind]} TABLE own AS SELECT r FROM {{ A() }} a; SELECT r FROM own #+end
#+src sql Later() #+begin SELECT 1 AS one; SELECT r FROM {{ A() }} a #+end
#+src sql Both(of) #+begin CREATE ${OWN[kind]} TABLE both_of AS SELECT r FROM {{ of }} o;
  SELECT b.r AS r, o.r AS s FROM both_of b CROSS JOIN {{ of }} o #+end
#+src sql Again() #+begin WITH RECURSIVE w (r) AS (SELECT r FROM {{ A() }} a UNION ALL SELECT r FROM w WHERE 1 = 0) SELECT r FROM w #+end
`;
}

/** How a block or the script reads the block `from`. */
const READERS: readonly ((from: string, at: number, kind: Kind) => string)[] = [
  (from) => `SELECT r FROM ${from} q`,
  (from) => `SELECT DISTINCT r FROM ${from} q ORDER BY r LIMIT 1000`,
  (from) => `SELECT r FROM (SELECT r, row_number() OVER (ORDER BY r) AS k FROM ${from} q) AS w`,
  (from, _at, kind) =>
    `WITH RECURSIVE w (r) AS (SELECT r FROM ${from} q UNION ${kind === 'trino' ? 'ALL ' : ''}SELECT r FROM w WHERE 1 = 0) SELECT r FROM w`,
  (from) => `WITH w AS (SELECT r FROM ${from} q) SELECT w.r FROM w CROSS JOIN {{ A() }} a WHERE w.r = a.r`,
  (from, at, kind) =>
    `CREATE ${OWN[kind]} TABLE work${at} AS SELECT r FROM ${from} q; SELECT r FROM work${at}`,
];

/** For each block, how it reads two others; the last entry is the script. */
type Graph = readonly (readonly [one: number, other: number, reader: number])[];

const graphs: fc.Arbitrary<Graph> = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(READERS.length - 1)), {
  minLength: 2,
  maxLength: 6,
});

/** A script that has one row if the lowest block `A` is computed once. */
function printGraph(graph: Graph, kind: Kind): string {
  const bodies = graph.map(([one, other, reader], at) => {
    const call = (block: number) => (block % (at + 1) === 0 ? '{{ A() }}' : `{{ B${block % (at + 1)}() }}`);
    // Objects that the script itself creates would stay.
    const read = READERS[at === graph.length - 1 ? reader % (READERS.length - 1) : reader]!;
    return read(`(SELECT r FROM ${call(one)} x UNION SELECT r FROM ${call(other)} y)`, at, kind);
  });
  const blocks = bodies.slice(0, -1).map((body, at) => `#+src sql B${at + 1}() #+begin ${body} #+end\n`);
  return `${blocks.join('')}${bodies.at(-1)}`;
}

describe.each(useKinds())(
  'a block that one statement reads in several ways, on $kind',
  ({ kind, isThere }) => {
    const blocks = printBlocks(kind);

    async function expectOne(session: ScriptSession, script: string): Promise<void> {
      const { rows } = await session.run(blocks + script);
      expect(rows.length).toBe(1);
      expect(new Set(rows[0]).size).toBe(1);
      expect(await session.listTemporary()).toEqual([]);
    }

    it.skipIf(!isThere).each([
      ['directly and through another', 'SELECT a.r, p.r AS p FROM {{ A() }} a CROSS JOIN {{ Plus() }} p'],
      ['through another and directly', 'SELECT a.r, p.r AS p FROM {{ Plus() }} p CROSS JOIN {{ A() }} a'],
      ['through two others', 'SELECT p.r, f.r AS f FROM {{ Plus(0) }} p CROSS JOIN {{ Far() }} f'],
      [
        'through two calls of another',
        'SELECT p.r + 1 AS p, q.r AS q FROM {{ Plus(0) }} p CROSS JOIN {{ Plus(1) }} q',
      ],
      ['as an argument', 'SELECT a.r, f.r AS f FROM {{ A() }} a CROSS JOIN {{ Filter(A()) }} f'],
      [
        'as an argument of an argument',
        'SELECT a.r, f.r AS f FROM {{ Plus() }} a CROSS JOIN {{ Filter(Filter(Plus())) }} f',
      ],
      ['through a block with statements', 'SELECT a.r, s.r AS s FROM {{ A() }} a CROSS JOIN {{ Steps() }} s'],
      [
        'through a block with statements first',
        'SELECT a.r, s.r AS s FROM {{ Steps() }} s CROSS JOIN {{ A() }} a',
      ],
      ['as an argument that several statements read', 'SELECT b.r, b.s FROM {{ Both(Far()) }} b'],
      [
        'as an argument of a block with statements, and through another',
        'SELECT b.r, b.s, p.r AS p FROM {{ Both(Far()) }} b CROSS JOIN {{ Plus() }} p',
      ],
      ['through recursion', 'SELECT a.r, w.r AS w FROM {{ Again() }} w CROSS JOIN {{ A() }} a'],
      [
        'in a statement that cannot hold queries',
        'WITH RECURSIVE w (r) AS (SELECT r FROM {{ Far() }} a UNION ALL SELECT r FROM w WHERE 1 = 0) SELECT w.r, p.r AS p, f.r AS f FROM w CROSS JOIN {{ Plus() }} p CROSS JOIN {{ Far() }} f',
      ],
      [
        'in a table that is created',
        'CREATE TABLE made AS SELECT a.r, p.r AS p FROM {{ A() }} a CROSS JOIN {{ Plus() }} p; SELECT * FROM made',
      ],
      [
        'in inserted rows',
        'CREATE TABLE made (a DOUBLE PRECISION, b DOUBLE PRECISION); INSERT INTO made SELECT f.r, p.r FROM {{ Far() }} f CROSS JOIN {{ Plus() }} p; SELECT * FROM made',
      ],
      [
        'in inserted rows and read directly',
        'CREATE TABLE made (a DOUBLE PRECISION, b DOUBLE PRECISION); INSERT INTO made SELECT a.r, p.r FROM {{ Far() }} p CROSS JOIN {{ A() }} a; SELECT * FROM made',
      ],
    ])('is computed once: %s', async (_, script) => {
      await expectOne(await openScriptSession(kind), script);
    });

    it.skipIf(!isThere)('is computed again for the next statement, also within a callee', async () => {
      const session = await openScriptSession(kind);
      const kept = (name: string) =>
        `CREATE TABLE ${name} AS SELECT f.r FROM {{ Far() }} f CROSS JOIN {{ A() }} a`;
      const script = `${kept('one')}; ${kept('two')};
      SELECT one.r = two.r AS s, a.r = l.r AS t FROM one CROSS JOIN two CROSS JOIN {{ A() }} a CROSS JOIN {{ Later() }} l`;
      const { rows } = await session.run(blocks + script);
      expect(rows.flat().map(Boolean)).toEqual([false, false]);
      expect(await session.listTemporary()).toEqual([]);
    });

    const LOG = `#+src sql Log() #+begin SELECT count(*) AS n FROM log #+end
#+src sql Over() #+begin SELECT n FROM {{ Log() }} l #+end
#+src sql Add() #+begin INSERT INTO log VALUES (1); SELECT n FROM {{ Log() }} l #+end
#+src sql Copy() #+begin INSERT INTO log SELECT n FROM {{ Log() }} l; SELECT n FROM {{ Over() }} o #+end
#+src sql AddVoid(): void #+begin INSERT INTO log SELECT n FROM {{ Log() }} l #+end
#+src sql Voids() #+begin {{ AddVoid() }}; SELECT n FROM {{ Over() }} o #+end
CREATE TABLE log (n INTEGER); INSERT INTO log VALUES (1);
`;
    it.skipIf(!isThere).each([
      ['Log Add', [1, 2]],
      ['Add Log', [2, 2]],
      ['Over Add Log', [1, 2, 1]],
      ['Add Over Log', [2, 2, 2]],
      ['Over Copy Log', [1, 2, 1]],
      ['Copy Log Over', [2, 1, 1]],
      ['Log Voids Over', [1, 2, 1]],
      ['Voids Log Over', [2, 2, 2]],
      ['Log Add Copy Over', [1, 2, 3, 1]],
    ])('has the rows of its first use even if callees write in between: %s', async (names, rows) => {
      const session = await openScriptSession(kind);
      const calls = names.split(' ');
      const from = calls.map((name, i) => `{{ ${name}() }} t${i}`).join(' CROSS JOIN ');
      const script = `${LOG}SELECT ${calls.map((_, i) => `t${i}.n AS n${i}`).join(', ')} FROM ${from}`;
      expect((await session.run(script)).rows.flat().map(Number)).toEqual(rows);
      expect(await session.listTemporary()).toEqual([]);
    });

    it.skipIf(!isThere || kind === 'trino')(
      'keeps its rows when a callee creates a temporary table with the name of its table',
      async () => {
        const session = await openScriptSession(kind);
        const hide = 'CREATE TEMPORARY TABLE log AS SELECT 2 AS n';
        const script = `#+src sql Log() #+begin SELECT n FROM log #+end
#+src sql HideVoid(): void #+begin ${hide} #+end
#+src sql Hide() #+begin {{ HideVoid() }}; SELECT n FROM {{ Log() }} l #+end
CREATE TABLE log AS SELECT 1 AS n;
SELECT l.n AS a, h.n AS b FROM {{ Log() }} l CROSS JOIN {{ Hide() }} h`;
        expect((await session.run(script)).rows.flat().map(Number)).toEqual([1, 2]);
      },
    );

    it.skipIf(!isThere)(
      'is computed once for a published table, and for each loop over its rows',
      async () => {
        const session = await openScriptSession(kind);
        const script = `${blocks}#+import "std/publication"
#+src sql Kept() #+meta { :publication { :type "table", :schema "${session.schema}", :name "kept" } }
#+begin SELECT a.r AS a, f.r AS f, #+for row : A() do '{{ row.r }}' #+end AS looped FROM {{ A() }} a CROSS JOIN {{ Far() }} f #+end
{{ publication.Run(blocks=[Kept]) }};
SELECT a - f AS d, ${kind === 'trino' ? 'a = CAST(looped AS DOUBLE)' : 'CAST(a AS CHAR(30)) = looped'} AS looped FROM {{ Kept() }}`;
        const { rows } = await session.run(script);
        expect(rows.flat().map(Number)).toEqual([0, 0]);
        expect(await session.listTemporary()).toEqual([]);
      },
    );

    it.skipIf(!isThere)('is computed once for a published view, or rejected', async () => {
      const session = await openScriptSession(kind);
      const script = `${blocks}#+import "std/publication"
#+src sql Shown() #+meta { :publication { :type "view", :schema "${session.schema}", :name "shown" } }
#+begin SELECT a.r AS a, f.r AS f, p.r AS p FROM {{ A() }} a CROSS JOIN {{ Far() }} f CROSS JOIN {{ Plus(0) }} p #+end
{{ publication.Run(blocks=[Shown]) }};
SELECT a - f AS d, a - p AS e FROM {{ Shown() }}`;
      // A view of MariaDB or Trino would run the block for each reference.
      if (kind === 'mysql' || kind === 'trino')
        await expect(session.run(script)).rejects.toThrow('publish it as a table');
      else expect((await session.run(script)).rows).toEqual([[0, 0]]);
    });

    it.skipIf(!isThere)('is computed once for any graph of blocks', async () => {
      const session = await openScriptSession(kind);
      await fc.assert(
        fc.asyncProperty(graphs, async (graph) => {
          const { rows } = await session.run(blocks + printGraph(graph, kind));
          expect(rows.length).toBe(1);
          expect(await session.listTemporary()).toEqual([]);
        }),
        { numRuns: kind === 'trino' ? 5 : 40, endOnFailure: true },
      );
    });

    it.skipIf(!isThere)('is checked for changing rows only when that matters', async () => {
      const session = await openScriptSession(kind);
      const { relations } = session.connection;
      const asked = vi.spyOn(relations, 'isRepeatable');
      await expectOne(session, 'SELECT a.r, a.r AS s FROM {{ A() }} a');
      const byOne = asked.mock.calls.length;
      await expectOne(session, 'SELECT a.r, p.r AS p FROM {{ A() }} a CROSS JOIN {{ Plus() }} p');
      expect([byOne, asked.mock.calls.length > byOne]).toEqual([
        relations.runsOnce === 'read once' ? 0 : 1,
        true,
      ]);
    });

    it.skipIf(!isThere)('still reports a cycle, with its blocks', async () => {
      const session = await openScriptSession(kind);
      const script = `#+src sql X(n) #+begin #+if n > 0 then SELECT 1 AS one FROM {{ Y(n=n) }} y #+else SELECT 1 AS one #+end #+end
#+src sql Y(n) #+begin SELECT 1 AS one FROM {{ X(n=0) }} x #+end
SELECT x.one FROM {{ X(0) }} x CROSS JOIN {{ X(1) }} y`;
      await expect(session.run(script)).rejects.toThrow(/X.*Y.*X/s);
    });
  },
);
