import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createClient,
  expectErrorBody,
  expectRefusal,
  parseAnswer,
  send,
  sendRaw,
} from '../../support/http.ts';
import { makeFolder, quern } from '../../support/quern.ts';
import { createToken, runQuern, shareServer, startServer } from '../../support/server.ts';
import { covers } from './rows.ts';

const shared = shareServer();

const NEEDS_TOKEN = 'A valid personal access token is required: Authorization: Bearer <token>';

beforeAll(async () => {
  await shared.admin.make('folders', '@Shared/box');
});

/** A listing with a header, or with several of one name. */
function listWith(authorization: string | string[]) {
  return send(shared.server.url, 'GET', '/api/v1/catalog/list', {
    headers: { authorization } as Record<string, string | string[]>,
  });
}

describe('a token', () => {
  it(covers('bearer token', 'status 200'), async () => {
    expect((await listWith(`Bearer ${shared.token}`)).status).toBe(200);
  });

  it(covers('bearer token', 'status 401', 'www-authenticate'), async () => {
    const { token } = shared;
    const last = token.endsWith('x') ? 'y' : 'x';
    const wrong = [
      '',
      'Bearer',
      'Bearer ',
      `Bearer  ${token}`,
      `Bearer\t${token}`,
      `Bearer ${token} x`,
      `Bearer ${token},`,
      `Bearer "${token}"`,
      `Basic ${token}`,
      `Basic ${Buffer.from(`admin:${token}`).toString('base64')}`,
      `Token ${token}`,
      token,
      `Bearer ${token.slice(0, -1)}${last}`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token}x`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer qrn_${'0'.repeat(36)}`,
      `Bearer ${'x'.repeat(20_000)}`,
      'Bearer null',
      'Bearer é',
    ];
    for (const authorization of wrong) {
      const answer = await listWith(Buffer.from(authorization).toString('latin1'));
      expectRefusal(answer, 401, NEEDS_TOKEN);
      expect(answer.headers).toMatchObject({ 'www-authenticate': 'Bearer', 'cache-control': 'no-store' });
    }
    expectRefusal(await send(shared.server.url, 'GET', '/api/v1/catalog/list'), 401, NEEDS_TOKEN);
  });

  it('is read from the header only', async () => {
    const { url } = shared.server;
    const { token } = shared;
    const target = `/api/v1/catalog/list?access_token=${token}&token=${token}`;
    const headers = { cookie: `session=${token}; token=${token}`, 'x-api-key': token };
    expectRefusal(await send(url, 'GET', target, { headers }), 401, NEEDS_TOKEN);
    const body = `access_token=${token}`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expectRefusal(
      await send(url, 'POST', '/api/v1/catalog/folders', { headers: type, body }),
      401,
      NEEDS_TOKEN,
    );
  });

  it(covers('token once'), async () => {
    const { cwd, url } = shared.server;
    const token = (await runQuern(cwd, 'token create --name once')).trim();
    expect((await createClient(url, token).list('')).status).toBe(200);
    expect(await runQuern(cwd, 'token ls --json')).not.toContain(token.slice(8, 36));
    expect(shared.server.log()).not.toContain(token.slice(8, 36));
  });

  it(covers('deleted token'), async () => {
    const { cwd, url } = shared.server;
    const client = createClient(url, (await runQuern(cwd, 'token create --name gone')).trim());
    expect((await client.list('')).status).toBe(200);
    await runQuern(cwd, 'token rm gone --yes');
    expectRefusal(await client.list(''), 401, NEEDS_TOKEN);
  });
});

