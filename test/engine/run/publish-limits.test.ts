import { describe, expect, it } from 'vitest';
import { createPublisher, openPublishing } from './publishing-session.ts';
import { openScriptSession } from './script-session.ts';

const IMPORTS = '#+import "std/publication"\n#+import "std/test"\n';

/** The messages of the errors of a script. */
async function findErrors(script: string): Promise<readonly string[]> {
  const session = await openScriptSession();
  const error: unknown = await session.run(`${IMPORTS}${script}`).then(
    () => null,
    (error: unknown) => error,
  );
  const { diagnostics, diagnostic } = (error ?? {}) as {
    diagnostics?: readonly { message: string }[];
    diagnostic?: { message: string };
  };
  return [...(diagnostics ?? []), ...(diagnostic ? [diagnostic] : [])].map(({ message }) => message);
}

const published = (name: string, meta: string, body: string) =>
  `#+src sql ${name}()\n#+meta { :publication { ${meta} } }\n#+begin\n${body}\n#+end\n`;

describe('a publication', () => {
  it.each([
    [
      'that publishes others',
      `${published('A', ':type "table", :name "a"', '{{ publication.Run(blocks=[A]) }}; SELECT 1')}{{ publication.Run(blocks=[A]) }};`,
      'a block that is being published cannot publish others',
    ],
    [
      'within a statement',
      `${published('A', ':type "table", :name "a"', 'SELECT 1 AS n')}SELECT /* all */ {{ publication.Run(blocks=[A]) }}`,
      'this call has no value, so it cannot be within a statement: write it before the statement, with `;` after it',
    ],
    [
      'of a view that reads itself',
      `${published('A', ':type "view", :name "a"', 'SELECT * FROM {{ A() }}')}{{ publication.Run(blocks=[A]) }};`,
      'these publications depend on each other in a cycle: `A` → `A`',
    ],
    [
      'of a void block',
      '#+src sql A(): void\n#+meta { :publication { :type "table", :name "a" } }\n#+begin\nSELECT 1\n#+end\n{{ publication.Run(blocks=[A]) }};',
      'the block `A` cannot be published: it is void, and has no rows',
    ],
    [
      'of a view over a temporary table',
      `${published('A', ':type "view", :name "a"', 'SELECT * FROM t')}CREATE TEMP TABLE t (x int);\n{{ publication.Run(blocks=[A]) }};`,
      'a published view cannot read the temporary object `t`',
    ],
    [
      'with NULL in its primary key',
      `${published('A', ':type "table", :name "a", :primary_key ["id"]', 'SELECT NULL::INT AS id')}{{ publication.Run(blocks=[A]) }};`,
      'The new rows of "a" have no value in the primary key (id).',
    ],
    [
      'that merges rows with one key at its first run',
      `${published('A', ':type "table", :name "a", :incremental "merge", :unique_key ["id"]', 'SELECT 1 AS id FROM range(2)')}{{ publication.Run(blocks=[A]) }};`,
      'The new rows of "a" have the key 1 more than once (id).',
    ],
    [
      'that merges on a missing condition',
      `${published('A', ':type "table", :name "a", :incremental "merge_conditionally", :unique_key ["id"]', 'SELECT 1 AS id')}SELECT 1`,
      '`:incremental "merge_conditionally"` needs `:update_on_changes_in`, the columns that are compared',
    ],
    [
      'with a delimiter that the engine does not support',
      `${published('A', ':type "csv", :path "a.csv", :options { :delimiter "→" }', 'SELECT 1')}{{ publication.Run(blocks=[A]) }};`,
      'the option `:delimiter` must be one ASCII character, not `→`',
    ],
    [
      'in a schema without a name',
      `${published('A', ':type "table", :schema "", :name "a"', 'SELECT 1 AS x')}{{ publication.Run(blocks=[A]) }};`,
      '`:schema` must be a name, not ""',
    ],
    [
      'of a table without a query',
      `${published('A', ':type "table", :name "a"', 'CREATE TEMP TABLE t (x INT)')}{{ publication.Run(blocks=[A]) }};`,
      'the block `A` does not end with a query, so it cannot be published',
    ],
    [
      'of a file without a query',
      `${published('A', ':type "csv", :path "a.csv"', 'CREATE TEMP TABLE t (x INT)')}{{ publication.Run(blocks=[A]) }};`,
      'the block `A` does not end with a query, so it cannot be published',
    ],
  ])('is rejected: one %s', async (_, script, message) => {
    expect(await findErrors(script)).toEqual([message]);
  });

  it('replaces the table even if a temporary table has its name', async () => {
    const session = await openScriptSession();
    const body = 'CREATE TEMP TABLE a AS SELECT 2 AS id; SELECT * FROM a';
    const block = published('A', ':type "table", :name "a", :incremental "append"', body);
    const script = `${IMPORTS}${block}{{ publication.Run(blocks=[A]) }};\n{{ publication.Run(blocks=[A]) }};\nSELECT count(*) FROM main.a`;
    expect((await session.run(script)).rows).toEqual([[2]]);
  });
});

