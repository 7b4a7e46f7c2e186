import { describe, expect, it, vi } from 'vitest';
import { DatabaseError } from '../../../src/engine/connection/contract/connection.ts';
import { abortOnceBusy } from '../../support/waiting.ts';
import { declare, IMPORT, publishing } from './publishing-scripts.ts';
import { createPublisher, openPublishing, readError } from './publishing-session.ts';

const ENDLESS =
  'SELECT count(*) AS x FROM range(10000000000) a, range(10000000000) b WHERE a.range + b.range = 7';

describe('publications', () => {
  it('run after the publications that they read, across packages, blocks and macros', async () => {
    const session = await openPublishing();
    const table = (name: string) => `:type "table", :name "${name}"`;
    await session.publish(
      `${IMPORT}#+import "mart"\n#+import "base"\n
${declare('Last', table('last'), 'SELECT x + 1 AS x FROM {{ mart.Fact() }}')}
{{ publication.Run(packages=[mart, base], blocks=[Last]) }};`,
      {
        packages: {
          mart: {
            'a.sql': `#+import "base"\n${declare('Fact', table('fact'), 'SELECT x + 1 AS x FROM {{ hidden() }}')}
#+src sql hidden() #+begin SELECT * FROM {{ lookup("x") }} #+end
#+macro lookup(column) #+begin (SELECT {{ column }} FROM {{ base.Dim() }}) #+end`,
            'b.sql':
              '#+src sql Unpublished() #+begin SELECT nope #+end\n#+test sql T() #+begin SELECT 1 #+end',
          },
          base: {
            'a.sql': declare('Dim', ':type "view", :name "dim"', 'SELECT x + 1 AS x FROM {{ Zero() }}'),
            'b.sql': declare('Zero', table('zero'), 'SELECT 0 AS x'),
          },
        },
      },
    );
    expect(await session.rows('SELECT zero.x, dim.x, fact.x, last.x FROM zero, dim, fact, last')).toEqual([
      [0, 1, 2, 3],
    ]);
  });

  it('depend on what a block reads that they call with other arguments, and not on its table', async () => {
    const session = await openPublishing();
    const table = (name: string) => `:type "table", :name "${name}"`;
    const sales = `#+src sql Sales(region="all") #+meta { :publication { ${table('sales')} } } #+begin
SELECT x FROM {{ Raw() }}, {{ Europe() }} WHERE '{{ region }}' = 'all' #+end`;
    await session.publish(`${IMPORT}
${declare('Raw', table('raw'), 'SELECT 1 AS x')}
${declare('Europe', table('europe'), 'SELECT count(*) AS n FROM {{ Other(region="EU") }}')}
#+src sql Other(region="all") #+meta { :publication { ${table('other')} } } #+begin
SELECT x FROM {{ Raw() }} WHERE '{{ region }}' = 'EU' #+end
${sales}
{{ publication.Run(blocks=[Sales, Europe, Raw]) }};`);
    expect(await session.rows('SELECT n, x FROM europe, sales')).toEqual([[1n, 1]]);
  });

  it('run once, even if they are named several times', async () => {
    const session = await openPublishing();
    await session.publish(
      `${declare('A', ':type "table", :name "sales", :incremental true', 'SELECT 1 AS x')}
${IMPORT}#+import "main" as own\n{{ publication.Run(packages=[own, own], blocks=[A, A]) }};`,
    );
    expect(await session.rows('FROM sales')).toEqual([[1]]);
  });

  it('cannot depend on each other in a cycle, which is printed', async () => {
    const session = await openPublishing();
    const script = `${declare('A', ':type "table", :name "a"', 'SELECT * FROM {{ m() }}')}
#+macro m() #+begin (FROM {{ hidden() }}) #+end
#+src sql hidden() #+begin SELECT * FROM {{ B() }} #+end
${declare('B', ':type "table", :name "b"', 'SELECT * FROM {{ C() }}')}
${declare('C', ':type "view", :name "c"', 'SELECT * FROM {{ A() }}')}
${IMPORT}
{{ publication.Run(blocks=[A, B, C]) }};`;
    expect(await readError(session.publish(script))).toEqual([
      'main.sql:20:4',
      'these publications depend on each other in a cycle: `A` → `B` → `C` → `A`',
    ]);
    expect(await session.rows('SELECT count(*) FROM duckdb_tables()')).toEqual([[0n]]);
  });

  it('can form a chain that is too deep for recursion', async () => {
    const session = await openPublishing();
    const blocks = Array.from({ length: 5000 }, (_, i) =>
      declare(`B${i}`, `:type "view", :name "v${i}"`, `SELECT * FROM {{ B${(i + 1) % 5000}() }}`),
    );
    const all = Array.from({ length: 5000 }, (_, i) => `B${i}`).join(', ');
    const whole = `${blocks.join('\n')}\n${IMPORT}{{ publication.Run(blocks=[${all}]) }};`;
    expect((await readError(session.publish(whole)))[1]).toMatch(
      /^these publications depend on each other in a cycle: `B0` → `B1` → /,
    );
  });

  it('need values for all their parameters, before anything is published', async () => {
    const session = await openPublishing();
    const script = `${declare('A', ':type "table", :name "a"', 'SELECT 1 AS x')}${declare('B(n, m)', ':type "table", :name "b"', 'SELECT {{ n }}')}${IMPORT}{{ publication.Run(blocks=[A, B]) }};`;
    expect(await readError(session.publish(script))).toEqual([
      'main.sql:5:13',
      'the block `B` cannot be published: its argument `n` has no default',
    ]);
    expect(await session.rows('SELECT count(*) FROM duckdb_tables()')).toEqual([[0n]]);
  });

  it.each([
    [
      'one table',
      ':type "table", :name "a"',
      ':type "table", :schema "main", :name "A"',
      '',
      ':name',
      'published as `a`, which is the same object in the database as `A`',
    ],
    [
      'one table, as one with rows added',
      ':type "table", :name "a"',
      ':type "table", :name "a", :incremental true',
      ', parallel=2',
      ':name',
    ],
    [
      'one table, with rows added, after a full refresh',
      ':type "table", :name "a", :incremental true',
      ':type "table", :name "a", :incremental true',
      ', fullRefresh=true',
      ':name',
    ],
    [
      'one history',
      ':type "table", :name "a", :incremental "history", :unique_key ["x"]',
      ':type "table", :name "a", :incremental "history", :unique_key ["x"]',
      '',
      ':name',
    ],
    [
      'one file',
      ':type "csv", :path "a.csv"',
      ':type "csv", :path "x/../a.csv", :options { :overwrite true }',
      '',
      ':path',
      'published as `a.csv`, which is the same file as `x/../a.csv`',
    ],
  ])(
    'are rejected before anything is published: %s',
    async (_what, one, other, options, key, says = 'also published as `a`') => {
      const publisher = await createPublisher();
      const session = await publisher.open();
      const script = `${declare('A', one, 'SELECT 1 AS x')}${declare('B', other, 'SELECT 2 AS x')}${IMPORT}{{ publication.Run(blocks=[A, B]${options}) }};`;
      const [place, message] = await readError(session.publish(script));
      expect(place).toMatch(/^main\.sql:5:/);
      expect(message).toMatch(
        new RegExp(
          `^the block \`A\` \\(main\\.sql:1\\) is ${says}: give one of them a different \`${key}\`$`,
        ),
      );
      expect(await session.rows('SELECT count(*) FROM duckdb_tables()')).toEqual([[0n]]);
      expect(publisher.list()).toEqual([]);
    },
  );

  it('can add rows to the same table', async () => {
    const session = await openPublishing();
    const log = ':type "table", :name "log"';
    const script = `${declare('A', log, 'SELECT 1 AS x')}${declare('B', `${log}, :incremental true`, 'SELECT 2 AS x')}${IMPORT}{{ publication.Run(blocks=[A, B]) }};`;
    await session.publish(script);
    expect(await session.rows('FROM log ORDER BY x')).toEqual([[1], [2]]);
  });

  it('are not started by a function of SQL', async () => {
    const session = await openPublishing();
    const sales = declare('Sales', ':type "table", :name "sales"', 'SELECT 1 AS x');
    expect(await readError(session.publish(`${sales}${IMPORT}SELECT publication.Run(Sales)`))).toEqual([
      expect.stringMatching(/^main\.sql:\d+:8$/),
      '`publication.Run` is not a function of SQL, and has no rows: write `{{ publication.Run(…) }};` as a separate statement',
    ]);
  });

  it('are reported as missing by calls of their blocks', async () => {
    const session = await openPublishing();
    const missing = declare('Sales', ':type "table", :schema "mart", :name "sales"', 'SELECT 1 AS x');
    const message =
      'the block `Sales` is published as `mart.sales`, which does not exist: publish it first, with `publication.Run`';
    const read = `${missing}SELECT x\nFROM {{ Sales() }}`;
    expect(await readError(session.publish(read))).toEqual(['main.sql:6:6', message]);
    const nested = `${missing}#+src sql A() #+begin SELECT x, random() FROM {{ Sales() }} #+end\nFROM {{ A() }}`;
    expect(await readError(session.publish(nested))).toEqual(['main.sql:5:47', message]);
    const loop = `${missing}SELECT 1 #+for row : Sales() do + {{ row.x }} #+end`;
    expect(await readError(session.publish(loop))).toEqual(['main.sql:5:22', message]);
    const reader = `${missing}${declare('Reader', ':type "view", :name "reader"', 'FROM {{ Sales() }}')}${IMPORT}{{ publication.Run(blocks=[Reader]) }};`;
    expect(await readError(session.publish(reader))).toEqual(['main.sql:7:6', message]);
    const other = `${missing}CREATE SCHEMA mart; CREATE TABLE mart.sales AS SELECT 1 AS y; SELECT x FROM {{ Sales() }}`;
    expect((await readError(session.publish(other)))[1]).toContain('Referenced column "x" not found');
  });

  it('use the defaults of their parameters', async () => {
    const session = await openPublishing();
    const block = declare('A(n=2, m=n + 1)', ':type "table", :name "a"', 'SELECT {{ n }} AS n, {{ m }} AS m');
    await session.publish(`${block}${IMPORT}{{ publication.Run(blocks=[A]) }};`);
    expect(await session.rows('FROM a')).toEqual([[2, 3]]);
  });

  it('are rejected for blocks without `:publication`', async () => {
    const session = await openPublishing();
    const script = `#+src sql A() #+begin SELECT 1 #+end\n${IMPORT}{{ publication.Run(blocks=[A]) }};`;
    expect(await readError(session.publish(script))).toEqual([
      'main.sql:3:4',
      'the block `A` has no `:publication`',
    ]);
  });

  it('need a block with a statement', async () => {
    const session = await openPublishing();
    expect(await readError(session.publish(publishing(':type "table", :name "a"', '-- later')))).toEqual([
      'main.sql:1:37',
      'the block `A` has no statement, so it cannot be published',
    ]);
  });

  it('evaluate their metadata once in a run', async () => {
    const session = await openPublishing();
    await session.publish(
      `${IMPORT}#+import "std/time"
#+const
  schema = "mart_" + "$year";
  stamp = time.Format(time.NowUTC(), "ssSSS");
#+end
${declare('A', ':type "table", :schema schema, :name "a_" + time.Format(time.NowUTC(), "ssSSS")', 'SELECT 1 AS x')}
${declare('B', ':type "table", :schema schema, :name "b_" + stamp', "SELECT '{{ A() }}' AS a, count(*) AS n FROM {{ A() }}")}
#+src sql Busy() #+begin SELECT count(*) FROM range(30000000) t WHERE hash(t.range) = 0 #+end
{{ publication.Run(blocks=[A, B]) }};
{{ Busy() }};
CREATE TABLE names AS SELECT a = '{{ A() }}' AS same, n FROM {{ B() }};`,
      { params: { year: 2024 } },
    );
    expect(await session.rows('FROM names')).toEqual([[true, 1n]]);
    expect(
      await session.rows("SELECT count(*) FROM duckdb_tables() WHERE schema_name = 'mart_2024'"),
    ).toEqual([[2n]]);
  });
});

