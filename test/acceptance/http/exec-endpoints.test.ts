import { describe, expect, it } from 'vitest';
import { type Client, createClient, expectRefusal } from '../../support/http.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';
import { connection, rowsOf, runBlock, runScript, runSql, storeProject, storeScript } from './executing.ts';
import { covers } from './rows.ts';

const shared = shareServer();

const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
const STATS = { started_at: MOMENT, finished_at: MOMENT, duration_ms: expect.any(Number) };
const MANIFEST = `[general]
name = "acme.io/shop"
version = "1.2.0"
[environment]
default = "here"
[environment.here]
name = "Here"
connection = { name = "duckdb", overrides = { schema = "mart" } }
`;

describe('POST /exec/script', () => {
  it(
    covers('run a script', 'result columns', 'result data', 'execution stats', 'header of the start'),
    async () => {
      const script = await storeScript(
        shared.admin,
        "SELECT 1::INTEGER AS i, 'a' AS s, DATE '2026-03-01' AS d, 1.50::DECIMAL(9,2) AS n",
      );
      const { status, headers, body, text } = await runScript(shared.admin, script);
      expect(status).toBe(200);
      expect(body).toEqual({
        result: {
          columns: [
            { name: 'i', type: 'INTEGER' },
            { name: 's', type: 'STRING' },
            { name: 'd', type: 'DATE' },
            { name: 'n', type: 'DECIMAL' },
          ],
          data: [[1, 'a', '2026-03-01', 1.5]],
        },
        stats: STATS,
      });
      expect(text).toContain('"2026-03-01",1.50]');
      const { stats } = body as { stats: { started_at: string; duration_ms: number } };
      expect(headers['x-service-execution-started-at']).toBe(stats.started_at);
      expect(Number.isInteger(stats.duration_ms)).toBe(true);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      // Leading and trailing slashes of the path are ignored.
      expect(rowsOf(await runScript(shared.admin, `/${script}/`))).toHaveLength(1);
    },
  );

  it(covers('first result set'), async () => {
    const script = await storeScript(
      shared.admin,
      'CREATE TEMP TABLE t AS SELECT 1 AS a; SELECT a FROM t; SELECT 2; INSERT INTO t SELECT 3',
    );
    expect(rowsOf(await runScript(shared.admin, script))).toEqual([[1]]);
  });

  it(covers('script params'), async () => {
    const script = await storeScript(shared.admin, "SELECT '$name', $n, $list");
    const ask = (params: object) => runScript(shared.admin, script, { params });
    expect(rowsOf(await ask({ name: 'Ü', n: 9_007_199_254_740_993n.toString(), list: [1, 2] }))).toEqual([
      ['Ü', Number('9007199254740993'), 1, 2],
    ]);
    expect(rowsOf(await ask({ $name: 'x', $$n: true, list: 3 }))).toEqual([['x', true, 3]]);
    const advice = '`$n` has no value. Set it with --param n=VALUE';
    for (const content of ["SELECT '$name', $n", '{{ $n }}']) {
      const { status, body } = await runScript(shared.admin, await storeScript(shared.admin, content), {});
      expect(status).toBe(422);
      expect((body as { detail: string }).detail).toContain(advice);
    }
  });

  it(
    covers(
      'test suite',
      'test fields',
      'test status',
      'failing test',
      'test stats',
      'failed tests are 200',
      'tests are json',
      'test messages',
    ),
    async () => {
      const script = await storeScript(
        shared.admin,
        '#+import "std/test"\n' +
          '#+test sql Good() #+begin SELECT 1 WHERE false #+end\n' +
          '#+test sql Bad() #+begin FROM range(3) #+end\n' +
          '#+test sql Broken() #+begin FROM nowhere #+end\n' +
          '{{ test.Run(tests=[Good, Bad, Broken], onFailure=test.Continue) }};',
      );
      for (const accept of ['application/json', 'text/csv', 'application/vnd.apache.arrow.stream']) {
        const { status, headers, body } = await runScript(shared.admin, script, {}, { headers: { accept } });
        expect(status).toBe(200);
        expect(headers['content-type']).toBe('application/json; charset=utf-8');
        const of = (test_name: string, state: string, message: unknown) => ({
          package_name: script.replace('/script', ''),
          test_name,
          status: state,
          message,
          ...STATS,
        });
        expect(body).toEqual({
          tests: [
            of('Good', 'PASSED', 'Test passed'),
            of('Bad', 'FAILED', 'Test returned a non-empty recordset (3 rows)'),
            of('Broken', 'FAILED', expect.stringContaining('Table with name nowhere does not exist')),
          ],
          stats: { tests: 3, passed: 1, failed: 2, ...STATS },
        });
      }
    },
  );

  it(covers('default environment', 'no default environment'), async () => {
    const { admin } = shared;
    expect((await runSql(admin, 'CREATE SCHEMA mart; CREATE TABLE mart.t AS SELECT 7 AS x')).status).toBe(
      200,
    );
    await storeProject(admin, '@Shared/shop', { 'project.toml': MANIFEST, read: 'SELECT x FROM t' });
    const ask = (path: string, more: object) =>
      admin.send('POST', '/exec/script', { body: { path, ...more } });
    expect(rowsOf(await ask('@Shared/shop/read', {}))).toEqual([[7]]);
    expect(rowsOf(await ask('@Shared/shop/read', { connection: null }))).toEqual([[7]]);
    // A named connection gets nothing from the environment.
    expect((await ask('@Shared/shop/read', { connection })).status).toBe(422);
    const outside = await storeScript(admin, 'SELECT 1');
    expectRefusal(await ask(outside, {}), 400, 'Connection is required');
    const block = { package: '@Shared/shop', block_name: 'None' };
    expectRefusal(await admin.send('POST', '/exec/block', { body: block }), 404, 'Block not found: None');
  });

  it(covers('exec: right version', 'exec: wrong version', 'exec: version outside the hub'), async () => {
    const { admin, server } = shared;
    const hub = '@Project Hub/shop';
    await storeProject(admin, hub, {
      'project.toml': MANIFEST,
      one: '#+src sql One() #+begin SELECT 1 #+end\nFROM {{ One() }}',
    });
    const outside = await storeScript(admin, '#+src sql One() #+begin SELECT 1 #+end\nFROM {{ One() }}');
    const both = (client: Client, place: string, project_version: unknown) =>
      Promise.all([
        runScript(client, place, { project_version }),
        runBlock(client, place.slice(0, place.lastIndexOf('/')), 'One', { project_version }),
      ]);
    for (const version of ['1.2.0', null, undefined]) {
      for (const answer of await both(admin, `${hub}/one`, version)) expect(rowsOf(answer)).toEqual([[1]]);
    }
    for (const version of ['1.2', '2.0.0', '*', ' 1.2.0', 'x'.repeat(5_000)]) {
      for (const answer of await both(admin, `${hub}/one`, version)) {
        expectRefusal(answer, 404, `Project version not found: ${version}`);
      }
    }
    for (const answer of await both(admin, `${hub}/one`, 1.2)) {
      expectRefusal(answer, 400, 'Project version must be a string');
    }
    for (const answer of await both(admin, outside, '9')) expect(rowsOf(answer)).toEqual([[1]]);
    // A user who cannot see the project learns nothing of its versions.
    await runQuern(server.cwd, 'user create outsider');
    const outsider = createClient(server.url, await createToken(server.cwd, 'outsider'));
    const [script] = await both(outsider, `${hub}/one`, '9');
    expectRefusal(script!, 404, `Path not found: ${hub}/one`);
  });
});

