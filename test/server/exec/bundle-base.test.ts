import { describe, expect, it } from 'vitest';
import { type Answer, expectRefusal } from '../../support/http.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';

const connection = { name: 'duckdb' };

const STORED = {
  '@Shared/shop/project.toml': `[general]
name = "acme.io/shop"
version = "1.0.0"
[environment]
default = "here"
[environment.here]
connection = { name = "duckdb" }
`,
  '@Shared/shop/orders/base': `#+src sql Orders(least = 0)
#+begin SELECT range AS id, range * 10 AS total FROM range(5) WHERE range * 10 >= {{ least }} #+end`,
  '@Shared/shop/orders/checks': `#+test sql NoNegatives()
#+begin SELECT * FROM {{ Orders() }} WHERE total < 0 #+end`,
  '@Shared/shop/report': `#+import "acme.io/shop/orders"
SELECT count(*) AS n FROM {{ orders.Orders() }}`,
  '@Shared/shop/report.notes': 'SELECT 1',
};

async function createShop(): Promise<ExecWorld> {
  const world = await createExecWorld();
  for (const [path, content] of Object.entries(STORED)) await world.put(path, content);
  return world;
}

type Files = Readonly<Record<string, string>>;

const send = (world: ExecWorld, what: string, files: Files, more: object = {}, asking = {}) =>
  world.exec(
    'bundle',
    {
      what,
      base: '@Shared/shop',
      files: Object.entries(files).map(([path, content]) => ({ path, content })),
      ...more,
    },
    asking,
  );

const check = async (world: ExecWorld, files: Files, more: object = {}, asking = {}) => {
  const { status, body, text } = await send(world, 'check', files, more, asking);
  expect(status, text).toBe(200);
  return body as { data: Record<string, unknown>[]; parameters?: Record<string, unknown>[] };
};

const messageOf = ({ body }: Answer) => (body as { detail: string }).detail;

