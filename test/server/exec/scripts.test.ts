import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { covers } from './rows.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';

const connection = { name: 'duckdb' };
const block = (name: string, content: string, head = '') =>
  `#+src sql ${name}${head}\n#+begin\n${content}\n#+end\n`;
const test = (name: string, content: string) => `#+test sql ${name}()\n#+begin ${content} #+end\n`;
const MANIFEST = `[general]
name = "acme.io/shop"
version = "1.2.0"
[environment]
default = "here"
[environment.here]
name = "Here"
connection = { name = "duckdb", overrides = { schema = "mart" } }
`;

describe('/exec/script', () => {
  it('runs in a folder with drafts and foreign files, and names them for an unknown name', async () => {
    const { put, script, exec } = await createExecWorld();
    await put('@Shared/draft', '{{ Nope() }}');
    await put('@Shared/open.sql', '#+src sql Open(');
    await put('@Shared/model.sql', "select * from {{ ref('orders') }}");
    await put('@Shared/lib', block('One', 'SELECT 1 AS one'));
    await put('@Shared/plain', 'SELECT 42 AS n');
    await put('@Shared/caller', 'SELECT * FROM {{ One() }}');
    await put('@Shared/wrong', 'SELECT * FROM {{ Two() }}');
    expect(rowsOf(await script('@Shared/plain'))).toEqual([[42]]);
    expect(rowsOf(await script('@Shared/caller'))).toEqual([[1]]);
    const broken = '`model.sql`, `open.sql`, in';
    const reason = 'have errors and could not be searched';
    expect((await script('@Shared/wrong')).text).toContain(
      `unknown name \`Two\`; ${broken} the same folder, ${reason}`,
    );
    const missing = await exec('block', { package: '@Shared', block_name: 'Two', connection });
    expect([missing.status, missing.text]).toEqual([
      404,
      expect.stringContaining(`has no block \`Two\`; ${broken} its folder, ${reason}`),
    ]);
  });

  it(covers('script: result and stats'), async () => {
    const { put, script } = await createExecWorld();
    await put('@Shared/base/orders', block('Orders', 'SELECT * FROM range({{ n }})', '(n=3)'));
    await put(
      '@Shared/reports/sum',
      '#+import "base"\nSELECT sum(range) AS total FROM {{ base.Orders(n=5) }}',
    );
    const answer = await script('@Shared/reports/sum');
    expect(answer.body).toEqual({
      result: { columns: [{ name: 'total', type: 'INTEGER' }], data: [[10]] },
      stats: {
        started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
        finished_at: expect.stringMatching(/Z$/),
        duration_ms: expect.any(Number),
      },
    });
    expect(rowsOf(await script('/@Shared/reports/sum/'))).toEqual([[10]]);
  });

  it(covers('script: first result set', 'all statements'), async () => {
    const { put, script, sql } = await createExecWorld();
    await put('@Shared/many', 'CREATE TABLE t (x INT); SELECT 1 AS a; INSERT INTO t VALUES (7); SELECT 2;');
    expect(rowsOf(await script('@Shared/many'))).toEqual([[1]]);
    expect(rowsOf(await sql('SELECT x FROM t'))).toEqual([[7]]);
    await put('@Shared/late', 'SELECT 1;\nSELECT * FROM nowhere');
    expectRefusal(await script('@Shared/late'), 422, expect.stringContaining('@Shared/late:2:15: error: '));
  });

  it(covers('script: params'), async () => {
    const { put, script } = await createExecWorld();
    await put('@Shared/params', "SELECT '$a' AS a, [$list] AS list, '$$a'");
    for (const key of ['a', '$a', '$$a']) {
      const params = { [key]: 'x', list: [1, 'NULL', true] };
      expect(rowsOf(await script('@Shared/params', { params: { ...params, list: [1, 2] } }))).toEqual([
        ['x', [1, 2], 'x'],
      ]);
    }
    expectRefusal(await script('@Shared/params'), 422, expect.stringContaining('list'));
  });

  it(covers('folder as path'), async () => {
    const { put, mkdir, script } = await createExecWorld();
    await put('@Shared/shop/one', 'SELECT 1');
    await mkdir('@Shared/project', { folder_type: 'PROJECT' });
    await put('@Shared/project/project.toml', MANIFEST);
    for (const path of [
      '@Shared/nothing',
      '@Nowhere',
      '/',
      '@Shared//x',
      '@Shared/shop/one/x',
      '@Shared/..',
      'shop',
    ]) {
      expectRefusal(await script(path), 404, `Path not found: ${path}`);
    }
    for (const path of ['@Shared', '@Shared/shop', '@Personal']) {
      expectRefusal(await script(path), 422, 'Path must be an asset');
    }
    expectRefusal(
      await script('@Shared/project/project.toml'),
      422,
      'Not a script: @Shared/project/project.toml',
    );
  });

  it(covers('sql: connection not found'), async () => {
    const { put, script } = await createExecWorld();
    await put('@Shared/wrong', '#+import "nowhere"\n{{ oops');
    const nowhere = { connection: { name: 'nowhere' } };
    expectRefusal(await script('@Shared/missing', nowhere), 404, 'Path not found: @Shared/missing');
    expectRefusal(await script('@Shared/wrong', nowhere), 404, 'Connection not found: nowhere');
    expectRefusal(await script('@Shared/wrong', { connection: null }), 400, 'Connection is required');
    const { detail } = (await script('@Shared/wrong')).body as { detail: string };
    expect(detail).toMatch(/^@Shared\/wrong:\d+:\d+: error: .*\n\d \| .*\n +\| +\^/);
  });

  it('reports all errors, with positions and suggestions', async () => {
    const { put, script } = await createExecWorld();
    await put('@Shared/blocks', block('Customers', 'SELECT 1'));
    await put('@Shared/calls', 'SELECT * FROM {{ Custmers() }}');
    expectRefusal(
      await script('@Shared/calls'),
      422,
      expect.stringMatching(
        /^@Shared\/calls:1:18: error: .*did you mean `Customers`.*\n1 \| SELECT \* FROM .*\n.*\^/,
      ),
    );
  });

  it(covers('default environment', 'connection: overrides'), async () => {
    const { mkdir, put, exec, sql } = await createExecWorld();
    expect((await sql('CREATE SCHEMA mart; CREATE TABLE mart.t AS SELECT 7 AS x')).status).toBe(200);
    await mkdir('@Shared/shop', { folder_type: 'PROJECT' });
    await put('@Shared/shop/project.toml', MANIFEST);
    await put('@Shared/shop/jobs/read', 'SELECT x FROM t');
    const path = '@Shared/shop/jobs/read';
    expect(rowsOf(await exec('script', { path }))).toEqual([[7]]);
    expect((await exec('script', { path, connection })).status).toBe(422);
    const overrides = { schema: 'mart' };
    expect(rowsOf(await exec('script', { path, connection: { ...connection, overrides } }))).toEqual([[7]]);
  });

  it('uses the parameters of the project in the catalog, in its default environment', async () => {
    const { mkdir, put, exec } = await createExecWorld();
    await mkdir('@Shared/shop', { folder_type: 'PROJECT' });
    const dev = '[environment.here.parameters]\nregion = "US"\n';
    await put('@Shared/shop/project.toml', `${MANIFEST}\n${dev}[parameters]\ndays = 7\nregion = "EU"\n`);
    await put('@Shared/shop/jobs/read', "SELECT $days AS days, '$region' AS region");
    const read = async (params: object) =>
      rowsOf(await exec('script', { path: '@Shared/shop/jobs/read', connection, params }));
    expect(await read({})).toEqual([[7, 'US']]);
    expect(await read({ region: 'Asia', $$days: 1 })).toEqual([[1, 'Asia']]);
  });

  it(covers('project version'), async () => {
    const { mkdir, put, script } = await createExecWorld();
    await mkdir('@Project Hub/shop', { folder_type: 'PROJECT' });
    await put('@Project Hub/shop/project.toml', MANIFEST);
    await put('@Project Hub/shop/one', 'SELECT 1');
    await put('@Shared/one', 'SELECT 1');
    const run = (path: string, project_version: string) => script(path, { project_version });
    expect(rowsOf(await run('@Project Hub/shop/one', '1.2.0'))).toEqual([[1]]);
    expectRefusal(await run('@Project Hub/shop/one', '2'), 404, 'Project version not found: 2');
    expect(rowsOf(await run('@Shared/one', '2'))).toEqual([[1]]);
  });
});