describe('POST /exec/block', () => {
  const published = '\n#+meta { :publication { :type "table", :name "made" } }';
  const LIBRARY = [
    '#+src sql Numbers(n, more=0)\n#+begin FROM range({{ n }}) #+end',
    "#+src sql Kinds(m, l, s, b)\n#+begin SELECT '{{ m.a }}', {{ l[1] }}, '{{ s }}', {{ b }} #+end",
    "#+src sql Param()\n#+begin SELECT '$word' #+end",
    '#+src sql Effect() : void\n#+begin CREATE TABLE effect (x INT) #+end',
    `#+src sql Published()${published}\n#+begin SELECT 5 AS five #+end`,
    '#+macro Macro()\n#+begin 1 #+end',
    '#+const\n  Constant = 1;\n#+end',
    '#+test sql Fails()\n#+begin SELECT 1 #+end',
  ].join('\n');
  const store = async () => (await storeScript(shared.admin, LIBRARY)).replace('/script', '');

  it(covers('run a block', 'block args', 'block params'), async () => {
    const { admin } = shared;
    const library = await store();
    expect(rowsOf(await runBlock(admin, library, 'Numbers', { args: { n: 2 } }))).toEqual([[0], [1]]);
    const args = { m: { a: 'ä' }, l: [10, 20], s: 'x', b: false };
    const [row] = rowsOf(await runBlock(admin, library, 'Kinds', { args })) as unknown[][];
    expect(row).toEqual(['ä', expect.any(Number), 'x', false]);
    const params = { word: 'said' };
    expect(rowsOf(await runBlock(admin, library, 'Param', { params }))).toEqual([['said']]);
  });

  it(covers('missing argument', 'unknown argument', 'unknown block', 'macros and constants'), async () => {
    const { admin } = shared;
    const library = await store();
    expectRefusal(await runBlock(admin, library, 'Numbers'), 400, 'Missing argument: n');
    const odd = { args: { n: 1, odd: 1 } };
    expectRefusal(await runBlock(admin, library, 'Numbers', odd), 400, 'Unknown argument: odd');
    for (const name of ['Nothing', 'numbers', 'Macro', 'Constant', '__proto__', 'ü']) {
      expectRefusal(await runBlock(admin, library, name), 404, `Block not found: ${name}`);
    }
    expectRefusal(await runBlock(admin, '@Shared/no', 'x'), 404, 'Path not found: @Shared/no');
  });

  it(covers('published block', 'void block'), async () => {
    const { admin } = shared;
    const library = await store();
    expect(rowsOf(await runBlock(admin, library, 'Published'))).toEqual([[5]]);
    expect((await runSql(admin, 'FROM made')).status).toBe(422);
    const { body } = await runBlock(admin, library, 'Effect');
    expect(body).toEqual({ result: { columns: [], data: [] }, stats: STATS });
    expect(rowsOf(await runSql(admin, 'FROM effect'))).toEqual([]);
  });

  it(covers('test block'), async () => {
    const { status, body } = await runBlock(shared.admin, await store(), 'Fails');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      tests: [
        { test_name: 'Fails', status: 'FAILED', message: 'Test returned a non-empty recordset (1 row)' },
      ],
      stats: { tests: 1, passed: 0, failed: 1 },
    });
  });
});

