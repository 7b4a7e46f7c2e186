import { METHODS } from 'node:http';
import { describe, expect, it } from 'vitest';
import { expectRefusal, parseAnswer, sendRaw } from '../../support/http.ts';
import { openRaw } from '../raw.ts';
import { createWorld, type World } from '../world.ts';

const CLOSE = 'Connection: close\r\n\r\n';
const BODY = '{"parent_path":"@Shared","name":"expected"}';
const OTHERS = METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD'].includes(method));

const ask = async ({ url, token }: World, line: string, headers = '') =>
  parseAnswer(
    await sendRaw(url, `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${headers}${CLOSE}`),
  );

/** The answers to a client that waits for 100 before it sends its body. */
async function expectContinue(
  { port }: World,
  authorization: string,
  { length = BODY.length, type = 'application/json' } = {},
): Promise<string> {
  const connection = await openRaw(port);
  connection.send(
    `POST /api/v1/catalog/folders HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: ${type}\r\n` +
      `Content-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  const first = await connection.answers(1);
  if (!first.startsWith('HTTP/1.1 100 ')) return connection.rest();
  connection.send(BODY);
  return connection.answers(2);
}

describe('a method that is unknown for a known path', () => {
  it.each([
    '/api/v1/catalog/list',
    '/health/live',
    '/openapi.json',
    '/api/docs/',
    '/api/docs/static/index.css',
  ])('is answered with 405 and Allow: %s', async (path) => {
    const world = await createWorld();
    for (const method of OTHERS) {
      const answer = await ask(world, `${method} ${path}`);
      expectRefusal(answer, 405, expect.stringContaining(`Method ${method} is not allowed here`));
      expect(answer.headers.allow).toBe('GET, HEAD');
    }
    expect(world.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('needs a token where every request does, and is 404 on an unknown path', async () => {
    const world = await createWorld();
    const bare = await sendRaw(world.url, `QUERY /api/v1/catalog/list HTTP/1.1\r\nHost: x\r\n${CLOSE}`);
    expectRefusal(parseAnswer(bare), 401, expect.any(String));
    for (const method of ['QUERY', 'PROPFIND', 'TRACE']) {
      expectRefusal(
        await ask(world, `${method} /api/v1/nothing`),
        404,
        `Route not found: ${method} /api/v1/nothing`,
      );
      expectRefusal(await ask(world, `${method} /nothing`), 404, `Route not found: ${method} /nothing`);
    }
    expect((await ask(world, 'QUERY /api/v1/scim/v2/Users')).status).toBe(405);
    expect((await ask(world, 'QUERY /console/api/session')).status).toBe(405);
    expect(world.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('is refused before its body is read', async () => {
    const world = await createWorld();
    const text = { 'content-type': 'text/plain' };
    const answer = await world.ask('POST', '/api/v1/catalog/list', { headers: text, body: 'x' });
    expectRefusal(answer, 405, expect.any(String));
  });

  it('is 501 for CONNECT', async () => {
    const { url } = await createWorld();
    const text = await sendRaw(url, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n');
    expectRefusal(parseAnswer(text), 501, 'CONNECT is not supported');
  });
});

describe('a client that expects 100', () => {
  it('gets it when its body is wanted', async () => {
    const world = await createWorld();
    const text = await expectContinue(world, `Authorization: Bearer ${world.token}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });

  it('gets an error instead of it, and the connection ends', async () => {
    const world = await createWorld();
    const sign = `Authorization: Bearer ${world.token}\r\n`;
    const answers = [
      [await expectContinue(world, ''), 401],
      [await expectContinue(world, sign, { length: 2 * 1024 * 1024 }), 413],
      [await expectContinue(world, sign, { type: 'text/plain' }), 415],
    ] as const;
    for (const [text, status] of answers) {
      expectRefusal(parseAnswer(text), status, expect.any(String));
      expect(parseAnswer(text).headers.connection).toBe('close');
    }
  });

  it('gets 417 for any other expectation', async () => {
    const world = await createWorld();
    const answer = await ask(world, 'GET /health/live', 'Expect: a miracle\r\n');
    expectRefusal(answer, 417, 'Expect is not supported: a miracle');
    const old = await sendRaw(world.url, 'GET /health/live HTTP/1.0\r\nExpect: a miracle\r\n\r\n');
    expect(parseAnswer(old).status).toBe(200);
  });
});

describe('the framing of a request', () => {
  it('is 501 for a transfer coding other than chunked', async () => {
    const world = await createWorld();
    for (const coding of ['gzip, chunked', 'identity, chunked']) {
      const answer = parseAnswer(
        await sendRaw(
          world.url,
          `POST /api/v1/catalog/folders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.token}\r\n` +
            `Content-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n${CLOSE}2\r\n{}\r\n0\r\n\r\n`,
        ),
      );
      expectRefusal(answer, 501, `Transfer-Encoding is not supported: ${coding}; send chunked`);
    }
  });

  it.each([
    ['no host', ''],
    ['two hosts', 'Host: a\r\nHost: b\r\n'],
    ['the same host twice', 'Host: a\r\nHOST: a\r\n'],
    ['two empty hosts', 'Host:\r\nHost:\r\n'],
  ])('has one host, and is refused with %s on any path', async (_, hosts) => {
    const { url } = await createWorld();
    for (const target of ['/health/live', '/api/v1/catalog/list', '/console/', '/nowhere']) {
      expect(await sendRaw(url, `GET ${target} HTTP/1.1\r\n${hosts}${CLOSE}`)).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it('has one host', async () => {
    const world = await createWorld();
    expectRefusal(
      await ask(world, 'GET /health/live', 'Host: y\r\n'),
      400,
      'The Host header must be given once',
    );
    expect((await ask(world, 'GET /health/live', 'Upgrade: h2c\r\n')).status).toBe(200);
  });
});
