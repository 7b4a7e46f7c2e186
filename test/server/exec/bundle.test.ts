import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, expectRefusal } from '../../support/http.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';

const connection = { name: 'duckdb' };

const MANIFEST = `[general]
name = "acme.io/shop"
version = "1.0.0"

[environment]
default = "here"
[environment.here]
connection = { name = "duckdb" }
[environment.nowhere]
connection = { name = "nowhere" }
`;

const SHOP = {
  'project.toml': MANIFEST,
  'orders/base.sql': `#+src sql Orders(least = 0)
#+begin
SELECT range AS id, range * 10 AS total FROM range(5) WHERE range * 10 >= {{ least }}
#+end`,
  'orders/tests.sql': `#+test sql NoNegatives()
#+begin SELECT * FROM {{ Orders() }} WHERE total < 0 #+end
#+test sql Fails()
#+begin SELECT * FROM {{ Orders() }} WHERE total > 30 #+end`,
  'report.sql': `#+import "acme.io/shop/orders"
SELECT count(*) AS n, sum(total) AS total FROM {{ orders.Orders(least = 10) }} WHERE id < $most`,
};

function toFiles(files: Readonly<Record<string, string>>) {
  return Object.entries(files).map(([name, content]) => ({ path: name, content }));
}

const send = (
  { exec }: ExecWorld,
  what: string,
  more: object = {},
  files: Record<string, string> = SHOP,
  asking = {},
) => exec('bundle', { what, files: toFiles(files), ...more }, asking);

const dataOf = ({ status, text, body }: Answer): readonly Record<string, unknown>[] => {
  expect(status, text).toBe(200);
  return (body as { data: Record<string, unknown>[] }).data;
};

