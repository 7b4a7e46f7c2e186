import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { covers } from './rows.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';

const connection = { name: 'duckdb' };
const sql = 'SELECT 1';
const path = '@Shared/one';

/**
 * Errors of a body, with their messages; each body also has the later errors, so that the order of checks is
 * tested.
 */
const REFUSED = {
  sql: [
    [{}, 'SQL query is required'],
    [{ sql: null, connection }, 'SQL query is required'],
    [{ sql: '' }, 'SQL query is required'],
    [{ sql: 7 }, 'SQL query must be a string'],
    [{ sql: 'SELECT \ud800' }, 'SQL query must be well-formed Unicode'],
    [{ sql }, 'Connection is required'],
    [{ sql, connection: null, params: 3 }, 'Connection is required'],
    [{ sql, connection: 'duckdb' }, 'Connection must be an object'],
    [{ sql, connection: [] }, 'Connection must be an object'],
    [{ sql, connection: {}, params: 3 }, 'Connection name is required'],
    [{ sql, connection: { name: '' } }, 'Connection name is required'],
    [{ sql, connection: { name: null } }, 'Connection name is required'],
    [{ sql, connection: { name: 7 } }, 'Connection name must be a string'],
    [{ sql, connection: { ...connection, overrides: 'x' } }, 'Overrides must be an object'],
    [{ sql, connection: { ...connection, overrides: { schema: 1 } } }, 'Override schema must be a string'],
    [{ sql, connection, params: [] }, 'Params must be an object'],
    [{ sql, connection, params: 'x' }, 'Params must be an object'],
    [{ sql, connection, params: { x: '\udc00' } }, 'Params must be well-formed Unicode'],
    [{ sql: 'SELECT $x', connection, params: { x: { y: 1 } } }, expect.stringContaining('`$x` is a map')],
    [{ sql, connection, params: { 'no name': 1 } }, expect.stringContaining('no name')],
    [{ sql, connection, params: { x: 1, $x: 2 } }, expect.stringContaining('x')],
    [
      { sql, connection: { ...connection, overrides: { file: '/etc/passwd' } } },
      'Override not allowed: file',
    ],
    [{ sql, connection: { ...connection, overrides: { toString: 'x' } } }, 'Override not allowed: toString'],
  ],
  script: [
    [{}, 'Path is required'],
    [{ path: null }, 'Path is required'],
    [{ path: '' }, 'Path is required'],
    [{ path: {} }, 'Path must be a string'],
    [{ path, connection: {} }, 'Connection name is required'],
    [{ path, connection, params: 1 }, 'Params must be an object'],
    [{ path, connection, project_version: 1 }, 'Project version must be a string'],
    [{ path }, 'Connection is required'],
    [{ path, connection: null }, 'Connection is required'],
  ],
  block: [
    [{ block_name: 'One' }, 'Package is required'],
    [{ package: '', block_name: '' }, 'Package is required'],
    [{ package: 5 }, 'Package must be a string'],
    [{ package: '@Shared' }, 'Block name is required'],
    [{ package: '@Shared', block_name: '' }, 'Block name is required'],
    [{ package: '@Shared', block_name: [] }, 'Block name must be a string'],
    [{ package: '@Shared', block_name: 'One', args: [] }, 'Args must be an object'],
    [{ package: '@Shared', block_name: 'One', args: 'x', connection: 7 }, 'Args must be an object'],
    [{ package: '@Shared', block_name: 'One' }, 'Connection is required'],
    [{ package: '@Shared', block_name: 'Two', connection, args: {} }, 'Missing argument: n'],
    [
      { package: '@Shared', block_name: 'Two', connection, args: { n: 1, m: 2, k: 3 } },
      'Unknown argument: m',
    ],
    [{ package: '@Shared', block_name: 'Two', connection, args: { m: 2 } }, 'Missing argument: n'],
  ],
} as const;

async function createScripts(): Promise<ExecWorld> {
  const world = await createExecWorld();
  await world.put(path, sql);
  await world.put(
    '@Shared/two',
    '#+src sql One()\n#+begin SELECT 1 #+end\n#+src sql Two(n)\n#+begin SELECT {{ n }} #+end',
  );
  return world;
}