describe('a publication that fails', () => {
  const table = ':type "table", :name "sales"';
  const OLD = "CREATE TABLE sales AS SELECT 1 AS id, 'old' AS x";

  it.each([
    ['table', table],
    ['view', ':type "view", :name "sales"'],
    ['append', `${table}, :incremental true`],
    ['merge', `${table}, :incremental "merge", :unique_key ["id"]`],
    ['csv', ':type "csv", :path "sales.csv"'],
  ])('reports the line in the script and keeps the old rows (%s)', async (_, meta) => {
    const session = await openPublishing();
    await session.publish(OLD);
    const script = publishing(meta, "SELECT 2 AS id, -- the id\n  upper('x') || nope AS x");
    const [at, message] = await readError(session.publish(script));
    expect([at, message]).toEqual(['main.sql:4:17', expect.stringContaining('"nope"')]);
    expect(await session.rows('FROM sales')).toEqual([[1, 'old']]);
  });

  it.each([
    ['table', table],
    ['append', `${table}, :incremental true`],
    ['merge', `${table}, :incremental "merge", :unique_key ["id"]`],
  ])('keeps the old rows if it fails after many rows (%s)', async (_, meta) => {
    const session = await openPublishing();
    await session.publish(OLD);
    const body =
      "SELECT range AS id, CASE WHEN range = 900000 THEN error('boom') ELSE 'x' END AS x\nFROM range(1000000)";
    const [at, message] = await readError(session.publish(publishing(meta, body)));
    expect([at, message]).toEqual(['main.sql:3:1', expect.stringContaining('boom')]);
    expect(await session.rows('FROM sales')).toEqual([[1, 'old']]);
  });

  it('reports the position in the statement, the block and the file', async () => {
    const session = await openPublishing();
    const script = {
      'main.sql': publishing(table, 'SELECT *\nFROM {{ Callee() }}'),
      'other.sql': '#+src sql Callee()\n#+begin\nSELECT 1;\nSELECT\n  nope\n#+end',
    };
    expect((await readError(session.publish(script)))[0]).toBe('other.sql:5:3');
  });

  it('keeps earlier publications and a usable session', async () => {
    const session = await openPublishing();
    const script = `${declare('A', ':type "table", :name "a"', 'SELECT 1 AS x')}${declare('B', ':type "table", :name "b"', 'SELECT nope FROM {{ A() }}')}${IMPORT}{{ publication.Run(blocks=[A, B]) }};`;
    expect((await readError(session.publish(script)))[0]).toBe('main.sql:7:8');
    await session.publish(script.replace('nope', 'x'));
    expect(await session.rows('FROM b')).toEqual([[1]]);
  });
});

