import { createConnection } from 'node:net';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { expectRefusal, parseAnswer, sendRaw } from '../../support/http.ts';
import { openRaw } from '../raw.ts';
import { createWorld } from '../world.ts';

const CLOSE = 'Connection: close\r\n\r\n';

const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d+) /.exec(text)?.[1]);

describe('requests', () => {
  it('may use HTTP/1.0', async () => {
    const { url } = await createWorld();
    const answer = parseAnswer(await sendRaw(url, 'GET /health/live HTTP/1.0\r\n\r\n'));
    expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' }, body: { status: 'ok' } });
    const refused = parseAnswer(await sendRaw(url, 'GET /api/v1/catalog/list HTTP/1.0\r\n\r\n'));
    expect(refused.status).toBe(401);
  });

  it('name a host', async () => {
    const { url } = await createWorld();
    const answer = parseAnswer(await sendRaw(url, `GET /health/live HTTP/1.1\r\n${CLOSE}`));
    expect(answer).toMatchObject({ status: 400, body: { detail: 'The Host header is required' } });
  });

  it('may follow one another without waiting', async () => {
    const { url, token } = await createWorld();
    const head = `Host: x\r\nAuthorization: Bearer ${token}\r\n`;
    const body = '{"parent_path":"@Shared","name":"piped"}';
    const create =
      `POST /api/v1/catalog/folders HTTP/1.1\r\n${head}Content-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`;
    const text = await sendRaw(
      url,
      `${create}GET /api/v1/nothing HTTP/1.1\r\n${head}\r\n${create}GET /health/live HTTP/1.1\r\n${head}${CLOSE}`,
    );
    expect([...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)).toEqual([
      '201',
      '404',
      '400',
      '200',
    ]);
  });

  it('may name the complete URL', async () => {
    const { url, token } = await createWorld();
    const ask = (target: string) =>
      sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${CLOSE}`);
    for (const [target, status] of [
      ['http://other.example.org/api/v1/catalog/list/@Shared', 200],
      ['HTTPS://x:443/health/live?a=b', 200],
      ['http://x', 404],
      ['http://x?y', 404],
    ] as const) {
      expect(statusOf(await ask(target)), target).toBe(status);
    }
  });

  it.each([
    ['OPTIONS *', 404, 'Route not found: OPTIONS *'],
    ['OPTIONS /api/v1/catalog/list', 405, 'Method OPTIONS is not allowed here; allowed: GET, HEAD'],
    ['TRACE /api/v1/catalog/list', 405, 'Method TRACE is not allowed here; allowed: GET, HEAD'],
    ['PROPFIND /health/live', 405, 'Method PROPFIND is not allowed here; allowed: GET, HEAD'],
    ['GET /api/v1/catalog/by-path/@Shared%00', 404, 'Path not found: @Shared\0'],
    ['GET /api/v1/catalog/by-path/%ff', 400, expect.stringMatching(/^The URL is malformed/)],
    ['GET /api/v1/catalog/by-path/%', 400, expect.stringMatching(/^The URL is malformed/)],
    ['GET /health/%zz', 400, expect.stringMatching(/^The URL is malformed/)],
    ['GET /api/v1/../../etc/passwd', 404, 'Route not found: GET /api/v1/../../etc/passwd'],
    ['GET /api/docs/static/..%2f..%2f..%2fpackage.json', 404, expect.any(String)],
    ['GET /api/v1/catalog/list?project_version=1&project_version=2', 200, undefined],
    [
      'GET /api/v1/catalog/list/@Shared?project_version=1&project_version=2',
      400,
      'Project version must be a string',
    ],
  ])('that are unusual get answers in the form of the interface: %s', async (line, status, detail) => {
    const { url, token, log } = await createWorld();
    const answer = parseAnswer(
      await sendRaw(url, `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${CLOSE}`),
    );
    expect(answer.status).toBe(status);
    if (status !== 200) expectRefusal(answer, status, detail);
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('have paths as long as the catalog needs them, and not longer', async () => {
    const { ask } = await createWorld();
    const long = '@Shared/'.concat(encodeURIComponent('☃'.repeat(255)).concat('/').repeat(20));
    expect((await ask('GET', `/api/v1/catalog/by-path/${long}`)).status).toBe(404);
    const tooLong = await ask('GET', `/api/v1/catalog/by-path/${'x'.repeat(70_000)}`);
    expectRefusal(tooLong, 431, 'The headers of the request are too large');
    expect((await ask('GET', '/health/live', { headers: { 'x-long': 'y'.repeat(70_000) } })).status).toBe(
      431,
    );
  });
});

describe('an invalid request', () => {
  it.each([
    ['garbage', '\x00\x01\x02\xff\xfe\r\n\r\n'],
    ['a NUL byte in the path', 'GET /health/\0live HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a NUL byte in a header', 'GET /health/live HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
    ['two lengths', 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na'],
    [
      'a length of a body in chunks',
      'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a length below zero', 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('gets an error: %s', async (_what, bytes) => {
    const { url, ask } = await createWorld();
    const answer = parseAnswer(await sendRaw(url, Buffer.from(bytes, 'latin1')));
    expectRefusal(answer, 400, 'Malformed HTTP request');
    expect(answer.headers.connection).toBe('close');
    expect((await ask('GET', '/health/live')).status).toBe(200);
  });

  it('is TLS on a plain port', async () => {
    const { port, ask } = await createWorld();
    const socket = connect({ socket: createConnection(port, '127.0.0.1'), rejectUnauthorized: false });
    const [error] = await new Promise<unknown[]>((resolve) => {
      socket.on('error', (reason) => resolve([reason]));
      socket.on('secureConnect', () => resolve(['secure']));
    });
    expect(error).toBeInstanceOf(Error);
    expect((await ask('GET', '/health/live')).status).toBe(200);
  });

  it('after a valid one gets its error after the first answer', async () => {
    const { port } = await createWorld();
    const connection = await openRaw(port);
    connection.send('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(statusOf(await connection.answers(1))).toBe(200);
    connection.send('garbage\r\n\r\n');
    expect(await connection.rest()).toMatch(/"ok"}HTTP\/1\.1 400 /);
  });
});