describe('a bundle', () => {
  it('runs its own script, on the connection of its project', async () => {
    const world = await createExecWorld();
    const more = { path: 'report.sql', params: { most: 4 } };
    expect(rowsOf(await send(world, 'run', more))).toEqual([[3, 60]]);
    const csv = await send(world, 'run', { ...more, connection }, SHOP, { headers: { accept: 'text/csv' } });
    expect(csv.text).toBe('n,total\n3,60\n');
    expect(csv.headers['x-service-execution-started-at']).toMatch(/^\d{4}-/);
    expect(rowsOf(await send(world, 'run', { ...more, environment: 'here' }))).toEqual([[3, 60]]);
    expectRefusal(
      await send(world, 'run', { ...more, environment: 'nowhere' }),
      404,
      'Connection not found: nowhere',
    );
    expectRefusal(
      await send(world, 'run', { ...more, environment: 'her' }),
      422,
      'unknown environment `her`; available: here, nowhere, did you mean `here`?',
    );
    const { 'project.toml': _, ...alone } = SHOP;
    expectRefusal(await send(world, 'run', more, alone), 400, 'Connection is required');
  });

  it('runs its own block, with arguments', async () => {
    const world = await createExecWorld();
    const block = { block: 'Orders', args: { least: 30 } };
    const rows = [
      [3, 30],
      [4, 40],
    ];
    for (const name of ['orders', 'acme.io/shop/orders', './orders']) {
      expect(rowsOf(await send(world, 'run', { ...block, package: name })), name).toEqual(rows);
    }
    const alone = { 'a.sql': '#+src sql One()\n#+begin SELECT 1 #+end' };
    expect(rowsOf(await send(world, 'run', { block: 'One', connection }, alone))).toEqual([[1]]);
    expectRefusal(await send(world, 'run', { ...block, package: 'order' }), 404, 'Path not found: order');
    expectRefusal(
      await send(world, 'run', { ...block, package: '@Shared/orders' }),
      404,
      'Path not found: @Shared/orders',
    );
    expectRefusal(await send(world, 'run', { block: 'No', package: 'orders' }), 404, 'Block not found: No');
    expectRefusal(
      await send(world, 'run', { block: 'Orders', package: 'orders', args: { x: 1 } }),
      400,
      'Unknown argument: x',
    );
    const test = await send(world, 'run', { block: 'Fails', package: 'orders' });
    expect(test.body).toMatchObject({
      tests: [{ test_name: 'Fails', status: 'FAILED' }],
      stats: { failed: 1 },
    });
  });

  it('takes 2.0 as a whole number', async () => {
    const { exec } = await createExecWorld();
    const files = JSON.stringify([
      { path: 'a.sql', content: '#+test sql T() #+begin SELECT 1 WHERE false #+end' },
    ]);
    const body = `{"what":"tests","parallel":2.0,"files":${files},"connection":{"name":"duckdb"}}`;
    const answer = await exec('bundle', body, { headers: { 'content-type': 'application/json' } });
    expect(answer.body).toMatchObject({ stats: { passed: 1 } });
  });

  it('runs its tests, all or some', async () => {
    const world = await createExecWorld();
    const { status, body } = await send(world, 'tests', { parallel: 2 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      tests: [
        { package_name: 'acme.io/shop/orders', test_name: 'NoNegatives', status: 'PASSED' },
        { package_name: 'acme.io/shop/orders', test_name: 'Fails', status: 'FAILED' },
      ],
      stats: { tests: 2, passed: 1, failed: 1 },
    });
    const some = await send(world, 'tests', { include: ['acme.io/shop/orders'], exclude: ['*/Fails'] });
    expect(some.body).toMatchObject({ stats: { tests: 1, passed: 1, failed: 0 } });
    const csv = await send(world, 'tests', {}, SHOP, { headers: { accept: 'text/csv' } });
    expect(csv.headers['content-type']).toBe('application/json; charset=utf-8');
    expect((await send(world, 'tests', { include: ['nothing'] })).status).toBe(422);
    expectRefusal(
      await send(world, 'tests', {}, { 'project.toml': MANIFEST }),
      404,
      'there are no scripts here',
    );
  });

  it('reports every diagnostic as data', async () => {
    const world = await createExecWorld();
    expect(dataOf(await send(world, 'check'))).toEqual([]);
    const faulty = {
      ...SHOP,
      'report.sql': '#+import "acme.io/shop/order"\nSELECT 1',
      'orders/more.sql': 'SELECT *\nFROM {{ Ordres() }}',
      'other/broken.sql': '#+scr sql X()',
    };
    expect(dataOf(await send(world, 'check', {}, faulty))).toEqual([
      {
        severity: 'error',
        code: 'unknown-name',
        message: 'unknown name `Ordres`, did you mean `Orders`?',
        suggestion: 'Orders',
        file: 'orders/more.sql',
        line: 2,
        column: 9,
        end: { line: 2, column: 15 },
        frame: expect.stringContaining('^~~~~~'),
      },
      expect.objectContaining({ code: 'syntax', suggestion: '#+src', file: 'other/broken.sql', line: 1 }),
      expect.objectContaining({
        code: 'import',
        suggestion: 'acme.io/shop/orders',
        file: 'report.sql',
        line: 1,
      }),
    ]);
    const one = dataOf(await send(world, 'check', { path: 'other' }, faulty));
    expect(one.map(({ file }) => file)).toEqual(['other/broken.sql']);
    expect(dataOf(await send(world, 'check', { path: 'other/broken.sql' }, faulty))).toEqual(one);
    const manifest = { ...SHOP, 'project.toml': '[general]\nname = 5' };
    expect(dataOf(await send(world, 'check', {}, manifest))).toEqual([
      expect.objectContaining({ code: 'manifest', file: 'project.toml', line: 2, column: 8 }),
    ]);
    const refused = await send(world, 'check', {}, SHOP, { headers: { accept: 'text/csv' } });
    expectRefusal(refused, 406, 'Supported media types: application/json');
    expectRefusal(await send(world, 'check', { path: 'no' }), 404, 'Path not found: no');
    expectRefusal(await send(world, 'check', {}, {}), 404, 'there are no scripts here');
  });

  it('compiles a script step by step, for the connection that it names', async () => {
    const world = await createExecWorld();
    const steps = dataOf(await send(world, 'compile', { path: 'report.sql', params: { most: 4 } }));
    expect(steps.map(({ kind, relation }) => [kind, relation])).toEqual([
      ['relation', 'quern_1'],
      ['statement', null],
    ]);
    expect(steps[1]!.lines).toContainEqual({
      text: 'SELECT count(*) AS n, sum(total) AS total FROM quern_1 WHERE id < 4',
      file: 'report.sql',
      line: 2,
      block: '',
    });
    const literal = {
      'a.sql': '#+src sql A(x = [1, 2])\n#+begin SELECT {{ x }} #+end\nSELECT * FROM {{ A() }}',
    };
    expect(dataOf(await send(world, 'compile', { path: 'a.sql', connection }, literal))).toHaveLength(2);
    expectRefusal(
      await send(world, 'compile', { path: 'a.sql', connection: { name: 'no' } }, literal),
      404,
      'Connection not found: no',
    );
    const faulty = await send(world, 'compile', { path: 'a.sql' }, { 'a.sql': 'SELECT {{ nothing }}' });
    expectRefusal(faulty, 422, expect.stringMatching(/^a\.sql:1:11: error: unknown name `nothing`/));
    expectRefusal(await send(world, 'compile', { path: 'orders' }), 422, 'Path must be an asset');
    expectRefusal(await send(world, 'compile', { path: 'project.toml' }), 422, 'Not a script: project.toml');
  });

  it('imports by paths of the catalog only items that its sender may view', async () => {
    const world = await createExecWorld();
    const [viewer, outsider] = [await world.createUser('viewer'), await world.createUser('outsider')];
    await world.put(
      '@Shared/team/lib/one',
      '#+import "team/deep"\n#+src sql One()\n#+begin SELECT n FROM {{ deep.N() }} #+end',
    );
    await world.put('@Shared/team/deep/n', '#+src sql N()\n#+begin SELECT 7 AS n #+end');
    await world.put('@Personal/own/p', '#+src sql P()\n#+begin SELECT 8 AS n #+end', viewer);
    await world.ask('POST', '/api/v1/manage/grants/restrict', { body: { target: '@Shared/team' } });
    await world.ask('PUT', '/api/v1/manage/grants', {
      body: { subject: 'user:viewer', level: 'VIEW', target: '@Shared/team' },
    });
    const files = { 'a.sql': '#+import "@Shared/team/lib"\nSELECT * FROM {{ lib.One() }}' };
    const more = { path: 'a.sql', connection };
    expect(rowsOf(await send(world, 'run', more, files, { token: viewer }))).toEqual([[7]]);
    const refused = await send(world, 'run', more, files, { token: outsider });
    const missing = await send(
      world,
      'run',
      more,
      { 'a.sql': files['a.sql'].replace('team', 'taem') },
      { token: viewer },
    );
    expect(refused.status).toBe(422);
    const print = ({ request_id: _id, ...body }: Record<string, unknown>) => JSON.stringify(body);
    expect(print(refused.body as Record<string, unknown>).replaceAll('team', 'taem')).toBe(
      print(missing.body as Record<string, unknown>),
    );
    const own = { 'a.sql': '#+import "@Personal/own"\nSELECT * FROM {{ own.P() }}' };
    expect(rowsOf(await send(world, 'run', more, own, { token: viewer }))).toEqual([[8]]);
    expect((await send(world, 'run', more, own)).status).toBe(422);
    for (const [target, message] of [
      ['@Shared/team/lib/one', '`@Shared/team/lib/one` is a script: import the folder that it is in'],
      ['@Shared/team', 'there are no scripts directly in @Shared/team'],
      ['@Shared/../x', 'there is no folder `@Shared/../x` in the catalog'],
      ['@Sharde/x', 'there is no folder `@Sharde/x` in the current folder'],
    ]) {
      const text = `#+import "${target}" as x\nSELECT 1`;
      const [found] = dataOf(await send(world, 'check', {}, { 'a.sql': text }));
      expect(found).toMatchObject({ code: 'import', message });
    }
  });

  it('accepts a read-only token for a check and a compilation', async () => {
    const world = await createExecWorld();
    const token = await world.createUser('reader', 'ADMIN', { scope: 'read' });
    for (const what of ['run', 'tests']) {
      const refused = await send(world, what, { path: 'report.sql' }, SHOP, { token });
      expectRefusal(refused, 403, "You don't have permission to perform the request");
      expect((await world.exec('bundle', { what }, { token })).status).toBe(403);
    }
    expect(dataOf(await send(world, 'check', {}, SHOP, { token }))).toEqual([]);
    const more = { path: 'report.sql', params: { most: 4 } };
    expect(dataOf(await send(world, 'compile', more, SHOP, { token }))).toHaveLength(2);
    expect((await world.exec('bundle', { what: 'check' }, { token: null })).status).toBe(401);
  });

  it('needs no connection for a check, but the right to a connection that it names', async () => {
    const world = await createExecWorld();
    const token = await world.createUser('ada');
    await world.ask('DELETE', '/api/v1/manage/grants?subject=everyone&target=connection:duckdb');
    expect(dataOf(await send(world, 'check', {}, SHOP, { token }))).toEqual([]);
    const more = { path: 'report.sql', params: { most: 4 } };
    expect(dataOf(await send(world, 'compile', more, SHOP, { token }))).toHaveLength(2);
    const named = await send(world, 'compile', { ...more, connection }, SHOP, { token });
    expectRefusal(named, 403, "You don't have permission to access this connection");
    expect((await send(world, 'run', more, SHOP, { token })).status).toBe(403);
  });

  it('is answered asynchronously on request, and follows the rules of a server', async () => {
    const world = await createExecWorld();
    const headers = { prefer: 'respond-async, wait=30' };
    const more = { path: 'report.sql', params: { most: 4 } };
    expect(rowsOf(await send(world, 'run', more, SHOP, { headers }))).toEqual([[3, 60]]);
    expect(dataOf(await send(world, 'check', {}, SHOP, { headers }))).toEqual([]);
    const later = await send(world, 'run', more, SHOP, { headers: { prefer: 'respond-async' } });
    expect(later.status).toBe(202);
    expect(later.body).toMatchObject({ name: 'bundle:report.sql', connection: 'duckdb' });
    const copied = { 'a.sql': "COPY (SELECT 1) TO 'x.csv'" };
    expect((await send(world, 'run', { path: 'a.sql', connection }, copied)).status).toBe(422);
  });

  it('is refused when its compilation would not end, and others are answered meanwhile', async () => {
    const world = await createExecWorld();
    const list = `[${Array.from({ length: 200 }, (_, i) => i).join(', ')}]`;
    const loops = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `#+for ${name} : ${list} do `).join('');
    const text = `#+src sql A()\n#+begin\nSELECT 1 ${loops}${'#+end '.repeat(6)}\n#+end`;
    const endless = send(world, 'compile', { path: 'a.sql' }, { 'a.sql': text });
    expect((await world.ask('GET', '/api/v1/catalog/list')).status).toBe(200);
    expectRefusal(await endless, 422, expect.stringContaining('this would never end'));
    expect(rowsOf(await world.sql('SELECT 1'))).toEqual([[1]]);
  });

  it('leaves nothing on the disk', async () => {
    const world = await createExecWorld();
    const secret = 'found_nowhere_on_the_disk';
    const files = { 'a.sql': `SELECT '${secret}' AS ${secret}` };
    expect((await send(world, 'run', { path: 'a.sql', connection }, files)).status).toBe(200);
    const list = () =>
      readdirSync(world.home, { recursive: true, encoding: 'utf8' })
        .map((name) => path.join(world.home, name))
        .filter((file) => statSync(file).isFile() && readFileSync(file).includes(secret));
    expect(list()).toEqual([]);
    expect(JSON.stringify(world.log)).not.toContain(secret);
  });
});