describe('addresses', () => {
  it(covers('versioned address'), async () => {
    const { url } = shared.server;
    const headers = { authorization: `Bearer ${shared.token}` };
    expect((await send(url, 'GET', '/api/v1/catalog/list', { headers })).status).toBe(200);
    for (const target of [
      '/api/v2/catalog/list',
      '/api/catalog/list',
      '/catalog/list',
      '/API/v1/catalog/list',
    ]) {
      expectRefusal(await send(url, 'GET', target, { headers }), 404, `Route not found: GET ${target}`);
    }
  });

  it(covers('unknown route without a token', 'unknown route with a token'), async () => {
    const targets = [
      '/api/v1',
      '/api/v1/',
      '/api/v1/nothing',
      '/api/v1/catalog',
      '/api/v1/catalog/lists',
      '/api/v1//catalog/lists/',
    ];
    for (const target of [...targets, '/api/v1/catalog/list2/@Shared']) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
        expectRefusal(await send(shared.server.url, method, target), 401, NEEDS_TOKEN);
      }
      const answer = await shared.admin.send('GET', target.replace('/api/v1', ''));
      expectRefusal(answer, 404, `Route not found: GET ${target}`);
    }
  });

  it(covers('health without a token'), async () => {
    for (const target of ['/health/live', '/health/ready']) {
      expect(await send(shared.server.url, 'GET', target)).toMatchObject({
        status: 200,
        body: { status: 'ok' },
      });
    }
  });

  it(covers('console without a token'), async () => {
    const { url } = shared.server;
    const signIn = await send(url, 'POST', '/console/api/sign-in', {
      body: { login: 'nobody', password: 'a wrong one' },
    });
    expectRefusal(signIn, 401, expect.stringContaining('password is wrong'));
    const page = await send(url, 'GET', '/', { headers: { accept: 'text/html' } });
    expect(page.status).not.toBe(401);
  });
});

describe('failures', () => {
  it(covers('error body', 'detail', 'message'), async () => {
    for (const answer of [
      await shared.admin.list('@Shared/nowhere'),
      await shared.admin.create('folders', {}),
      await shared.admin.send('GET', '/nothing'),
      await createClient(shared.server.url).list(''),
    ]) {
      expect(Object.keys(answer.body as object).slice(0, 4)).toEqual([
        'message',
        'detail',
        'code',
        'request_id',
      ]);
      expectErrorBody(answer);
    }
  });

  it(covers('other messages', 'framework errors'), async () => {
    const method = await shared.admin.send('PATCH', '/catalog/list');
    expectRefusal(method, 405, expect.stringContaining('PATCH'));
    const type = await shared.admin.send('POST', '/catalog/folders', {
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    });
    expectRefusal(type, 415, expect.any(String));
    const accept = await shared.admin.send('GET', '/catalog/list', { headers: { accept: 'text/csv' } });
    expectRefusal(accept, 406, expect.stringContaining('application/json'));
  });

  it(covers('client errors'), async () => {
    const text = await sendRaw(shared.server.url, 'BREW pot HTCPCP/1.0\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expectRefusal(parseAnswer(text), 400, 'Malformed HTTP request');
  });

  it(covers('last administrator', 'status 409'), async () => {
    const answer = await shared.admin.send('DELETE', '/manage/users/admin');
    expectRefusal(answer, 409, expect.stringContaining('administrator'));
    const demoted = await shared.admin.send('PUT', '/manage/users/admin', { body: { role: 'EDITOR' } });
    expectRefusal(demoted, 409, expect.stringContaining('administrator'));
  });

  it(covers('status 5xx', 'error body'), async () => {
    // Another process locks the home's database for longer than a request waits.
    const { server, admin } = await startServer();
    await admin.list('');
    const database = new Sqlite(path.join(server.cwd, '.quern/catalog.db'));
    database.exec('BEGIN IMMEDIATE');
    const answer = await admin.create('folders', { parent_path: '@Shared', name: 'late' });
    database.exec('ROLLBACK');
    database.close();
    expectRefusal(answer, 503, expect.any(String));
    expect(answer.text).not.toContain(server.cwd);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    await admin.make('folders', '@Shared/late');
  });
});

it(`${covers('limit: administrator password')}`, async () => {
  const init = (password: string) =>
    quern(['init', '--empty'], { cwd: makeFolder(), env: { QUERN_ADMIN_PASSWORD: password } });
  expect((await init('1234567')).exitCode).not.toBe(0);
  expect((await init('héllø😀!')).exitCode).not.toBe(0);
  expect((await init('12345678')).exitCode).toBe(0);
});

it('treats a token of a user without rights as any other token', async () => {
  const { cwd, url } = shared.server;
  await runQuern(cwd, 'user create viewer --role VIEWER');
  const viewer = createClient(url, await createToken(cwd, 'viewer'));
  expect((await viewer.list('@Shared')).status).toBe(200);
  expectRefusal(
    await viewer.create('folders', { parent_path: '@Shared', name: 'x' }),
    404,
    'Path not found: @Shared',
  );
});