describe('a transaction of the script', () => {
  const scripts = `${declare('A', ':type "table", :schema "mart", :name "a", :primary_key ["x"]', 'SELECT 2 AS x')}
${declare('B', ':type "view", :name "b"', "SELECT 'new' AS x")}
${declare('C', ':type "table", :name "c", :incremental "merge", :unique_key ["id"]', "SELECT 1 AS id, 'new' AS x")}
${IMPORT}CREATE TABLE b AS SELECT 'old' AS x;
CREATE TABLE c AS SELECT 1 AS id, 'old' AS x;
BEGIN;
{{ publication.Run(blocks=[A, B, C]) }};
`;

  it('publishes no rows if it is rolled back', async () => {
    const session = await openPublishing();
    await session.publish(`${scripts}ROLLBACK;`);
    expect(await session.rows('SELECT b.x, c.x FROM b, c')).toEqual([['old', 'old']]);
    expect(await session.rows("SELECT * FROM duckdb_schemas() WHERE schema_name = 'mart'")).toEqual([]);
  });

  it('is an error if it is never ended, and publishes no rows', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    const [, message] = await readError(session.publish(scripts));
    expect(message).toContain('still open at the end');
    await session.close();
    const next = await publisher.open();
    expect(await next.rows('SELECT b.x, c.x FROM b, c')).toEqual([['old', 'old']]);
  });

  it('publishes all rows if it is committed', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    await session.publish(`${scripts}COMMIT;`);
    const reader = await publisher.open();
    expect(await reader.rows('SELECT a.x, b.x, c.x FROM mart.a, b, c')).toEqual([[2, 'new', 'new']]);
  });
});