describe('the body of a bundle', () => {
  const one = [{ path: 'a.sql', content: 'SELECT 1' }];

  it.each([
    [{}, 'What is required'],
    [{ what: 'walk', files: one }, 'What must be one of run, tests, check, compile, symbols'],
    [{ what: 5 }, 'What must be a string'],
    [{ what: 'check' }, 'Files is required'],
    [{ what: 'check', files: {} }, 'Files must be a list'],
    [{ what: 'check', files: [null] }, 'File must be an object'],
    [{ what: 'check', files: [{ content: '' }] }, 'File path is required'],
    [{ what: 'check', files: [{ path: 'a.sql' }] }, 'File content is required'],
    [{ what: 'check', files: [{ path: 'a.sql', content: 5 }] }, 'File content must be a string'],
    [{ what: 'check', files: [...one, ...one] }, 'Duplicate file path: a.sql'],
    [
      { what: 'check', files: [...one, { path: 'a.sql/b.sql', content: '' }] },
      'File path is also the path of a folder: a.sql',
    ],
    [{ what: 'run', files: one }, 'Path or block is required'],
    [{ what: 'run', files: one, path: 'a.sql', block: 'A' }, 'Path and block must not both be given'],
    [{ what: 'compile', files: one }, 'Path is required'],
    [{ what: 'tests', files: one, include: 'a' }, 'Include must be a list of strings'],
    [{ what: 'tests', files: one, exclude: [1] }, 'Exclude must be a list of strings'],
    [{ what: 'tests', files: one, parallel: 17 }, 'Parallel must be a whole number from 1 to 16'],
    [{ what: 'tests', files: one, parallel: 1.5 }, 'Parallel must be a whole number from 1 to 16'],
    [{ what: 'tests', files: one, fail_fast: 'yes' }, 'Fail fast must be true or false'],
    [{ what: 'check', files: one, fail_fast: {} }, 'Fail fast must be true or false'],
    [{ what: 'run', files: one, path: 'a.sql', include: 'a' }, 'Include must be a list of strings'],
    [{ what: 'compile', files: one, path: 'a.sql', args: [] }, 'Args must be an object'],
    [{ what: 'run', files: one, path: 'a.sql', environment: 1 }, 'Environment must be a string'],
    [{ what: 'run', files: one, path: 'a.sql', connection: {} }, 'Connection name is required'],
    [{ what: 'run', files: one, path: 'a.sql', params: [] }, 'Params must be an object'],
    [
      { what: 'tests', files: one, include: Array(1_001).fill('a') },
      'Include must not have more than 1,000 values',
    ],
    [
      { what: 'check', files: Array.from({ length: 5_001 }, () => 0) },
      'There must not be more than 5000 files',
    ],
  ])('is refused: %j', async (body, detail) => {
    const { exec } = await createExecWorld();
    expectRefusal(await exec('bundle', body), 400, detail);
  });

  it.each([
    '/etc/passwd',
    '../a.sql',
    'a/../../b',
    './a',
    'a//b',
    'a/',
    '',
    'a\\b',
    'a\u0000',
    'a\nb',
    '\ud800',
    'x'.repeat(1_001),
    `${'x/'.repeat(32)}x`,
  ])('has no file %j', async (name) => {
    const { exec } = await createExecWorld();
    const { status, body } = await exec('bundle', { what: 'check', files: [{ path: name, content: '' }] });
    expect(status).toBe(400);
    expect(body).toMatchObject({ detail: expect.stringMatching(/^File path is (not allowed|required)/) });
  });

  it('has content that is a string of limited length', async () => {
    const { exec } = await createExecWorld();
    const broken = await exec('bundle', '{"what":"check","files":[{"path":"a.sql","content":"\\ud800"}]}');
    expectRefusal(broken, 400, 'File content must be well-formed Unicode');
    const long = [{ path: 'a.sql', content: '-'.repeat(15 * 1024 ** 2 + 1) }];
    expectRefusal(
      await exec('bundle', { what: 'check', files: long }),
      400,
      'File exceeds the 15 MB size limit: a.sql',
    );
    const longer = [{ path: 'a.sql', content: '-'.repeat(17 * 1024 ** 2) }];
    expect((await exec('bundle', { what: 'check', files: longer })).status).toBe(413);
  });

  it('cannot refer to files outside the bundle', async () => {
    const world = await createExecWorld();
    await world.put('@Shared/x', 'SELECT 1');
    const file = path.join(world.home, 'secret.key');
    for (const target of [file, '/etc/passwd', '../x', '@Shared/x', '/', '..']) {
      const answer = await send(world, 'run', { path: target, connection });
      expect([404, 422]).toContain(answer.status);
      expect(answer.text).not.toContain('root:');
    }
    for (const target of ['/etc', '../..', world.home, '..']) {
      const found = dataOf(
        await send(world, 'check', {}, { 'a.sql': `#+import "${target}" as x\nSELECT 1` }),
      );
      expect(found).toMatchObject([{ code: 'import' }]);
    }
  });
});