describe('/exec/block', () => {
  const createBlocks = async (): Promise<ExecWorld> => {
    const world = await createExecWorld();
    const published = '\n#+meta { :publication { :type "table", :name "made" } }';
    await world.put(
      '@Shared/shop/blocks',
      [
        block('Numbers', 'SELECT * FROM range({{ n }})', '(n, unused="x")'),
        block('private', 'SELECT 1 AS p', '()'),
        block('Effect', 'CREATE TABLE effect (x INT)', '() : void'),
        block('Published', 'SELECT 5 AS five', `()${published}`),
        block('Empty', '-- nothing yet', '()'),
        block('Kinds', "SELECT '{{ m.a }}', {{ l[1] }}, '{{ s }}', {{ b }}", '(m, l, s, b)'),
        '#+macro Macro()\n#+begin 1 #+end\n#+const\n  Constant = 1;\n#+end\n',
        test('Fails', 'SELECT 1'),
      ].join(''),
    );
    return world;
  };
  const run = ({ exec }: ExecWorld, name: string, more: object = {}) =>
    exec('block', { package: '@Shared/shop', block_name: name, connection, ...more });

  it(covers('block: args'), async () => {
    const world = await createBlocks();
    expect(rowsOf(await run(world, 'Numbers', { args: { n: 2 } }))).toEqual([[0], [1]]);
    expect(rowsOf(await run(world, 'private'))).toEqual([[1]]);
    const args = { m: { a: 'ä' }, l: [10, 20], s: "it''s", b: true };
    const rows = rowsOf(await run(world, 'Kinds', { args })) as unknown[][];
    expect(rows[0]).toEqual(['ä', expect.any(Number), "it's", true]);
    const path = '@Shared/shop/blocks';
    expect(rowsOf(await run(world, 'private', { package: path }))).toEqual([[1]]);
  });

  it('also finds a package of a project by its import path', async () => {
    const world = await createExecWorld();
    expect((await world.sql('CREATE SCHEMA mart')).status).toBe(200);
    await world.mkdir('@Shared/shop', { folder_type: 'PROJECT' });
    await world.put('@Shared/shop/project.toml', MANIFEST);
    await world.put('@Shared/shop/base/one', block('One', 'SELECT 1', '()'));
    const elsewhere = { package: 'acme.io/shop/base', connection: undefined };
    expect(rowsOf(await run(world, 'One', elsewhere))).toEqual([[1]]);
    const token = await world.createUser('outsider');
    await world.ask('POST', '/api/v1/manage/grants/restrict', { body: { target: '@Shared/shop' } });
    const hidden = await world.exec('block', { ...elsewhere, block_name: 'One' }, { token });
    expectRefusal(hidden, 404, 'Path not found: acme.io/shop/base');
    await world.mkdir('@Shared/again', { folder_type: 'PROJECT' });
    await world.put('@Shared/again/project.toml', MANIFEST);
    expectRefusal(await run(world, 'One', elsewhere), 404, 'Path not found: acme.io/shop/base');
  });

  it(covers('published block', 'void block'), async () => {
    const world = await createBlocks();
    expect(rowsOf(await run(world, 'Published'))).toEqual([[5]]);
    expect((await world.sql('SELECT * FROM made')).status).toBe(422);
    const { body } = await run(world, 'Effect');
    expect(body).toMatchObject({ result: { columns: [], data: [] } });
    expect(rowsOf(await world.sql('SELECT * FROM effect'))).toEqual([]);
  });

  it('refuses an empty block', async () => {
    const { status, body } = await run(await createBlocks(), 'Empty');
    expect(status).toBe(422);
    expect(body).toMatchObject({
      detail: expect.stringMatching(
        /^@Shared\/shop\/blocks:\d+:11: error: the block `Empty` is empty: it has nothing to run\n/,
      ),
    });
  });

  it(covers('block: test'), async () => {
    const world = await createBlocks();
    const { status, body } = await run(world, 'Fails');
    expect(status).toBe(200);
    expect(body).toMatchObject({ tests: [{ test_name: 'Fails', status: 'FAILED' }], stats: { failed: 1 } });
  });

  it(covers('unknown block'), async () => {
    const world = await createBlocks();
    for (const name of ['Nothing', 'Macro', 'Constant', 'toString', 'Shop.Numbers', ' ']) {
      expectRefusal(await run(world, name), 404, `Block not found: ${name}`);
    }
    const elsewhere = (path: string) => run(world, 'Numbers', { package: path });
    for (const path of ['@Shared/nothing', '/etc', '.', 'acme.io/none']) {
      expectRefusal(await elsewhere(path), 404, `Path not found: ${path}`);
    }
    expectRefusal(await elsewhere('@Personal'), 404, 'Block not found: Numbers');
    const nowhere = { connection: { name: 'nowhere' } };
    expectRefusal(await run(world, 'Nothing', nowhere), 404, 'Connection not found: nowhere');
  });
});