describe('two executions', () => {
  it('leave one complete table if they publish it at the same time', async () => {
    const publisher = await createPublisher();
    const sessions = await Promise.all([1, 2, 3, 4].map(() => publisher.open()));
    const table = ':type "table", :name "Sales", :primary_key ["id"]';
    await Promise.all(
      sessions.map((session, n) =>
        session.publish(
          publishing(
            n % 2 === 0 ? table : table.toLowerCase(),
            `SELECT range AS id, ${n} AS n FROM range(200000)`,
          ),
        ),
      ),
    );
    const [session] = sessions;
    expect(await session!.rows('SELECT count(*), count(DISTINCT n) FROM sales')).toEqual([[200_000n, 1n]]);
  });

  it.each([
    ['append', ':incremental "append"'],
    ['merge', ':incremental "merge", :unique_key ["id"]'],
  ])('keep the rows of both if they add rows at the same time (%s)', async (_, incremental) => {
    const publisher = await createPublisher();
    const sessions = await Promise.all([0, 1, 2, 3].map(() => publisher.open()));
    const meta = `:type "table", :name "sales", ${incremental}`;
    await Promise.all(
      sessions.map((session, n) =>
        session.publish(
          publishing(meta, `SELECT range * 10 + ${n} AS id, ${n} AS n FROM range(50000) ORDER BY hash(id)`),
        ),
      ),
    );
    expect(await sessions[0]!.rows('SELECT n, count(*) FROM sales GROUP BY n ORDER BY n')).toEqual(
      [0, 1, 2, 3].map((n) => [n, 50_000n]),
    );
  });

  it('do not block each other if one fails', async () => {
    const publisher = await createPublisher();
    const [one, other] = [await publisher.open(), await publisher.open()];
    const meta = ':type "table", :name "sales"';
    const [failed] = await Promise.all([
      readError(one.publish(publishing(meta, "SELECT error('boom') AS x"))),
      other.publish(publishing(meta, 'SELECT 2 AS x')),
    ]);
    expect(failed[1]).toContain('boom');
    expect(await one.rows('FROM sales')).toEqual([[2]]);
  });
});