describe('parallel publications', () => {
  const blocks = [
    published('A', ':type "table", :name "a"', 'SELECT range AS id FROM range(1000)'),
    published('B', ':type "table", :name "b"', 'SELECT sum(id) AS s FROM {{ A() }}'),
    published('C', ':type "table", :name "c"', 'SELECT count(*) AS n FROM {{ A() }}'),
    published('D', ':type "view", :name "d"', 'SELECT s + n AS total FROM {{ B() }}, {{ C() }}'),
  ];

  it('run after the publications that they read', async () => {
    const session = await openPublishing();
    for (const parallel of [1, 2, 4]) {
      await session.publish(
        `${IMPORTS}${blocks.join('')}{{ publication.Run(blocks=[D, C, B, A], parallel=${parallel}) }};`,
      );
      expect(await session.rows('SELECT total::INTEGER FROM d')).toEqual([[500_500]]);
    }
  });

  it('can be the first in their schema', async () => {
    const session = await openPublishing();
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    const first = names.map((name) =>
      published(
        name,
        `:type "table", :schema "fresh", :name "${name}"`,
        'SELECT range AS id FROM range(1000)',
      ),
    );
    await session.publish(
      `${IMPORTS}${first.join('')}{{ publication.Run(blocks=[${names.join(', ')}], parallel=6) }};`,
    );
    const counted = names.map((name) => `(SELECT count(*)::INTEGER FROM fresh.${name})`);
    expect(await session.rows(`SELECT ${counted.join(', ')}`)).toEqual([names.map(() => 1000)]);
  });

  it.each([0, 1, 2])('share the available sessions: %i besides the own session', async (most) => {
    const publisher = await createPublisher();
    const session = await publisher.open(most);
    await session.publish(
      `${IMPORTS}${blocks.join('')}{{ publication.Run(blocks=[D, C, B, A], parallel=4) }};`,
    );
    expect(await session.rows('SELECT total::INTEGER FROM d')).toEqual([[500_500]]);
  });

  it('start no new publication after a failure', async () => {
    const session = await openPublishing();
    const broken = blocks.with(0, published('A', ':type "table", :name "a"', 'SELECT nothing'));
    const run = session.publish(
      `${IMPORTS}${broken.join('')}{{ publication.Run(blocks=[A, B, C, D], parallel=2) }};`,
    );
    await expect(run).rejects.toThrow('nothing');
    expect(await session.rows('SELECT count(*)::INTEGER FROM duckdb_tables()')).toEqual([[0]]);
  });
});

describe('a test', () => {
  it('does not run tests, including itself', async () => {
    const session = await openScriptSession();
    const { tests } = await session.run(`${IMPORTS}#+test sql T() #+begin {{ test.Run(tests=[T]) }} #+end`);
    expect(tests!.map(({ message }) => message)).toEqual(['a test cannot publish or run tests']);
  });

  it('leaves no objects for the next test', async () => {
    const session = await openScriptSession();
    const body = 'CREATE TEMP TABLE tmp AS SELECT 1 AS x; SELECT * FROM tmp WHERE false';
    const { tests } = await session.run(
      `#+test sql A() #+begin ${body} #+end\n#+test sql B() #+begin ${body} #+end`,
    );
    expect(tests!.map(({ status }) => status)).toEqual(['PASSED', 'PASSED']);
  });
});

describe('the rows of a callee', () => {
  it.each([
    [
      'before a later callee writes',
      `#+src sql A() #+begin SELECT count(*) AS n FROM t #+end
#+src sql B() #+begin INSERT INTO t VALUES (1); SELECT 1 AS one #+end
CREATE TABLE t (x int);
SELECT n FROM {{ A() }}, {{ B() }}`,
      [[0]],
    ],
    [
      'before a void block of a later callee writes',
      `#+src sql I(): void #+begin INSERT INTO t VALUES (2) #+end
#+src sql A() #+begin {{ I() }}; SELECT count(*) AS n FROM t #+end
#+src sql B() #+begin {{ I() }}; SELECT count(*) AS n FROM t #+end
CREATE TABLE t (x int);
SELECT a.n, b.n FROM {{ A() }} a, {{ B() }} b`,
      [[1, 2]],
    ],
    [
      'before its statement writes',
      `#+src sql A() #+begin SELECT count(*) AS n FROM t #+end
CREATE TABLE t (n int);
INSERT INTO t SELECT n + 7 FROM {{ A() }} UNION ALL SELECT n + 7 FROM {{ A() }};
SELECT n FROM t`,
      [[7], [7]],
    ],
    [
      'is a string if it has no type',
      `#+src sql A() #+begin SELECT NULL AS x #+end
SELECT typeof(x) FROM {{ A() }}`,
      [['VARCHAR']],
    ],
  ])('are unchanged %s', async (_, script, rows) => {
    const session = await openScriptSession();
    expect((await session.run(script)).rows).toEqual(rows);
  });
});