describe('POST /exec/sql', () => {
  it(covers('run sql', 'all statements'), async () => {
    const { admin } = shared;
    const answer = await runSql(
      admin,
      'CREATE TABLE made_by_sql AS SELECT 1 AS a; FROM made_by_sql; SELECT 2',
    );
    expect(answer.body).toEqual({
      result: { columns: [{ name: 'a', type: 'INTEGER' }], data: [[1]] },
      stats: STATS,
    });
    const { stats } = answer.body as { stats: { started_at: string } };
    expect(answer.headers['x-service-execution-started-at']).toBe(stats.started_at);
  });

  it(covers('sql params'), async () => {
    const { admin } = shared;
    for (const params of [
      { a: 1, b: 'x' },
      { $a: 1, $b: 'x' },
      { $$a: 1, $b: 'x' },
    ]) {
      expect(rowsOf(await runSql(admin, "SELECT $a, '$b'", { params }))).toEqual([[1, 'x']]);
    }
  });

  it(
    covers('connection overrides', 'overrides on all three', 'override not allowed', 'usual overrides'),
    async () => {
      const { admin } = shared;
      rowsOf(await runSql(admin, 'CREATE SCHEMA other; CREATE TABLE other.here AS SELECT 3 AS x'));
      const text = '#+src sql Here() #+begin FROM here #+end\nFROM {{ Here() }}';
      const script = await storeScript(admin, text);
      const all = (overrides: object) => {
        const more = { connection: { ...connection, overrides } };
        return Promise.all([
          runSql(admin, 'FROM here', more),
          runScript(admin, script, more),
          runBlock(admin, script.replace('/script', ''), 'Here', more),
        ]);
      };
      for (const answer of await all({ schema: 'other', database: 'main_db' })) {
        expect(rowsOf(answer)).toEqual([[3]]);
      }
      for (const key of ['file', 'memory_limit', '__proto__x', 'Schema']) {
        for (const answer of await all({ [key]: 'x' })) {
          expectRefusal(answer, 400, `Override not allowed: ${key}`);
        }
      }
      for (const answer of await all({ schema: 1 }))
        expectRefusal(answer, 400, 'Override schema must be a string');
      await runQuern(
        shared.server.cwd,
        'connection create strict --kind duckdb --set file=:memory: --allow-override schema',
      );
      const strict = { connection: { name: 'strict', overrides: { database: 'memory' } } };
      expectRefusal(await runSql(admin, 'SELECT 1', strict), 400, 'Override not allowed: database');
    },
  );
});