describe('a publication that is cancelled', () => {
  it('leaves an existing file even if its rows have been written', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    const publishFile = (n: number, signal?: AbortSignal) =>
      session.publish(
        publishing(':type "csv", :path "sales.csv", :options { :overwrite true }', `SELECT ${n} AS x`),
        signal && { signal },
      );
    await publishFile(1);
    const stop = new AbortController();
    const { publishing: target } = session.connection;
    const write = target.writeFile.bind(target);
    vi.spyOn(target, 'writeFile').mockImplementationOnce(async (...args) => {
      await write(...args);
      stop.abort();
    });
    await expect(publishFile(2, stop.signal)).rejects.toThrow();
    expect([publisher.list(), publisher.read('sales.csv')]).toEqual([['sales.csv'], '1\n']);
  });

  it.each([
    ['table', ':type "table", :name "sales"'],
    ['append', ':type "table", :name "sales", :incremental true'],
    ['merge', ':type "table", :name "sales", :incremental "merge", :unique_key ["x"]'],
    ['csv', ':type "csv", :path "sales.csv"'],
  ])('leaves the target unchanged (%s)', async (_, meta) => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    await session.publish('CREATE TABLE sales AS SELECT 1::BIGINT AS x');
    const outcome = session.publish(publishing(meta, ENDLESS), { signal: abortOnceBusy(200) }).then(
      () => null,
      (error: unknown) => error,
    );
    const error = (await outcome) as Error;
    const cause = error instanceof DatabaseError ? error : error.cause;
    expect(cause).toMatchObject({ code: 'cancelled' });
    expect(publisher.list()).toEqual([]);
    const next = await publisher.open();
    expect(await next.rows('FROM sales')).toEqual([[1n]]);
    await next.publish(publishing(':type "table", :name "sales"', 'SELECT 2 AS x'));
    expect(await next.rows('FROM sales')).toEqual([[2]]);
  });
});
