import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { expectRefusal, parseAnswer, sendRaw } from '../../support/http.ts';
import { expectScimRefusal, USER } from '../../support/scim.ts';
import { createScimWorld, ROOT } from './world.ts';

const NOT_ADMINISTRATOR = 'Provisioning needs a token of an administrator; GET /api/v1/me takes any token';
const FORBIDDEN = "You don't have permission to perform the request";
const NO_TOKEN = 'A valid personal access token is required: Authorization: Bearer <token>';
const json = (type: string) => ({ headers: { 'content-type': type } });
const user = { schemas: [USER], userName: 'ada' };

describe('an error has the body of RFC 7644', () => {
  it('without a token, on any route', async () => {
    const { ask } = await createScimWorld();
    for (const target of ['', '/', '/Users', '/Users/x', '/nothing', '/Bulk', '/Me', '/Schemas', '/a//b']) {
      for (const token of [null, 'qrn_nonsense']) {
        const answer = await ask('GET', `${ROOT}${target}`, { token });
        expectScimRefusal(answer, 401, null, NO_TOKEN);
        expect(answer.headers).toMatchObject({ 'www-authenticate': 'Bearer', 'cache-control': 'no-store' });
      }
    }
  });

  it('for a user who is not an administrator, with any method and body', async () => {
    const { ask, createUser } = await createScimWorld();
    const token = await createUser('ed');
    for (const [method, target] of [
      ['GET', '/Users'],
      ['POST', '/Users'],
      ['PATCH', '/Groups/x'],
      ['DELETE', '/Users/x'],
      ['POST', '/.search'],
      ['GET', '/ServiceProviderConfig'],
      ['POST', '/Bulk'],
      ['GET', '/Me'],
      ['GET', '/nothing'],
      ['PUT', '/Users'],
    ] as const) {
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{"broken' };
      expectScimRefusal(
        await ask(method, `${ROOT}${target}`, { token, ...body }),
        403,
        null,
        NOT_ADMINISTRATOR,
      );
    }
  });

  it('for changes with a read-only token, before the body is read', async () => {
    const { ask, createUser } = await createScimWorld();
    const token = await createUser('boss', 'ADMIN', { scope: 'read' });
    for (const [method, target] of [
      ['POST', '/Users'],
      ['PUT', '/Users/x'],
      ['PATCH', '/Users/x'],
      ['DELETE', '/Users/x'],
      ['POST', '/Groups'],
      ['PUT', '/Groups/x'],
      ['PATCH', '/Groups/x'],
      ['DELETE', '/Groups/x'],
    ] as const) {
      const answer = await ask(method, `${ROOT}${target}`, { token, body: '{"broken' });
      expectScimRefusal(answer, 403, null, FORBIDDEN);
    }
    for (const target of ['/Users', '/Groups', '/Schemas']) {
      expect((await ask('GET', `${ROOT}${target}`, { token })).status).toBe(200);
    }
    for (const target of ['/Users/.search', '/Groups/.search', '/.search']) {
      expect((await ask('POST', `${ROOT}${target}`, { token, body: {} })).status).toBe(200);
    }
  });

  it.each([
    ['GET', '', `Route not found: GET ${ROOT}`],
    ['GET', '/users', `Route not found: GET ${ROOT}/users`],
    ['POST', '/Users/x/y', `Route not found: POST ${ROOT}/Users/x/y`],
    ['GET', '/Users/x?filter=a', expect.stringContaining('x')],
    ['DELETE', '/Users/x', expect.stringContaining('x')],
    ['GET', '/Groups/__proto__', expect.stringContaining('__proto__')],
    ['GET', `/Users/${'x'.repeat(500)}`, expect.any(String)],
    ['GET', '/Users/%00', expect.any(String)],
    ['GET', '/Users/a%2Fb', expect.any(String)],
    ['GET', '/ResourceTypes/Robot', 'Resource type not found: Robot'],
    ['GET', '/Schemas/urn:x', 'Schema not found: urn:x'],
  ])('404: %s %s', async (method, target, detail) => {
    const { ask } = await createScimWorld();
    expectScimRefusal(await ask(method, `${ROOT}${target}`), 404, null, detail);
  });

  it('for a route with another notation', async () => {
    const { ask } = await createScimWorld();
    expectScimRefusal(await ask('GET', '/api/v1/scim/v%32/Users/x'), 404, null);
  });

  it.each([
    ['/Users', ['GET', 'HEAD', 'POST']],
    ['/Users/x', ['DELETE', 'GET', 'HEAD', 'PATCH', 'PUT']],
    ['/Groups', ['GET', 'HEAD', 'POST']],
    ['/Groups/x', ['DELETE', 'GET', 'HEAD', 'PATCH', 'PUT']],
    ['/Users/.search', ['POST']],
    ['/.search', ['POST']],
    ['/ServiceProviderConfig', ['GET', 'HEAD']],
    ['/ResourceTypes/User', ['GET', 'HEAD']],
    [`/Schemas/${USER}`, ['GET', 'HEAD']],
  ])('405 with Allow: %s', async (target, allow) => {
    const { ask } = await createScimWorld();
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allow.includes(method)) continue;
      const answer = await ask(method, `${ROOT}${target}`);
      expectScimRefusal(answer, 405, null, expect.stringContaining(method));
      expect(answer.headers.allow!.split(', ').toSorted()).toEqual(allow);
    }
  });

  it.each(['text/html', 'text/csv', 'application/scim+json;q=0', 'application/xml'])(
    '406: %s',
    async (accept) => {
      const { ask } = await createScimWorld();
      const detail = 'Supported media types: application/scim+json, application/json';
      for (const target of ['/Users', '/ServiceProviderConfig']) {
        expectScimRefusal(await ask('GET', `${ROOT}${target}`, { headers: { accept } }), 406, null, detail);
      }
    },
  );

  it('415 for other types and for compressed bodies', async () => {
    const { ask } = await createScimWorld();
    const body = JSON.stringify(user);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'nonsense']) {
      const answer = await ask('POST', `${ROOT}/Users`, { body, ...json(type) });
      expectScimRefusal(answer, 415, null);
    }
    const headers = { 'content-encoding': 'gzip' };
    expectScimRefusal(await ask('POST', `${ROOT}/Users`, { body, headers }), 415, null);
  });

  it('413 for more than 10 MB, and not for less', async () => {
    const { ask } = await createScimWorld();
    const padded = (length: number) => JSON.stringify(user).padEnd(length);
    const limit = 10 * 1024 * 1024;
    const detail = `The body must not be larger than ${limit} bytes`;
    expectScimRefusal(await ask('POST', `${ROOT}/Users`, { body: padded(limit + 1) }), 413, null, detail);
    expect((await ask('POST', `${ROOT}/Users`, { body: padded(limit) })).status).toBe(201);
    const answer = await ask('POST', `${ROOT}/Users`, { token: null, body: padded(limit + 1) });
    expectScimRefusal(answer, 401, null);
  });

  it.each([
    ['half of one', '{"userName":', 'The body is not valid JSON: it ends too early'],
    ['no JSON', '{"userName": secret}', 'The body is not valid JSON: unexpected text'],
    ['no text', Buffer.from([0x22, 0xff, 0x22]), 'The body is not valid JSON: it is not UTF-8'],
    ['nothing', '', 'The body must be a JSON object'],
    ['null', 'null', 'The body must be a JSON object'],
    ['a list', '[]', 'The body must be a JSON object'],
    ['a text', '"text"', 'The body must be a JSON object'],
    ['lists in lists', `${'['.repeat(1_000)}${']'.repeat(1_000)}`, 'The body must be a JSON object'],
    ['deep lists', '['.repeat(100_000), 'The body is not valid JSON: it is nested too deeply'],
    ['many lists', `[${'[],'.repeat(100_000)}[]]`, 'The body must not have more than 100,000 values'],
  ])('400 invalidSyntax for a body that is %s', async (_what, body, detail) => {
    const { ask } = await createScimWorld();
    for (const type of ['application/scim+json', 'application/json']) {
      for (const target of ['/Users', '/Groups', '/.search', '/Users/.search']) {
        const answer = await ask('POST', `${ROOT}${target}`, { body, ...json(type) });
        expectScimRefusal(answer, 400, 'invalidSyntax', detail);
      }
    }
    expect((await ask('GET', `${ROOT}/Users`)).body).toMatchObject({ totalResults: 1 });
  });

  it('400 invalidSyntax for a POST without a body', async () => {
    const { ask } = await createScimWorld();
    for (const target of ['/Users', '/Groups', '/.search']) {
      expectScimRefusal(await ask('POST', `${ROOT}${target}`), 400, 'invalidSyntax');
    }
  });

  it('400 for a malformed URL', async () => {
    const { ask } = await createScimWorld();
    for (const target of ['/Users/%', '/Users/%zz', '/Users/%ff', '/%C3?filter=x']) {
      const answer = await ask('GET', `${ROOT}${target}`);
      expectScimRefusal(answer, 400, null, expect.stringMatching(/^The URL is malformed/));
    }
  });

  it('429 for too many requests, with and without a valid token', async () => {
    const limited = await createScimWorld({ rateLimit: 1 });
    expect((await limited.ask('GET', `${ROOT}/Users`)).status).toBe(200);
    const refused = await limited.ask('GET', `${ROOT}/Users`);
    expectScimRefusal(refused, 429, null, 'Too many requests');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const { ask } = await createScimWorld({ limitLoopback: true });
    for (let count = 0; count < 99; count++) await ask('GET', `${ROOT}/Users`, { token: 'x' });
    const stopped = await ask('GET', `${ROOT}/Users`, { token: 'x' });
    expectScimRefusal(stopped, 429, null, expect.stringContaining('Too many requests without'));
    expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('503 while another process holds the home', async () => {
    const { ask, home } = await createScimWorld();
    const database = new Sqlite(path.join(home, 'catalog.db'));
    database.exec('BEGIN IMMEDIATE');
    const answer = await ask('POST', `${ROOT}/Users`, { body: user });
    database.exec('ROLLBACK');
    database.close();
    expectScimRefusal(answer, 503, null);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask('POST', `${ROOT}/Users`, { body: user })).status).toBe(201);
  });

  it('500 for an internal error, which is in the log', async () => {
    const { ask, instance, log } = await createScimWorld();
    const broken = vi.spyOn(instance, 'scim').mockImplementation(() => {
      throw new Error('of the tests');
    });
    const answer = await ask('GET', `${ROOT}/Users`);
    broken.mockRestore();
    expectScimRefusal(answer, 500, null, expect.stringContaining(String(answer.headers['x-request-id'])));
    expect(answer.text).not.toContain('of the tests');
    expect(JSON.stringify(log)).toContain('of the tests');
  });
});

describe('an error outside of provisioning has the usual body', () => {
  it.each([
    '/api/v1/scim',
    '/api/v1/scim/v1/Users',
    '/api/v1/scim/v2x/Users',
    '/api/v1/scim/v2Users',
    '/api/v1//scim/v1//Users',
    '/api/v1/Users?x=/api/v1/scim/v2/Users',
  ])('outside the prefix: %s', async (target) => {
    const { url, token } = await createScimWorld();
    const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    const answer = parseAnswer(await sendRaw(url, head));
    expectRefusal(answer, 404, expect.stringMatching(/^Route not found/));
  });
});

describe('an unsupported operation', () => {
  it.each(['/Bulk', '/Me', '/Bulk/', '//Me'])('501: %s, with any body', async (target) => {
    const { ask } = await createScimWorld();
    const detail = `/${target.replaceAll('/', '')} is not supported`;
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      expectScimRefusal(await ask(method, `${ROOT}${target}`), 501, null, detail);
    }
    for (const type of ['application/scim+json', 'text/plain']) {
      const body = '{"broken'.padEnd(11 * 1024 * 1024);
      const answer = await ask('POST', `${ROOT}${target}`, { body, ...json(type) });
      expectScimRefusal(answer, 501, null, detail);
    }
  });
});
