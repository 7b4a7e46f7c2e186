import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/http.ts';
import { eventually, waitUntil } from '../support/waiting.ts';
import { openRaw } from './raw.ts';
import { createWorld } from './world.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('health', () => {
  it('is public', async () => {
    const { ask } = await createWorld();
    for (const path of ['/health/live', '/health/ready', '/health/live?x=y']) {
      expect(await ask('GET', path, { token: null })).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(await ask('HEAD', path, { token: null })).toMatchObject({ status: 200, text: '' });
    }
    expectRefusal(
      await ask('POST', '/health/live', { token: null }),
      405,
      'Method POST is not allowed here; allowed: GET, HEAD',
    );
    expectRefusal(await ask('GET', '/health', { token: null }), 404, expect.any(String));
  });

  it('reports an error while the home cannot be used, and recovers afterwards', async () => {
    const { ask, home, log } = await createWorld();
    const other = new Sqlite(path.join(home, 'catalog.db'));
    const version = other.pragma('user_version', { simple: true });
    other.pragma('user_version = 9999');
    const refused = await ask('GET', '/health/ready');
    expectRefusal(refused, 503, 'The catalog cannot be used right now');
    expect(refused.headers['retry-after']).toBe('1');
    expectRefusal(await ask('GET', '/api/v1/catalog/list'), 503, 'The catalog cannot be used right now');
    expect((await ask('GET', '/health/live')).status).toBe(200);
    expect(log.find(({ level }) => level === 'error')).toMatchObject({
      msg: 'request failed',
      request_id: refused.headers['x-request-id'],
      err: { message: expect.stringContaining('schema version 9999') },
    });
    other.pragma(`user_version = ${version}`);
    other.close();
    expect((await ask('GET', '/health/ready')).status).toBe(200);
  });

  it('is not ready while the server stops; running requests are answered', async () => {
    const { port, app, token } = await createWorld();
    const body = '{"parent_path":"@Shared","name":"late"}';
    const connection = await openRaw(port);
    connection.send(
      `POST /api/v1/catalog/folders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n{`,
    );
    const idle = await openRaw(port);
    idle.send('GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await idle.answers(1)).toMatch(/^HTTP\/1\.1 200 /);
    const closed = app.close();
    await idle.rest();
    await expect(openRaw(port)).rejects.toThrow('ECONNREFUSED');
    connection.send(`${body.slice(1)}GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n`);
    const text = await connection.rest();
    expect(text).toMatch(
      /^HTTP\/1\.1 201 [\s\S]*HTTP\/1\.1 503 [\s\S]*"detail":"The server is stopping","code":"server_stopping","request_id":"[^"]+"}$/,
    );
    await closed;
  });
});

describe('a request id', () => {
  it('is in the answer and in the log, and the client cannot set it', async () => {
    const { ask, log } = await createWorld();
    const headers = { 'x-request-id': 'mine', 'request-id': 'mine' };
    const { headers: answered } = await ask('GET', '/api/v1/catalog/list?secret=1', { headers });
    expect(answered['x-request-id']).toMatch(UUID);
    const own = () => log.filter(({ request_id }) => request_id === answered['x-request-id']);
    await eventually(() => expect(own()).toHaveLength(1));
    expect(own()).toMatchObject([
      {
        level: 'info',
        msg: 'answered',
        method: 'GET',
        path: '/api/v1/catalog/list',
        status: 200,
        ms: expect.any(Number),
        address: '127.0.0.1',
        user: 'admin',
        token: expect.stringMatching(UUID),
      },
    ]);
    expect(JSON.stringify(log)).not.toContain('mine');
  });

  it('differs for every answer, with any header of the client', async () => {
    const { ask, log } = await createWorld();
    const answers = [
      await ask('GET', '/health/live'),
      await ask('GET', '/api/v1/nothing'),
      await ask('GET', '/api/v1/nothing', { token: null }),
      await ask('POST', '/api/v1/catalog/folders', { body: '{' }),
      await ask('GET', '/%zz'),
    ];
    const ids = answers.map(({ headers }) => headers['x-request-id']);
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(5);
    const answered = await waitUntil(() => {
      const found = log.filter(({ msg }) => msg === 'answered');
      return found.length === 5 && found;
    });
    expect(answered.map(({ request_id }) => request_id)).toEqual(ids);
    expect(answered.map(({ status }) => status)).toEqual([200, 404, 401, 400, 400]);
  });
});

describe('the address of a client', () => {
  const address = async (trustProxy: readonly string[], forwarded: string) => {
    const { ask, log } = await createWorld({ trustProxy });
    const headers = { 'x-forwarded-for': forwarded };
    await ask('POST', '/api/v1/manage/users', { headers, body: { user_name: 'x' } });
    const { body } = await ask('GET', '/api/v1/manage/audit?action=user.create&object=x');
    const logged = await waitUntil(() => log.find(({ msg }) => msg === 'answered')?.address);
    expect((body as { data: { address: string }[] }).data[0]?.address).toBe(logged);
    return logged;
  };

  it('is accepted from the listed proxies', async () => {
    expect(await address(['127.0.0.1'], '203.0.113.7')).toBe('203.0.113.7');
    expect(await address(['127.0.0.0/8', '10.0.0.0/8'], '198.51.100.1, 203.0.113.7, 10.1.2.3')).toBe(
      '203.0.113.7',
    );
    expect(await address(['::1', '127.0.0.1'], '2001:db8::1')).toBe('2001:db8::1');
  });

  it('is not accepted from other clients', async () => {
    expect(await address([], '203.0.113.7')).toBe('127.0.0.1');
    expect(await address(['10.0.0.0/8'], '203.0.113.7')).toBe('127.0.0.1');
    expect(await address(['127.0.0.1'], '10.9.9.9, 203.0.113.7')).toBe('203.0.113.7');
  });
});

describe('metrics', () => {
  it('are for administrators, with one series for each route', async () => {
    const { ask, createUser } = await createWorld();
    const token = await createUser('ed');
    for (let count = 0; count < 20; count++) {
      await ask('GET', `/api/v1/catalog/by-path/@Shared/${count}`);
      await ask('GET', `/nothing/${count}`);
      await ask('GET', `/api/v1/nothing/${count}`);
      await ask('GET', `/api/v1/manage/users/${count}`);
    }
    expect((await ask('GET', '/metrics', { token: null })).status).toBe(401);
    expectRefusal(
      await ask('GET', '/metrics', { token }),
      403,
      "You don't have permission to perform the request",
    );
    const { status, text, headers } = await ask('GET', '/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=/);
    const counts = text
      .split('\n')
      .filter((line) => line.startsWith('quern_http_request_duration_seconds_count'));
    expect(counts).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/route="\/api\/v1\/catalog\/by-path\/\*",status="404"} 20$/),
        expect.stringMatching(/route="\/api\/v1\/manage\/users\/:user_name",status="404"} 20$/),
        expect.stringMatching(/route="\/metrics",status="401"} 1$/),
      ]),
    );
    expect(counts.length).toBeLessThan(10);
    expect(text).toContain('process_resident_memory_bytes');
  });
});
