import { describe, expect, it } from 'vitest';
import { declare, IMPORT, publishing } from '../publishing-scripts.ts';
import { createPublisher, openPublishing, readError } from '../publishing-session.ts';

describe('a published table', () => {
  it('has only the rows of its block, without earlier rows', async () => {
    const session = await openPublishing();
    await session.publish('CREATE TABLE sales (old TEXT, x INTEGER); INSERT INTO sales VALUES (1, 1)');
    await session.publish(publishing(':type "table", :name "sales"', 'SELECT range AS x FROM range(3)'));
    expect(await session.rows('FROM sales ORDER BY ALL')).toEqual([[0n], [1n], [2n]]);
    await session.publish(publishing(':type "table", :name "sales"', 'SELECT 7 AS y'));
    expect(await session.rows('FROM sales')).toEqual([[7]]);
  });

  it.each([
    ['table', 'view'],
    ['view', 'table'],
  ])('of type %s replaces a %s', async (type, before) => {
    const session = await openPublishing();
    await session.publish(`CREATE ${before} sales AS SELECT 'old' AS x`);
    await session.publish(publishing(`:type "${type}", :name "Sales"`, "SELECT 'new' AS x"));
    expect(await session.rows('FROM sales')).toEqual([['new']]);
    const kinds = await session.rows(
      "SELECT 'table' FROM duckdb_tables() UNION ALL SELECT 'view' FROM duckdb_views() WHERE NOT internal",
    );
    expect(kinds).toEqual([[type]]);
  });

  it('is created in a new schema, or in the current one', async () => {
    const session = await openPublishing();
    const body = 'SELECT current_schema() AS x';
    await session.publish(publishing(':type "table", :schema "mart", :name "sales"', body));
    await session.publish(publishing(':type "view", :schema "views", :name "sales"', body));
    await session.publish(`USE views;\n${publishing(':type "table", :name "bought"', body)}`);
    expect(await session.rows('SELECT * FROM mart.sales, views.bought')).toEqual([['main', 'views']]);
  });

  it.each([
    ['USE', 'USE views'],
    ['USE with a database', 'USE data.views'],
    ['SET schema', "SET schema = 'views'"],
    ['SET search_path', "SET search_path = 'views'"],
    ['an executed USE', "PREPARE other AS SELECT 1; SET schema = 'views'; EXECUTE other"],
    ['PRAGMA', "PRAGMA search_path='views'"],
  ])('is created in the schema that %s has selected since the last publication', async (_name, use) => {
    const session = await openPublishing();
    const body = 'SELECT current_schema() AS x';
    await session.publish(publishing(':type "table", :schema "views", :name "first"', body));
    await session.publish(publishing(':type "table", :name "sales"', body));
    await session.publish(`${use};\n${publishing(':type "table", :name "sales"', body)}`);
    await session.publish(publishing(':type "table", :name "bought"', body));
    const tables = `SELECT schema_name || '.' || table_name FROM duckdb_tables() ORDER BY 1`;
    expect((await session.rows(tables)).flat()).toEqual([
      'main.sales',
      'views.bought',
      'views.first',
      'views.sales',
    ]);
  });

  it('is created in the current schema that another session has dropped in the meantime', async () => {
    const publisher = await createPublisher();
    const [session, other] = [await publisher.open(), await publisher.open()];
    await session.publish(
      `CREATE SCHEMA own; USE own;\n${publishing(':type "table", :name "sales"', 'SELECT 1 AS x')}`,
    );
    await other.rows('DROP SCHEMA own CASCADE');
    await session.publish(publishing(':type "table", :name "sales"', 'SELECT 2 AS x'));
    expect(await other.rows('FROM own.sales')).toEqual([[2]]);
  });

  it('has the name as its author wrote it, or quoted', async () => {
    const session = await openPublishing();
    const names =
      "SELECT '{{ Plain() }}' AS a, '{{ Odd() }}' AS b, p.x + o.x AS c FROM {{ Plain() }} p, {{ Odd() }} o";
    await session.publish(
      `${declare('Plain', ':type "table", :schema "Mart", :name "Sales$1"', 'SELECT 1 AS x')}
${declare('Odd', ':type "view", :schema "my mart", :name "a.b \\"c\\""', 'SELECT 2 AS x')}
${declare('Names', ':type "table", :name "names"', names)}
${IMPORT}{{ publication.Run(blocks=[Names, Odd, Plain]) }};`,
    );
    expect(await session.rows('FROM names')).toEqual([['Mart.Sales$1', '"my mart"."a.b ""c"""', 3]]);
    expect(await session.rows('FROM "my mart"."a.b ""c"""')).toEqual([[2]]);
  });

  it('can have a primary key, on each run', async () => {
    const session = await openPublishing();
    const script = publishing(
      ':type "table", :name "sales", :primary_key ["id", "Line No"]',
      'SELECT range % 2 AS id, range AS "Line No" FROM range(4)',
    );
    await session.publish(script);
    await session.publish(script);
    const keys = "FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY'";
    expect(await session.rows(`SELECT constraint_column_names::TEXT ${keys}`)).toEqual([['[id, Line No]']]);
  });

  it('is unchanged if a value of its primary key occurs twice', async () => {
    const session = await openPublishing();
    const meta = ':type "table", :name "sales", :primary_key ["id"]';
    await session.publish(publishing(meta, 'SELECT 1 AS id'));
    const [, message] = await readError(
      session.publish(publishing(meta, 'SELECT 5 AS id UNION ALL SELECT 5')),
    );
    expect(message).toContain('duplicate key "5"');
    expect(await session.rows('FROM sales')).toEqual([[1]]);
  });

  it('can read its previous rows', async () => {
    const session = await openPublishing();
    await session.publish('CREATE TABLE sales AS SELECT 1 AS x');
    const script = publishing(':type "table", :name "sales"', 'SELECT x * 2 AS x FROM {{ A() }}');
    await session.publish(script);
    await session.publish(script);
    expect(await session.rows('FROM sales')).toEqual([[4]]);
  });

  it('can use statements, void blocks, loops over rows and temporary tables', async () => {
    const session = await openPublishing();
    await session.publish(
      `#+src sql Init(n): void #+begin CREATE TEMP TABLE begun AS SELECT {{ n }} AS n #+end
#+src sql Numbers(n) #+begin CREATE TEMP TABLE own AS FROM range({{ n }}); SELECT range AS x FROM own; #+end
${publishing(
  ':type "table", :name "sales"',
  `{{ Init(40) }};
CREATE TEMP TABLE work AS SELECT n + x AS x FROM begun, {{ Numbers(3) }};
-- The rows.
SELECT * FROM work UNION ALL SELECT #+for r : Numbers(3) separator " + " do {{ r.x }} #+end;`,
)}`,
    );
    expect(await session.rows('FROM sales ORDER BY ALL')).toEqual([[3n], [40n], [41n], [42n]]);
  });

  it('is never missing or incomplete for readers', async () => {
    const publisher = await createPublisher();
    const [writer, reader] = [await publisher.open(), await publisher.open()];
    const script = (n: number) =>
      publishing(
        ':type "table", :name "sales", :primary_key ["x"]',
        `SELECT range AS x FROM range(${n}00000)`,
      );
    await writer.publish(script(1));
    let busy = true;
    const work = (async () => {
      for (const n of [2, 1, 2, 1]) await writer.publish(script(n));
    })().finally(() => {
      busy = false;
    });
    const seen = new Set<unknown>();
    while (busy) seen.add((await reader.rows('SELECT count(*) FROM sales'))[0]![0]);
    await work;
    expect([100_000n, 200_000n]).toEqual(expect.arrayContaining([...seen]));
  });
});

describe('an incremental table', () => {
  const append = ':type "table", :name "sales", :incremental "append"';
  const merge = ':type "table", :name "sales", :incremental "merge", :unique_key ["id"]';
  const conditional =
    ':type "table", :name "sales", :incremental "merge_conditionally", :unique_key ["id"], :update_on_changes_in ["a", "b"]';

  it.each([':incremental "append"', ':incremental true', ':incremental :append'])(
    'adds them by the names of columns with %s',
    async (incremental) => {
      const session = await openPublishing();
      const meta = `:type "table", :name "sales", ${incremental}`;
      await session.publish(publishing(meta, "SELECT 1 AS id, 'one' AS name"));
      await session.publish(publishing(meta, "SELECT 'two' AS Name, 2 AS ID"));
      expect(await session.rows('FROM sales ORDER BY id')).toEqual([
        [1, 'one'],
        [2, 'two'],
      ]);
    },
  );

  it('is replaced with `:incremental false`', async () => {
    const session = await openPublishing();
    const script = publishing(':type "table", :name "sales", :incremental false', 'SELECT 1 AS id');
    await session.publish(script);
    await session.publish(script);
    expect(await session.rows('FROM sales')).toEqual([[1]]);
  });

  it('merges rows: updates known keys, adds new keys and keeps other rows', async () => {
    const session = await openPublishing();
    await session.publish(
      publishing(merge, "SELECT * FROM (VALUES (1, 'a', 9), (2, 'b', 9)) v (id, name, n)"),
    );
    await session.publish(
      publishing(merge, "SELECT * FROM (VALUES ('B', 8, 2), ('c', 8, 3)) v (name, n, ID)"),
    );
    expect(await session.rows('FROM sales ORDER BY id')).toEqual([
      [1, 'a', 9],
      [2, 'B', 8],
      [3, 'c', 8],
    ]);
  });

  it('merges rows that consist only of a key', async () => {
    const session = await openPublishing();
    await session.publish(publishing(merge, 'SELECT 1 AS id'));
    await session.publish(publishing(merge, 'SELECT 1 AS id UNION ALL SELECT 2'));
    expect(await session.rows('FROM sales ORDER BY id')).toEqual([[1], [2]]);
  });

  it.each([
    ['merge_conditionally', conditional],
    ['merge', conditional.replace('merge_conditionally', 'merge')],
  ])('keeps a row if its watched columns are equal: %s', async (_, meta) => {
    const session = await openPublishing();
    const script = (values: string) => publishing(meta, `SELECT * FROM (VALUES ${values}) v (id, a, b, run)`);
    await session.publish(script("(1, 'a', 1, 'first'), (2, 'a', NULL, 'first'), (3, 'a', NULL, 'first')"));
    await session.publish(
      script("(1, 'a', 1, 'second'), (2, 'a', NULL, 'second'), (3, 'a', 3, 'second'), (4, 'a', 4, 'second')"),
    );
    expect(await session.rows('FROM sales ORDER BY id')).toEqual([
      [1, 'a', 1, 'first'],
      [2, 'a', null, 'first'],
      [3, 'a', 3, 'second'],
      [4, 'a', 4, 'second'],
    ]);
  });

  it('finds rows by a key that contains NULL', async () => {
    const session = await openPublishing();
    const meta = ':type "table", :name "sales", :incremental "merge", :unique_key ["id", "line no"]';
    const script = (values: string) =>
      publishing(meta, `SELECT * FROM (VALUES ${values}) v (id, "line no", n)`);
    await session.publish(script('(1, NULL, 0), (NULL::INTEGER, NULL::INTEGER, 0)'));
    await session.publish(script('(1, NULL, 1), (NULL, NULL, 1), (1, 1, 1)'));
    expect(await session.rows('FROM sales ORDER BY ALL')).toEqual([
      [1, 1, 1],
      [1, null, 1],
      [null, null, 1],
    ]);
  });

  it('rejects new rows with the same key, and is unchanged', async () => {
    const session = await openPublishing();
    await session.publish(publishing(merge, 'SELECT 1 AS id, 1 AS n'));
    const twice = publishing(merge, '\nSELECT 7 AS id, 1 AS n\nUNION ALL SELECT 7, 2');
    expect(await readError(session.publish(twice))).toEqual([
      'main.sql:4:1',
      'The new rows of "sales" have the key 7 more than once (id).',
    ]);
    expect(await session.rows('FROM sales')).toEqual([[1, 1]]);
  });

  it.each([
    ['append', append],
    ['merge', merge],
    ['merge_conditionally', conditional],
  ])('is rebuilt on a full refresh with %s', async (_, meta) => {
    const session = await openPublishing();
    const body = (id: number) => `SELECT ${id} AS id, 'a' AS a, 'b' AS b`;
    await session.publish(publishing(meta, body(1)));
    await session.publish(publishing(meta, body(2)));
    expect(await session.rows('SELECT id FROM sales ORDER BY id')).toEqual([[1], [2]]);
    await session.publish(publishing(meta, 'SELECT 3 AS id, 9 AS other', ', fullRefresh=true'));
    expect(await session.rows('FROM sales')).toEqual([[3, 9]]);
  });

  it('keeps its primary key', async () => {
    const session = await openPublishing();
    const meta = `${merge}, :primary_key ["id"]`;
    const script = `${declare('A', meta, 'SELECT range AS id, {{ publication.Incremental() }} AS later FROM range(3)')}
${IMPORT}BEGIN;
{{ publication.Run(blocks=[A]) }}; {{ publication.Run(blocks=[A]) }};
{{ publication.Run(blocks=[A], fullRefresh=true) }}; {{ publication.Run(blocks=[A]) }};
COMMIT;`;
    await session.publish(script);
    await session.publish(script);
    expect(await session.rows('SELECT count(*), bool_and(later) FROM sales')).toEqual([[3n, true]]);
    const [, message] = await readError(
      session.publish(publishing(`${append}, :primary_key ["id"]`, 'SELECT 1 AS id, true AS later')),
    );
    expect(message).toContain('Duplicate key "id: 1"');
  });

  it('has in its body the incremental flag and the name of its target', async () => {
    const session = await openPublishing();
    const script = (options: string) =>
      `#+macro Since() #+begin (SELECT max(x) FROM {{ publication.Target() }}) #+end
${publishing(
  ':type "table", :schema "my mart", :name "sales", :incremental true',
  `SELECT '{{ publication.Target() }}' AS target,
#+if publication.Incremental() then {{ Since() }} + 1 #+else 1 #+end AS x`,
  options,
)}`;
    const rows = () => session.rows('SELECT target, x FROM "my mart".sales ORDER BY x');
    await session.publish('CREATE SCHEMA "my mart"; CREATE VIEW "my mart".sales AS SELECT 5 AS x');
    for (const expected of [1, 2]) {
      await session.publish(script(''));
      expect((await rows()).at(-1)).toEqual(['"my mart".sales', expected]);
    }
    await session.publish(script(', fullRefresh=true'));
    expect(await rows()).toEqual([['"my mart".sales', 1]]);
  });

  it('has no target outside a publication', async () => {
    const session = await openPublishing();
    expect(await readError(session.publish(`${IMPORT}SELECT '{{ publication.Target() }}'`))).toEqual([
      'main.sql:2:12',
      'a target exists only while a block is being published',
    ]);
  });
});

describe('a published view', () => {
  const view = ':type "view", :name "sales"';

  it('contains the blocks that it calls, for later sessions', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    await session.publish(
      `CREATE TABLE raw AS SELECT range AS n FROM range(5);
#+src sql Raw() #+begin SELECT n FROM raw -- all of them
#+end
#+src sql From(n) #+begin WITH own AS (FROM {{ Raw() }}) SELECT * FROM own WHERE n >= {{ n }}; #+end
${publishing(
  view,
  'SELECT * FROM {{ From(3) }} JOIN {{ From(n=2) }} AS other USING (n) WHERE EXISTS (FROM {{ From(1) }}) -- end',
)}`,
    );
    await session.close();
    const next = await publisher.open();
    await next.publish('INSERT INTO raw VALUES (9)');
    expect(await next.rows('FROM sales ORDER BY n')).toEqual([[3n], [4n], [9n]]);
  });

  it('reads other publications by their names', async () => {
    const session = await openPublishing();
    await session.publish(
      `${declare('T', ':type "table", :name "base"', 'SELECT 1 AS x')}
${declare('A', view, 'SELECT * FROM {{ T() }}')}
${IMPORT}{{ publication.Run(blocks=[A, T]) }};
DROP TABLE base;
CREATE TABLE base AS SELECT 2 AS x;`,
    );
    expect(await session.rows('FROM sales')).toEqual([[2]]);
  });

  const REFUSED = (name: string) =>
    `a published view cannot depend on temporary objects, so the block \`${name}\` must be one query, without void blocks and loops over rows`;
  it.each([
    ['a void block', '{{ Init() }};\nSELECT 1 AS x', 'A', 'main.sql:5:1'],
    ['several statements', 'CREATE TEMP TABLE t AS SELECT 1;\nSELECT 1 AS x', 'A', 'main.sql:5:1'],
    ['a loop over rows', 'SELECT #+for r : One() do {{ r.x }} #+end AS x', 'A', 'main.sql:5:1'],
    ['a callee of several statements', 'SELECT *\nFROM {{ Two() }}', 'Two', 'main.sql:8:9'],
  ])('cannot have %s', async (_, body, at, place) => {
    const session = await openPublishing();
    await session.publish("CREATE TABLE sales AS SELECT 'old' AS x");
    const blocks = `#+src sql Init(): void #+begin CREATE TEMP TABLE i AS SELECT 1 #+end
#+src sql One() #+begin SELECT 1 AS x #+end
#+src sql Two() #+begin CREATE TEMP TABLE two AS SELECT 1 AS x; SELECT * FROM two #+end
`;
    expect(await readError(session.publish(`${blocks}\n${publishing(view, body)}`))).toEqual([
      place,
      REFUSED(at),
    ]);
    expect(await session.rows('FROM sales')).toEqual([['old']]);
  });
});