describe('a bundle on top of a folder of the catalog', () => {
  it('runs a changed script as if it were stored', async () => {
    const world = await createShop();
    const changed = {
      report: `#+import "acme.io/shop/orders"\nSELECT sum(total) FROM {{ orders.Orders(least=20) }}`,
    };
    expect(rowsOf(await send(world, 'run', changed, { path: 'report' }))).toEqual([[90]]);
    expect(rowsOf(await world.script('@Shared/shop/report'))).toEqual([[5]]);
    const base = { 'orders/base': '#+src sql Orders()\n#+begin SELECT 7 AS total #+end' };
    expect(rowsOf(await send(world, 'run', base, { path: 'report' }))).toEqual([[1]]);
    expect(rowsOf(await send(world, 'run', {}, { path: 'report' }))).toEqual([[5]]);
  });

  it('takes x.sql for the stored script x, and the other way round', async () => {
    const world = await createShop();
    const sql = 'SELECT 42';
    for (const path of ['report', 'report.sql', './report']) {
      expect(rowsOf(await send(world, 'run', { 'report.sql': sql }, { path })), path).toEqual([[42]]);
    }
    const both = { 'report.sql': sql, report: 'SELECT 43' };
    expect(rowsOf(await send(world, 'run', both, { path: 'report.sql' }))).toEqual([[42]]);
    expect(rowsOf(await send(world, 'run', both, { path: 'report' }))).toEqual([[43]]);
  });

  it('runs blocks and tests of changed packages, by paths from the folder and by names', async () => {
    const world = await createShop();
    const files = {
      'orders/more': '#+src sql More() #+begin SELECT count(*) FROM {{ Orders(least=30) }} #+end',
      'orders/new/deep.sql': '#+test sql Fails() #+begin SELECT 1 #+end',
    };
    for (const name of ['orders', 'acme.io/shop/orders']) {
      const block = await send(world, 'run', files, { block: 'More', package: name });
      expect(rowsOf(block), name).toEqual([[2]]);
    }
    const below = { base: '@Shared/shop/orders', block: 'Orders', package: '.', connection };
    expect(rowsOf(await send(world, 'run', {}, below))).toHaveLength(5);
    const all = await send(world, 'tests', files);
    expect(all.body).toMatchObject({
      tests: [
        { package_name: 'acme.io/shop/orders', test_name: 'NoNegatives', status: 'PASSED' },
        { package_name: 'acme.io/shop/orders/new', test_name: 'Fails', status: 'FAILED' },
      ],
    });
    const include = async (selector: string) => {
      const { body } = await send(world, 'tests', files, { include: [selector] });
      return (body as { tests?: { test_name: string }[] }).tests?.map((test) => test.test_name);
    };
    expect(await include('orders/new')).toEqual(['Fails']);
    expect(await include('orders.NoNegatives')).toEqual(['NoNegatives']);
    expect(await include('orders/new/*')).toEqual(['Fails']);
    expect(await include('acme.io/shop/orders')).toEqual(['NoNegatives']);
    expect(await include('*/No*')).toEqual(['NoNegatives']);
    expectRefusal(
      await send(world, 'tests', files, { include: ['order'] }),
      422,
      'no test matches `order`, did you mean `acme.io/shop/orders`?',
    );
  });

  it('checks a changed script in its package, with the names of the catalog', async () => {
    const world = await createShop();
    const files = { report: '#+import "acme.io/shop/orders"\nSELECT * FROM {{ orders.Ordres() }}' };
    expect((await check(world, files, { path: 'report' })).data).toMatchObject([
      { code: 'unknown-name', file: '@Shared/shop/report', line: 2, column: 25, suggestion: 'Orders' },
    ]);
    const twice = { 'orders/other': '#+src sql Orders() #+begin SELECT 1 #+end' };
    expect((await check(world, twice)).data).toMatchObject([
      { code: 'duplicate-name', file: '@Shared/shop/orders/other', line: 1 },
    ]);
    expect((await check(world, { 'project.toml': 'x' }, { path: 'report' })).data).toMatchObject([
      { code: 'manifest', file: '@Shared/shop/project.toml' },
    ]);
    const steps = await send(
      world,
      'compile',
      { 'orders/base': STORED['@Shared/shop/orders/base'] },
      { path: 'report' },
    );
    expect(steps.body).toMatchObject({
      data: [{ kind: 'relation' }, { lines: [{ file: '@Shared/shop/report', line: 2 }] }],
    });
  });

  it('uses the stored manifest, and a sent one in its place', async () => {
    const world = await createShop();
    const manifest = STORED['@Shared/shop/project.toml'].replace('acme.io/shop', 'acme.io/store');
    const files = { 'project.toml': manifest, report: '#+import "acme.io/store/orders"\nSELECT 1' };
    expect((await check(world, files, { path: 'report' })).data).toEqual([]);
    const { 'project.toml': _, ...stored } = files;
    expect((await check(world, stored, { path: 'report' })).data).toMatchObject([{ code: 'import' }]);
    const inner = {
      'inner/project.toml': '[general]\nname = "inner"\n',
      'inner/a/x': '#+src sql A() #+begin SELECT 1 #+end',
    };
    const deep = { ...inner, 'inner/b/y': '#+import "inner/a"\nSELECT * FROM {{ a.A() }}' };
    expect(rowsOf(await send(world, 'run', deep, { path: 'inner/b/y', connection }))).toEqual([[1]]);
  });

  it('sees only what its user may view', async () => {
    const world = await createShop();
    const asking = { token: await world.createUser('outsider') };
    const files = { report: '#+import "acme.io/shop/orders"\nSELECT * FROM {{ orders.Orders() }}' };
    const run = () => send(world, 'run', files, { path: 'report' }, asking);
    const restrict = (target: string) =>
      world.ask('POST', '/api/v1/manage/grants/restrict', { body: { target } });
    expect(rowsOf(await run())).toHaveLength(5);
    await restrict('@Shared/shop/orders');
    expect(messageOf(await run())).toContain('project `acme.io/shop` has no folder `orders`');
    // A folder that the user may not see is replaced by the sent one.
    const own = { ...files, 'orders/mine': '#+src sql Orders() #+begin SELECT 1 #+end' };
    expect(rowsOf(await send(world, 'run', own, { path: 'report' }, asking))).toEqual([[1]]);
    await restrict('@Shared/shop');
    expectRefusal(await run(), 404, 'Path not found: @Shared/shop');
    await world.put('@Personal/mine', 'SELECT 1', asking.token);
    const personal = { base: '@Personal', path: 'mine', connection };
    expect(rowsOf(await send(world, 'run', {}, personal, asking))).toEqual([[1]]);
    const asset = await send(world, 'check', {}, { base: '@Personal/mine' }, asking);
    expectRefusal(asset, 400, 'Not a folder: @Personal/mine');
  });

  it('refuses paths that cannot be placed', async () => {
    const world = await createShop();
    const refused: readonly (readonly [Files, object, number, string])[] = [
      [{}, { base: '@Shared/shap' }, 404, 'Path not found: @Shared/shap'],
      [{}, { base: 'shop' }, 404, 'Path not found: shop'],
      [{}, { base: '@Shared/shop/report' }, 400, 'Not a folder: @Shared/shop/report'],
      [{ orders: 'SELECT 1' }, {}, 400, 'File path is also the path of a folder: @Shared/shop/orders'],
      [{ 'report/x': 'SELECT 1' }, {}, 400, 'Not a folder: @Shared/shop/report'],
      [{}, { path: 'reprt' }, 404, 'Path not found: @Shared/shop/reprt'],
      [{}, { path: 'report/x' }, 404, 'Path not found: @Shared/shop/report/x'],
      [{}, { path: '../shop/report' }, 404, 'Path not found: @Shared/shop/../shop/report'],
    ];
    for (const [files, more, status, detail] of refused) {
      const answer = await send(world, 'check', files, more);
      expect([answer.status, messageOf(answer)]).toEqual([status, detail]);
    }
    expectRefusal(await send(world, 'run', {}, { path: 'orders' }), 422, 'Path must be an asset');
    expectRefusal(await send(world, 'run', {}, { path: 'project.toml' }), 422, 'Not a script: project.toml');
    expectRefusal(await send(world, 'run', {}, { path: 'report', base: 7 }), 400, 'Base must be a string');
  });
});