describe.each(['sql', 'script', 'block'] as const)('the body of /exec/%s', (what) => {
  it(
    covers(
      'sql: sql missing',
      'sql: connection missing',
      'sql: connection name missing',
      'path missing',
      'package missing',
      'block name missing',
      'no default environment',
      'override not allowed',
      'missing argument',
      'unknown argument',
    ),
    async () => {
      const { exec } = await createScripts();
      for (const [body, detail] of REFUSED[what]) expectRefusal(await exec(what, body), 400, detail);
      for (const body of ['[]', '"x"', '7']) {
        expectRefusal(await exec(what, body), 400, 'Body must be a JSON object');
      }
      expectRefusal(await exec(what, '{"sql"'), 400, expect.stringContaining('not valid JSON'));
      expect((await exec(what, undefined)).status).toBe(400);
    },
  );

  it('must be JSON', async () => {
    const { exec } = await createScripts();
    const answer = await exec(what, 'x=1', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(415);
  });

  it('is refused when it is larger than 16 MB', async () => {
    const { exec } = await createScripts();
    const answer = await exec(what, { sql: 'x'.repeat(16 * 1024 * 1024) });
    expectRefusal(answer, 413, 'The body must not be larger than 16777216 bytes');
  });
});

describe('SQL', () => {
  it('is refused when it is larger than the setting, in bytes; a script is not', async () => {
    const { exec, put } = await createExecWorld({ sqlMegabytes: 2 });
    const start = "SELECT 'é' AS e ---";
    const pad = (bytes: number) => start + 'é'.repeat((bytes - Buffer.byteLength(start)) / 2);
    const largest = await exec('sql', { sql: pad(2 * 1024 ** 2), connection });
    expect(rowsOf(largest)).toEqual([['é']]);
    const sql = pad(2 * 1024 ** 2 + 2);
    expectRefusal(await exec('sql', { sql, connection }), 400, 'SQL exceeds the 2 MB size limit');
    await put('@Shared/long', sql);
    expect(rowsOf(await exec('script', { path: '@Shared/long', connection }))).toEqual([['é']]);
  });

  it('is refused when its parameters make it larger than the setting, in bytes; a script is not', async () => {
    const { exec, put } = await createExecWorld({ sqlMegabytes: 1 });
    const [sql, start] = ["SELECT length('$x') AS n, '$x' = '' AS e", "SELECT length('') AS n, '' = '' AS e"];
    const characters = Math.floor((1024 ** 2 - start.length) / 4);
    const largest = 'é'.repeat(characters);
    expect(rowsOf(await exec('sql', { sql, connection, params: { x: largest } }))).toEqual([
      [characters, false],
    ]);
    for (const params of [
      { x: `${largest}é` },
      { $$x: Array.from({ length: 9_000 }, () => 'a'.repeat(60)) },
    ]) {
      expectRefusal(await exec('sql', { sql, connection, params }), 400, 'SQL exceeds the 1 MB size limit');
    }
    await put('@Shared/long', sql);
    const params = { x: `${largest}é` };
    expect(rowsOf(await exec('script', { path: '@Shared/long', connection, params }))).toEqual([
      [characters + 1, false],
    ]);
  });
});

describe('a body', () => {
  it('accepts unknown fields, and null for absent fields', async () => {
    const { exec } = await createScripts();
    const more = { nonsense: [1], params: null, project_version: null };
    const asked = { ...connection, kind: 'x', overrides: null };
    expect(rowsOf(await exec('sql', { sql, connection: asked, ...more }))).toEqual([[1]]);
    expect(rowsOf(await exec('script', { path, connection: asked, ...more }))).toEqual([[1]]);
    const block = { package: '@Shared', block_name: 'One', args: null };
    expect(rowsOf(await exec('block', { ...block, connection: asked, ...more }))).toEqual([[1]]);
    const overrides = { schema: null, database: null };
    expect(rowsOf(await exec('sql', { sql, connection: { ...connection, overrides } }))).toEqual([[1]]);
  });

  it('may be large', async () => {
    const { sql: run } = await createExecWorld({ sqlMegabytes: 15 });
    const text = 'x'.repeat(8_000_000);
    expect(rowsOf(await run(`SELECT length('${text}')`))).toEqual([[8_000_000]]);
  });

  it('may be nested up to the depth that the server can check', async () => {
    const { exec, sql: run } = await createScripts();
    const nest = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`);
    expect(rowsOf(await run('SELECT $x', { params: { x: nest(100) } }))).toEqual([[1]]);
    const tooDeep = 'must not be nested more than 100 levels deep';
    expectRefusal(await run('SELECT $x', { params: { x: nest(101) } }), 400, `Params ${tooDeep}`);
    const block = { package: '@Shared', block_name: 'One' };
    expectRefusal(await exec('block', { ...block, args: { x: nest(1_000) } }), 400, `Args ${tooDeep}`);
    const deep = `{"params":{"x":${'['.repeat(500_000)}${']'.repeat(500_000)}}}`;
    expectRefusal(await exec('sql', deep), 400, 'The body is not valid JSON: it is nested too deeply');
  });

  it('may have values up to the number that the server checks without delaying others', async () => {
    const { exec, sql: run } = await createScripts();
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, i]));
    expect(rowsOf(await run('SELECT $p9999', { params: many(10_000) }))).toEqual([[9_999]]);
    const tooMany = 'must not have more than 10,000 values';
    expectRefusal(await run('SELECT 1', { params: many(10_001) }), 400, `Params ${tooMany}`);
    expectRefusal(await run('SELECT 1', { params: { x: Array(10_000).fill(1) } }), 400, `Params ${tooMany}`);
    const block = { package: '@Shared', block_name: 'One', args: many(10_001) };
    expectRefusal(await exec('block', block), 400, `Args ${tooMany}`);
  });

  it('keeps the digits of integers that a double cannot hold', async () => {
    const { exec, sql: run } = await createScripts();
    const digits = '123456789012345678901234567890';
    const body = `{"sql":"SELECT '$n'","connection":{"name":"duckdb"},"params":{"n":${digits}}}`;
    expect(rowsOf(await exec('sql', body))).toEqual([[digits]]);
    const block = `{"package":"@Shared","block_name":"Two","connection":{"name":"duckdb"},"args":{"n":-${digits}}}`;
    expect((await exec('block', block)).text).toContain(`[[-${digits}]]`);
    expect(rowsOf(await run('SELECT $n', { params: { n: 1.5 } }))).toEqual([[1.5]]);
  });

  // The first is parsed at once, the second is scanned first, the third is parsed in another thread.
  it.each([1_001, 100_000, 15_000_000])('refuses a number of %i digits, with its place', async (count) => {
    const { exec } = await createScripts();
    const digits = '7'.repeat(count);
    const params = `{"sql":"SELECT 1","connection":{"name":"duckdb"},"params":{"n":[1,${digits}]}}`;
    expectRefusal(await exec('sql', params), 400, 'Number has too many digits: params.n[1]');
    const args = `{"package":"@Shared","block_name":"Two","connection":{"name":"duckdb"},"args":{"n":0.${digits}}}`;
    expectRefusal(await exec('block', args), 400, 'Number has too many digits: args.n');
    expectRefusal(await exec('script', digits), 400, 'Number has too many digits: body');
    const bundle = `{"files":{},"command":"check","more":${digits}}`;
    expectRefusal(await exec('bundle', bundle), 400, 'Number has too many digits: more');
  });

  it('keeps the digits and the point of every number', async () => {
    const { exec, put } = await createScripts();
    await put('@Shared/text', "#+src sql Text(n) #+begin SELECT '{{ n }}' #+end");
    const texts = ['12345678901234567.89', '1.0', '-0.10', '[0.50, [2.00]]'];
    const printed = ['12345678901234567.89', '1.0', '-0.10', '0.50, 2.00'];
    for (const [i, n] of texts.entries()) {
      const params = `{"sql":"SELECT '$n'","connection":{"name":"duckdb"},"params":{"n":${n}}}`;
      expect(rowsOf(await exec('sql', params))).toEqual([[printed[i]]]);
      const args = `{"package":"@Shared","block_name":"Text","connection":{"name":"duckdb"},"args":{"n":${n}}}`;
      expect(rowsOf(await exec('block', args))).toEqual([[printed[i]]]);
    }
    const many = `{"sql":"SELECT len([$n])","connection":{"name":"duckdb"},"params":{"n":[${Array(9_999).fill('0.5')}]}}`;
    expect(rowsOf(await exec('sql', many))).toEqual([[9_999]]);
    const looksAlike = '{"kind":"decimal","units":12345678901234567890,"scale":1}';
    const map = `{"package":"@Shared","block_name":"Text","connection":{"name":"duckdb"},"args":{"n":${looksAlike}}}`;
    expect((await exec('block', map)).text).toContain('a map cannot be inserted');
    const params = '{"sql":"SELECT 1","connection":{"name":"duckdb"},"params":1.5}';
    expectRefusal(await exec('sql', params), 400, 'Params must be an object');
  });

  it('has only its own keys, and no inherited properties', async () => {
    const { exec } = await createScripts();
    const body = `{"sql":"SELECT 1 AS polluted","connection":{"name":"duckdb","overrides":{"__proto__":"x"}},"params":{"__proto__":"x"}}`;
    expectRefusal(await exec('sql', body), 400, 'Override not allowed: __proto__');
    const args = `{"package":"@Shared","block_name":"One","connection":{"name":"duckdb"},"args":{"__proto__":{"x":1}}}`;
    expectRefusal(await exec('block', args), 400, 'Unknown argument: __proto__');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});
