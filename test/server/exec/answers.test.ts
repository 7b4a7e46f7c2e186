import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { covers } from './rows.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';
import { readFrameLengths } from './zstd-frames.ts';

const TYPES = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  arrow: 'application/vnd.apache.arrow.stream',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** The value of `Accept`, and the media type of the answer. */
const ACCEPTED: readonly (readonly [string, keyof typeof TYPES])[] = [
  ['*/*', 'json'],
  ['application/*', 'json'],
  ['application/json', 'json'],
  ['application/json; charset=utf-8', 'json'],
  ['text/csv', 'csv'],
  ['TEXT/CSV', 'csv'],
  ['text/*', 'csv'],
  ['text/csv; charset=UTF-8', 'csv'],
  ['text/csv;header=present', 'csv'],
  ['text/csv;header=absent', 'csv'],
  ['application/vnd.apache.arrow.stream', 'arrow'],
  ['application/x-ndjson', 'ndjson'],
  ['text/html, text/csv;q=0.5, */*;q=0.1', 'csv'],
  ['application/json;q=0.3, application/vnd.apache.arrow.stream;q=0.7', 'arrow'],
  ['application/json;q=0, */*', 'csv'],
];

/** The complete answer to a request, with its body in bytes. */
async function fetchBytes({ url, token }: ExecWorld, sql: string, headers: Record<string, string>) {
  const { request } = await import('node:http');
  const outgoing = request(`${url}/api/v1/exec/sql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
  });
  outgoing.end(JSON.stringify({ sql, connection: { name: 'duckdb' } }));
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
  outgoing.once('response', resolve).once('error', reject);
  const incoming = await promise;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (incoming.statusCode !== 200) throw new Error(String(bytes));
  return { headers: incoming.headers, bytes };
}

describe('an answer', () => {
  it.each(ACCEPTED)(`${covers('format by Accept')} (%s: %s)`, async (accept, format) => {
    const { sql } = await createExecWorld();
    const { status, headers } = await sql('SELECT 1 AS x', {}, { headers: { accept } });
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: TYPES[format] });
    expect(headers['x-service-execution-started-at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  it(covers('unsupported type'), async () => {
    const { sql } = await createExecWorld();
    const offered = 'application/json, text/csv, application/vnd.apache.arrow.stream, application/x-ndjson';
    for (const accept of ['text/html', 'image/*', 'application/json;q=0']) {
      expectRefusal(
        await sql('SELECT 1', {}, { headers: { accept } }),
        406,
        `Supported media types: ${offered}`,
      );
    }
  });

  it('contains the same rows in every format', async () => {
    const world = await createExecWorld();
    const text = "SELECT 1 AS a, 'ü,\"' AS b, NULL AS a UNION ALL SELECT 2, '', 3 ORDER BY 1";
    const get = async (accept: string) => (await fetchBytes(world, text, { accept })).bytes;
    const json = JSON.parse(String(await get('application/json')));
    expect(json.result).toEqual({
      columns: [
        { name: 'a', type: 'INTEGER' },
        { name: 'b', type: 'STRING' },
        { name: 'a', type: 'INTEGER' },
      ],
      data: [
        [1, 'ü,"', null],
        [2, '', 3],
      ],
    });
    expect(String(await get('text/csv'))).toBe('a,b,a\n1,"ü,""",\n2,"",3\n');
    expect(String(await get('application/x-ndjson'))).toBe(
      '{"a":1,"b":"ü,\\"","a_2":null}\n{"a":2,"b":"","a_2":3}\n',
    );
    const table = tableFromIPC(await get(TYPES.arrow));
    expect(table.schema.fields.map(({ name }) => name)).toEqual(['a', 'b', 'a']);
    expect([...(table.getChildAt(1) ?? [])]).toEqual(['ü,"', '']);
  });

  it(covers('no result set'), async () => {
    const world = await createExecWorld();
    const get = async (sql: string, accept: string) => (await fetchBytes(world, sql, { accept })).bytes;
    for (const [sql, columns] of [
      ['CREATE OR REPLACE TABLE t (x INT); INSERT INTO t VALUES (1)', []],
      ['-- nothing', []],
      ['   ', []],
      ['SELECT 1 AS x WHERE false', ['x']],
    ] as const) {
      const { result, stats } = JSON.parse(String(await get(sql, 'application/json')));
      expect(result).toEqual({ columns: columns.map((name) => ({ name, type: 'INTEGER' })), data: [] });
      expect(stats).toEqual({
        started_at: expect.any(String),
        finished_at: expect.any(String),
        duration_ms: expect.any(Number),
      });
      expect(String(await get(sql, 'text/csv'))).toBe(columns.map((name) => `${name}\n`).join(''));
      expect(String(await get(sql, 'application/x-ndjson'))).toBe('');
      const table = tableFromIPC(await get(sql, TYPES.arrow));
      expect(table.schema.fields.map(({ name }) => name)).toEqual([...columns]);
      expect(table.numRows).toBe(0);
    }
  });

  it(covers('header of the start'), async () => {
    const { sql } = await createExecWorld();
    for (const text of ['SELECT 1', 'SELECT * FROM range(100000)', 'CREATE TABLE u (x INT)']) {
      const { headers, body } = await sql(text);
      const { stats } = body as { stats: { started_at: string; finished_at: string } };
      expect(headers['x-service-execution-started-at']).toBe(stats.started_at);
      expect(stats.started_at <= stats.finished_at).toBe(true);
    }
  });

  it('has numbers as strings on request, where a double would lose digits', async () => {
    const { sql } = await createExecWorld();
    const text = 'SELECT 9007199254740993 AS big, 7 AS small';
    const { text: plain } = await sql(text, {}, { query: '?numbers=number' });
    expect(plain).toContain('[[9007199254740993,7]]');
    expect(rowsOf(await sql(text, {}, { query: '?numbers=string' }))).toEqual([['9007199254740993', 7]]);
    for (const query of ['?numbers=text', '?numbers=']) {
      expectRefusal(await sql(text, {}, { query }), 400, 'Numbers must be number or string');
    }
  });

  it('is compressed if it is long and the client accepts compression', async () => {
    const world = await createExecWorld();
    const text = "SELECT range AS x, 'text' AS t FROM range(200000)";
    const plain = (await fetchBytes(world, text, { accept: 'text/csv' })).bytes;
    const open = { gzip: gunzipSync, zstd: zstdDecompressSync };
    for (const [asked, encoding] of [
      ['gzip', 'gzip'],
      ['zstd', 'zstd'],
      ['gzip;q=0.5, zstd', 'zstd'],
      ['br, gzip, deflate', 'gzip'],
    ] as const) {
      const { headers, bytes } = await fetchBytes(world, text, {
        accept: 'text/csv',
        'accept-encoding': asked,
      });
      expect(headers['content-encoding']).toBe(encoding);
      expect(bytes.length).toBeLessThan(plain.length / 2);
      expect(open[encoding](bytes).equals(plain)).toBe(true);
      if (encoding === 'zstd') expect(readFrameLengths(bytes)).toEqual([bytes.length]);
    }
    for (const asked of ['', 'identity', 'br', 'gzip;q=0', 'deflate']) {
      const { headers, bytes } = await fetchBytes(world, text, {
        accept: 'text/csv',
        'accept-encoding': asked,
      });
      expect(headers['content-encoding']).toBeUndefined();
      expect(bytes.equals(plain)).toBe(true);
    }
    const short = await fetchBytes(world, 'SELECT 1', { 'accept-encoding': 'gzip' });
    expect(short.headers['content-encoding']).toBeUndefined();
    expect(short.headers['content-length']).toBe(String(short.bytes.length));
  });

  it('contains the results of tests, also next to rows', async () => {
    const { put, script } = await createExecWorld();
    await put(
      '@Shared/checks/both',
      '#+import "std/test"\n#+test sql Fine()\n#+begin SELECT 1 WHERE false #+end\n' +
        '{{ test.Run(tests=[Fine]) }};\nSELECT * FROM range(1000000)',
    );
    const { body } = await script('@Shared/checks/both');
    expect(body).toMatchObject({ tests: [{ test_name: 'Fine' }], stats: { tests: 1, passed: 1 } });
  });
});

describe('an error before the first bytes', () => {
  it(covers('early error'), async () => {
    const { sql } = await createExecWorld();
    for (const accept of Object.values(TYPES)) {
      const asking = { headers: { accept, 'accept-encoding': 'gzip' } };
      const refused = await sql('SELECT 1;\nSELECT x FROM nowhere', {}, asking);
      expectRefusal(
        refused,
        422,
        expect.stringMatching(
          /^sql:2:15: error: [\s\S]*nowhere[\s\S]*\n1 \| SELECT 1;\n2 \| SELECT x.*\n +\| +\^/,
        ),
      );
      expect(refused.headers).not.toHaveProperty('x-service-execution-started-at');
      expect(refused.headers).not.toHaveProperty('content-encoding');
      // The error concerns a row that has been read, early enough.
      const late = "SELECT CASE WHEN range = 5 THEN error('too late') ELSE range END FROM range(10)";
      expectRefusal(await sql(late, {}, asking), 422, expect.stringContaining('too late'));
    }
  });

  it('has the message of the database, for statements and for declared blocks', async () => {
    const { sql } = await createExecWorld();
    for (const [text, status] of [
      ['SELEC 1', 422],
      ['SELECT 1/0; SELECT * FROM nope', 422],
      ["INSERT INTO t VALUES ('x')", 422],
      ['SELECT $unset', 422],
      ['SELECT ?', 422],
      ['BEGIN; SELECT oops', 422],
    ] as const) {
      expect((await sql(text)).status).toBe(status);
    }
    // The next execution does not find a transaction that this one left open.
    expect((await sql('SELECT 1')).status).toBe(200);
  });

  it('is an error if the statements end in a transaction that has changed something', async () => {
    const { sql } = await createExecWorld();
    expect((await sql('CREATE TABLE kept (id INTEGER)')).status).toBe(200);
    const open = 'SELECT 1 AS x;\n  BEGIN; INSERT INTO kept VALUES (1); SELECT 2 AS y';
    expectRefusal(
      await sql(open),
      422,
      expect.stringMatching(
        /sql:2:3.*transaction .* is still open at the end, so its changes are rolled back/s,
      ),
    );
    expect((await sql('BEGIN; SELECT 7 AS x')).status).toBe(200);
    expect(rowsOf(await sql('FROM kept'))).toEqual([]);
    expect((await sql('BEGIN; INSERT INTO kept VALUES (1); COMMIT')).status).toBe(200);
    expect(rowsOf(await sql('FROM kept'))).toEqual([[1]]);
  });

  it(covers('deadline'), async () => {
    const { ask, exec, home } = await createExecWorld();
    const { status } = await ask('POST', '/api/v1/manage/connections', {
      body: {
        name: 'brief',
        kind: 'duckdb',
        options: { file: `${home}/files/brief.duckdb` },
        timeout_ms: 200,
      },
    });
    expect(status).toBe(201);
    const text = 'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range * b.range % 7 = 3';
    const late = await exec('sql', { sql: text, connection: { name: 'brief' } });
    expectRefusal(late, 504, expect.stringMatching(/time limit/));
  });

  it(covers('database is down'), async () => {
    const { ask, exec, createUser, home } = await createExecWorld();
    const make = (name: string, kind: string, options: object) =>
      ask('POST', '/api/v1/manage/connections', { body: { name, kind, options } });
    expect(
      (await make('gone', 'postgresql', { host: '127.0.0.1', port: '1', user: 'x', database: 'x' })).status,
    ).toBe(201);
    expect((await make('odd', 'duckdb', { file: `${home}/no/such/folder/x.duckdb` })).status).toBe(201);
    const body = (name: string) => ({ sql: 'SELECT 1', connection: { name } });
    for (const name of ['gone', 'odd']) {
      const answer = await exec('sql', body(name));
      expectRefusal(answer, 502, expect.stringMatching(/./));
    }
    const token = await createUser('user');
    await ask('PUT', '/api/v1/manage/grants', {
      body: { subject: 'user:user', level: 'USE', target: 'connection:odd' },
    });
    const { status, text } = await exec('sql', body('odd'), { token });
    expect(status).toBe(502);
    expect(text).not.toContain(home);
  });
});

describe('other methods', () => {
  it.each(['GET', 'HEAD', 'PUT', 'DELETE'])('are refused: %s', async (method) => {
    const { ask } = await createExecWorld();
    for (const what of ['script', 'block', 'sql']) {
      const { status, headers } = await ask(method, `/api/v1/exec/${what}`);
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST' });
    }
  });
});