describe('the parameters of a checked script', () => {
  const list = async (world: ExecWorld, text: string) => {
    const { parameters } = await check(world, { x: text }, { path: 'x' });
    return parameters?.map(({ name, type, is_required: isRequired }) => [name, type, isRequired]);
  };

  it('have the values of the project, without which a run would fail', async () => {
    const world = await createShop();
    const files = {
      'project.toml': `${STORED['@Shared/shop/project.toml']}
[parameters]
least = 0.5
most = [1, 2]
origin = "LAX"
`,
      x: "-- $origin = ORD\nSELECT '$origin', $least, $most, $other",
    };
    const { parameters } = await check(world, files, { path: 'x' });
    expect(
      parameters?.map(({ name, default: value, is_required: isRequired }) => [name, value, isRequired]),
    ).toEqual([
      ['origin', 'LAX', false],
      ['least', '0.5', false],
      ['most', null, false],
      ['other', null, true],
    ]);
  });

  it('have the position of their first use, and the texts of comments', async () => {
    const world = await createShop();
    const text = `-- The longest flights.
-- $origin = ORD: The airport to start from.
--   $$least: At least this distance: in miles.
-- $most = 10
SELECT * FROM flights WHERE origin = '$origin' AND distance >= $least LIMIT $most -- $not_here
`;
    const { parameters } = await check(world, { x: text }, { path: 'x' });
    expect(parameters).toEqual([
      {
        name: 'origin',
        type: 'string',
        default: 'ORD',
        values: null,
        is_required: false,
        doc: 'The airport to start from.',
        line: 5,
        column: 39,
      },
      {
        name: 'least',
        type: 'number',
        default: null,
        values: null,
        is_required: true,
        doc: 'At least this distance: in miles.',
        line: 5,
        column: 64,
      },
      {
        name: 'most',
        type: 'number',
        default: 10,
        values: null,
        is_required: true,
        doc: null,
        line: 5,
        column: 77,
      },
    ]);
    const given = await check(world, { x: text }, { path: 'x', params: { least: 1, most: 2, origin: 'A' } });
    expect(given.parameters).toEqual(parameters);
  });

  it('are found in directives, expressions, metadata and imports', async () => {
    const world = await createShop();
    const text = `#+import "acme.io/shop/$folder" as own
#+src sql A(x = $start)
#+meta { :doc "About $topic.", :publication { :type "table", :name "t", :schema "$schema" } }
#+begin
SELECT 1 #+if $strict then , 2 #+elseif not $flag or $other == "x" then , 3 #+end
#+for c : $list separator "$between" do {{ c }} #+end
#+end
#+const a = $n + 1; b = -$m; c = $k > $l; #+end
`;
    expect(await list(world, text)).toEqual([
      ['folder', 'string', true],
      ['start', null, true],
      ['topic', 'string', false],
      ['schema', 'string', false],
      ['strict', 'boolean', true],
      ['flag', 'boolean', true],
      ['other', 'string', true],
      ['list', null, true],
      ['between', 'string', false],
      ['n', 'number', true],
      ['m', 'number', true],
      ['k', 'number', true],
      ['l', 'number', true],
    ]);
  });

  it('are not in comments, dollar quotes, patterns and JSON paths', async () => {
    const world = await createShop();
    const text = `/* $a */ SELECT $$ $b $$, $tag$ $c $tag$, '^\\d+$', '$.items[*] ? (@.price > $min)', '\\$d' -- $e`;
    expect(await list(world, text)).toEqual([]);
    expect(await list(world, 'SELECT $$a + $$b, "$c", {{ "$e" }}, $$d')).toEqual([
      ['a', null, true],
      ['b', 'number', true],
      ['c', 'string', false],
      ['e', 'string', false],
      ['d', null, true],
    ]);
  });

  it('are those of the valid parts of a script with errors', async () => {
    const world = await createShop();
    expect(await list(world, "SELECT '$a';\n#+const x = ; #+end\nSELECT $b")).toEqual([
      ['a', 'string', false],
      ['b', null, true],
    ]);
  });

  it('are listed only for one script', async () => {
    const world = await createShop();
    expect(await check(world, { x: "SELECT '$a'" })).not.toHaveProperty('parameters');
    const alone = { files: [{ path: 'x.sql', content: "SELECT '$a'" }], what: 'check', path: 'x.sql' };
    const { body } = await world.exec('bundle', alone);
    expect(body).toMatchObject({ data: [], parameters: [{ name: 'a' }] });
  });
});