describe('tests', () => {
  const TESTS = test('Good', 'SELECT 1 WHERE false') + test('Bad', 'SELECT * FROM range(3)');
  const CASES: readonly (readonly [string, string])[] = [
    ['a script with tests only', TESTS],
    [
      'a call of the runner',
      `#+import "std/test"\n${TESTS}{{ test.Run(tests=[Good, Bad], onFailure=test.Continue) }};`,
    ],
  ];

  it.each(CASES)(
    `${covers('script: tests', 'tests are JSON', 'failed tests are 200')} (%s)`,
    async (_, content) => {
      const { put, script } = await createExecWorld();
      await put('@Shared/checks/all', content);
      for (const accept of [
        'application/json',
        'text/csv',
        'application/vnd.apache.arrow.stream',
        'application/x-ndjson',
      ]) {
        const { status, headers, body } = await script('@Shared/checks/all', {}, { headers: { accept } });
        expect(status).toBe(200);
        expect(headers['content-type']).toBe('application/json; charset=utf-8');
        const time = expect.stringMatching(/^\d{4}-.*Z$/);
        const times = { started_at: time, finished_at: time, duration_ms: expect.any(Number) };
        const of = (test_name: string, result: string, message: string) => ({
          ...{ package_name: '@Shared/checks', test_name, status: result, message },
          ...times,
        });
        expect(body).toEqual({
          tests: [
            of('Good', 'PASSED', 'Test passed'),
            of('Bad', 'FAILED', 'Test returned a non-empty recordset (3 rows)'),
          ],
          stats: { tests: 2, passed: 1, failed: 1, ...times },
        });
        const { stats } = body as { stats: { started_at: string } };
        expect(headers['x-service-execution-started-at']).toBe(stats.started_at);
      }
    },
  );
});
