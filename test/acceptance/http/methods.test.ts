import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { expectRefusal, parseAnswer, send, sendRaw } from '../../support/http.ts';
import { shareBox } from './box.ts';

const { shared, box, newName, newFolder } = shareBox();

describe('methods', () => {
  const allowed: [target: string, allow: string[]][] = [
    ['/catalog/list', ['GET', 'HEAD']],
    ['/catalog/list/@Shared', ['GET', 'HEAD']],
    ['/catalog/by-path/@Shared/box', ['GET', 'HEAD']],
    ['/catalog/folders', ['POST']],
    ['/catalog/assets', ['POST']],
    ['/catalog/folders/@Shared/box', ['DELETE', 'PUT']],
    ['/catalog/assets/@Shared/box', ['DELETE', 'PUT']],
  ];

  it.each(allowed)(`405 with Allow: %s`, async (target, allow) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allow.includes(method)) continue;
      const answer = await shared.admin.send(method, target.replace('@Shared/box', box));
      expect(answer.status, method).toBe(405);
      expect(answer.headers.allow!.split(', ').toSorted()).toEqual(allow);
      if (method === 'HEAD') expect(answer.text).toBe('');
      else expectRefusal(answer, 405, expect.stringContaining(method));
    }
  });

  it('405 for the other methods of HTTP, and 400 for unknown methods', async () => {
    for (const method of ['TRACE', 'QUERY', 'PROPFIND', 'LOCK', 'MKCOL', 'MOVE', 'SEARCH', 'PURGE']) {
      const answer = await shared.admin.send(method, '/catalog/list');
      expectRefusal(answer, 405, `Method ${method} is not allowed here; allowed: GET, HEAD`);
    }
    for (const method of ['get', 'FOO']) {
      const text = await sendRaw(
        shared.server.url,
        `${method} /api/v1/catalog/list HTTP/1.1\r\nHost: x\r\n\r\n`,
      );
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it('HEAD answers as GET does, without the body', async () => {
    for (const target of [
      '/catalog/list',
      '/catalog/list/@Shared',
      `/catalog/by-path/${box}`,
      '/catalog/list/@x',
    ]) {
      const get = await shared.admin.send('GET', target);
      const head = await shared.admin.send('HEAD', target);
      expect([head.status, head.text]).toEqual([get.status, '']);
      for (const name of ['etag', 'content-type', 'content-length']) {
        expect(head.headers[name], `${target} ${name}`).toBe(get.headers[name]);
      }
    }
  });

  it('a method in a header is ignored', async () => {
    const path = await shared.admin.make('assets', `${box}/${newName()}`);
    await shared.admin.send('POST', `/catalog/assets/${encodeURI(path)}?_method=DELETE`, {
      headers: { 'x-http-method-override': 'DELETE', 'if-match': '*' },
    });
    expect((await shared.admin.read(path)).status).toBe(200);
  });
});

describe('the Accept header', () => {
  it.each([
    'text/html',
    'text/csv',
    'application/xml',
    'application/json;q=0',
    'application/vnd.apache.arrow.stream',
    'image/*',
  ])('406: %s', async (accept) => {
    const headers = { accept };
    const name = newName();
    expectRefusal(await shared.admin.send('GET', '/catalog/list', { headers }), 406, expect.any(String));
    const body = { parent_path: box, name };
    expectRefusal(
      await shared.admin.send('POST', '/catalog/folders', { headers, body }),
      406,
      expect.any(String),
    );
    expect((await shared.admin.read(`${box}/${name}`)).status).toBe(404);
  });

  it.each([
    '*/*',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8, */*;q=0',
    'application/*',
    'application/json',
    'text/html, */*;q=0.1',
    'APPLICATION/JSON',
    'text/csv, application/json',
  ])('%s is JSON', async (accept) => {
    const answer = await shared.admin.send('GET', '/catalog/list', { headers: { accept } });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  });

  it('charsets, encodings, ranges or dates of a client have no effect', async () => {
    const answer = await shared.admin.send('GET', `/catalog/by-path/${box}`, {
      headers: {
        'accept-charset': 'latin1',
        'accept-encoding': 'identity;q=0',
        range: 'bytes=0-3',
        'if-modified-since': new Date().toUTCString(),
        'if-unmodified-since': new Date(0).toUTCString(),
      },
    });
    expect(answer).toMatchObject({ status: 200, body: { name: 'box' } });
  });
});

describe('connections', () => {
  it('HTTP/1.0', async () => {
    const text = await sendRaw(
      shared.server.url,
      `GET /api/v1/catalog/list HTTP/1.0\r\nAuthorization: Bearer ${shared.token}\r\n\r\n`,
    );
    expect(parseAnswer(text)).toMatchObject({ status: 200, body: { data: [{}, {}, {}] } });
  });

  it('a connection stays open after failures on it', async () => {
    const { token } = shared;
    const head = (method: string, target: string) =>
      `${method} /api/v1/catalog/${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
    const json = (body: string) =>
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const requests = [
      `${head('GET', 'list/@Nowhere')}\r\n`,
      `${head('POST', 'folders')}${json('{broken')}`,
      `${head('POST', 'folders')}${json('{}')}`,
      `${head('PUT', `folders/${box}`)}${json('{"name":1}')}`,
      `${head('DELETE', 'folders/@Shared/nowhere')}\r\n`,
      `${head('PATCH', 'list')}\r\n`,
      `GET /api/v1/catalog/list HTTP/1.1\r\nHost: x\r\n\r\n`,
      `${head('GET', 'list')}\r\n`,
      `${head('GET', 'list')}Connection: close\r\n\r\n`,
    ];
    const text = await sendRaw(shared.server.url, requests.join(''));
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
    expect(statuses).toEqual([404, 400, 400, 428, 404, 405, 401, 200, 200]);
  });

  it('a client that expects 100 before it sends', async () => {
    const body = newFolder();
    const { url } = shared.server;
    const { hostname, port } = new URL(url);
    const outgoing = request({
      hostname,
      port,
      method: 'POST',
      path: '/api/v1/catalog/folders',
      headers: {
        authorization: `Bearer ${shared.token}`,
        'content-type': 'application/json',
        'content-length': String(body.length),
        expect: '100-continue',
      },
    });
    const status = new Promise<number | undefined>((resolve, reject) => {
      outgoing.on('continue', () => outgoing.end(body));
      outgoing.on('response', (answer) => resolve(answer.resume().statusCode));
      outgoing.on('error', reject);
    });
    outgoing.flushHeaders();
    expect(await status).toBe(201);
  });

  it('many at once', async () => {
    const headers = { authorization: `Bearer ${shared.token}` };
    const asked = Array.from({ length: 300 }, (_, index) =>
      send(shared.server.url, 'GET', `/api/v1/catalog/by-path/${index % 2 === 0 ? box : `${box}/${index}`}`, {
        headers,
      }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map((_, index) => (index % 2 === 0 ? 200 : 404)));
  });
});