describe('the symbols of a script', () => {
  it('are the names of its package and of its imports, with documentation and positions', async () => {
    const world = await createShop();
    const files = {
      report: `#+import "acme.io/shop/orders" as o
#+import "std/time"
-- Counts
-- all orders.
#+macro Count(what, of="*") #+begin count({{ of }}) #+end
SELECT {{ Cou`,
      'orders/more': `#+src sql More(a, b = [1, 2]): void
#+meta { :doc "Does more." }
#+begin SELECT 1 #+end
#+const hidden = 1; Shown = 2; #+end`,
    };
    const { status, body } = await send(world, 'symbols', files, { path: 'report' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ connection: 'duckdb' });
    const { data, imports, packages } = body as {
      data: Record<string, unknown>[];
      imports: unknown;
      packages: string[];
    };
    expect(data.filter(({ import: name }) => name !== 'time')).toEqual([
      {
        kind: 'macro',
        name: 'Count',
        params: [
          { name: 'what', default: null },
          { name: 'of', default: '"*"' },
        ],
        returns: null,
        doc: 'Counts\nall orders.',
        import: null,
        file: '@Shared/shop/report',
        line: 5,
        column: 9,
      },
      {
        kind: 'block',
        name: 'Orders',
        params: [{ name: 'least', default: '0' }],
        returns: null,
        doc: null,
        import: 'o',
        file: '@Shared/shop/orders/base',
        line: 1,
        column: 11,
      },
      expect.objectContaining({ kind: 'test', name: 'NoNegatives', import: 'o' }),
      expect.objectContaining({ kind: 'block', name: 'More', returns: 'void', doc: 'Does more.' }),
      expect.objectContaining({ kind: 'constant', name: 'Shown', params: [] }),
    ]);
    expect(data).toContainEqual(
      expect.objectContaining({
        kind: 'function',
        name: 'Format',
        import: 'time',
        params: [
          { name: 't', default: null },
          { name: 'pattern', default: null },
        ],
        file: null,
      }),
    );
    expect(imports).toEqual([
      { name: 'o', path: 'acme.io/shop/orders' },
      { name: 'time', path: 'std/time' },
    ]);
    expect(packages).toEqual(
      expect.arrayContaining(['acme.io/shop', 'acme.io/shop/orders', 'std/time', 'std/publication']),
    );
  });

  it('need a script', async () => {
    const world = await createShop();
    expectRefusal(await send(world, 'symbols', {}), 400, 'Path is required');
    expectRefusal(await send(world, 'symbols', {}, { path: 'orders' }), 422, 'Path must be an asset');
    const alone = { x: 'SELECT 1' };
    const { body } = await send(world, 'symbols', alone, { base: '@Personal', path: 'x' });
    expect(body).toMatchObject({ data: [], imports: [], connection: null });
  });
});

describe('hostile files on top of a folder', () => {
  it('are placed and checked in linear time', async () => {
    const world = await createShop();
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`deep/x${i}.sql`, 'SELECT 1']));
    expect((await check(world, many, { path: 'deep/x7.sql' })).data).toEqual([]);
    const texts = [
      `SELECT ${'$a,'.repeat(300_000)}1`,
      `SELECT ${"'$a',".repeat(200_000)}1`,
      '\r'.repeat(2_000_000),
      `-- $a = ${': '.repeat(1_000_000)}`,
      `${'--\n'.repeat(500_000)}#+src sql A() #+begin SELECT 1 #+end`,
      `SELECT ${'$$a '.repeat(200_000)}`,
    ];
    for (const text of texts) {
      const { parameters } = await check(world, { x: text }, { path: 'x' });
      expect(parameters?.length).toBeLessThan(2);
      expect((await send(world, 'symbols', { x: text }, { path: 'x' })).status).toBe(200);
    }
  });
});
