import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { listErrorCodes } from '../../support/http.ts';
import { hasNginx, type Nginx, startNginx } from '../../support/proxies/nginx.ts';
import { makeAdminHome, shareServer } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';
import { ENDLESS, listExecutions } from '../http/executing.ts';

/** Seconds of a query without early rows: more than nginx's default timeout of 60 s. */
const LONG_S = 65;
const MB = 1024 * 1024;

const postgresql = inject('postgresql');

describe.skipIf(!hasNginx)('behind nginx as documented', () => {
  const shared = shareServer('--trust-proxy', '127.0.0.1', '--base-url', 'https://quern.example.org');
  let nginx: Nginx;
  /** The answer of the long query, which runs during all other tests. */
  let long: Promise<IncomingMessage> | undefined;

  beforeAll(async () => {
    nginx = await startNginx(shared.server.cwd, shared.server.url);
    if (postgresql === null) return;
    const { password, ...options } = postgresql;
    const body = { name: 'pg', kind: 'postgresql', options, secrets: { password } };
    expect((await shared.admin.send('POST', '/manage/connections', { body })).status).toBe(201);
    long = runThrough(`SELECT 42 AS x FROM pg_sleep(${LONG_S})`, 'pg').then(({ incoming }) => incoming);
  });

  afterAll(() => nginx?.stop());

  /** Sends a request through nginx; returns the answer when its head has arrived. */
  async function send(method: string, target: string, body?: unknown, more: RequestOptions = {}) {
    const headers = {
      authorization: `Bearer ${shared.token}`,
      'content-type': 'application/json',
      ...more.headers,
    };
    const options = { agent: false, rejectUnauthorized: false, ...more, method, headers };
    const outgoing = request(`${nginx.url}/api/v1${target}`, options);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { outgoing, incoming, status: incoming.statusCode };
  }

  /** Waits until the given number of queries run on DuckDB. */
  const untilRunning = (count: number) =>
    eventually(async () => {
      const listed = await listExecutions(shared.admin);
      expect(listed.filter(({ connection }) => connection === 'duckdb')).toHaveLength(count);
    });

  const runThrough = (sql: string, connection = 'duckdb', headers = {}) =>
    send('POST', '/exec/sql', { sql, connection: { name: connection } }, { headers });

  it('forwards the first rows of a running query, and ends the query when the client disconnects', async () => {
    const { incoming, outgoing } = await runThrough(ENDLESS, 'duckdb', { accept: 'text/csv' });
    const [first] = (await once(incoming, 'data')) as [Buffer];
    expect(first.toString('latin1')).toMatch(/^x\n0\n1\n/);
    await untilRunning(1);
    outgoing.destroy();
    await untilRunning(0);
  });

  it('breaks off an answer whose query fails after its first rows', async () => {
    const sql =
      'SELECT CASE WHEN range = 3000000 THEN error($$too late$$) ELSE range END AS x FROM range(5000000)';
    const { incoming, status } = await runThrough(sql, 'duckdb', { accept: 'text/csv' });
    expect(status).toBe(200);
    await expect(text(incoming)).rejects.toThrow('aborted');
  });

  it('stores a script of 15 MB, and lets the server refuse larger ones', async () => {
    const create = (name: string, content: string) =>
      send('POST', '/catalog/assets', { parent_path: '@Shared', name, content });
    // Each character takes six bytes in JSON.
    const stored = await create('large', '\u0001'.repeat(15 * MB));
    expect(stored.status).toBe(201);
    stored.incoming.resume();
    for (const [size, status] of [
      [16 * MB, 400],
      [100 * MB, 413],
    ] as const) {
      const { incoming, ...refused } = await create('larger', 'x'.repeat(size));
      expect([refused.status, incoming.headers['content-type']]).toEqual([
        status,
        'application/json; charset=utf-8',
      ]);
      expect(JSON.parse(await text(incoming)).detail).toMatch(/15 MB|must not be larger than/);
    }
  });

  it("uses the client's address as nginx reports it, and not as a client reports it", async () => {
    const forged = {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    };
    const { incoming } = await send('GET', '/catalog/list', undefined, {
      localAddress: '127.0.0.2',
      headers: forged,
    });
    incoming.resume();
    const id = String(incoming.headers['x-request-id']);
    await expect.poll(() => shared.server.log()).toContain(id);
    const line = shared.server
      .log()
      .split('\n')
      .find((each) => each.includes(id))!;
    expect(JSON.parse(line)).toMatchObject({ address: '127.0.0.2', status: 200 });
  });

  it('accepts headers and paths as long as the server does', async () => {
    const { incoming, status } = await send('GET', `/catalog/by-path/${'x'.repeat(40_000)}`);
    expect([status, JSON.parse(await text(incoming)).detail.slice(0, 20)]).toEqual([
      404,
      'Path not found: xxxx',
    ]);
  });

  it.skipIf(postgresql === null)(
    `answers a query that has no row for ${LONG_S} seconds`,
    async () => {
      const incoming = await long!;
      const { result } = JSON.parse(await text(incoming));
      expect([incoming.statusCode, result.data]).toEqual([200, [[42]]]);
    },
    (LONG_S + 80) * 1_000,
  );
});

it.skipIf(!hasNginx)(
  'nginx answers in JSON while the server is down, and for requests that it refuses itself',
  async () => {
    const { cwd, token } = await makeAdminHome();
    const nginx = await startNginx(cwd, 'http://127.0.0.1:9');
    try {
      for (const [path, large, status] of [
        ['/api/v1/catalog/list', '', 502],
        ['/api/v1/catalog/list', 'x'.repeat(70_000), 400],
        [`/${'x'.repeat(70_000)}`, '', 414],
      ] as const) {
        const headers = { authorization: `Bearer ${token}`, 'x-large': large };
        const options = { agent: false, rejectUnauthorized: false, headers };
        const outgoing = request(`${nginx.url}${path}`, options);
        outgoing.end();
        const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
        expect([incoming.statusCode, incoming.headers['content-type']]).toEqual([status, 'application/json']);
        expect(JSON.parse(await text(incoming))).toEqual({
          message: 'The proxy has no answer from the server',
          detail: 'The proxy has no answer from the server',
          code: 'proxy',
          request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        });
        expect(listErrorCodes().get('proxy')).toContain(status);
      }
    } finally {
      await nginx.stop();
    }
  },
);
