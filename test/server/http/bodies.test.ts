import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { expectRefusal, sendRaw } from '../../support/http.ts';
import { eventually } from '../../support/waiting.ts';
import { openRaw } from '../raw.ts';
import { createWorld } from '../world.ts';

const FOLDERS = '/api/v1/catalog/folders';
const ASSETS = '/api/v1/catalog/assets';
const MEGABYTE = 1024 * 1024;

const body = { parent_path: '@Shared', name: 'x' };

describe('bodies', () => {
  it.each([
    ['text/plain', JSON.stringify(body)],
    ['application/x-www-form-urlencoded', 'parent_path=@Shared&name=x'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/json-seq', JSON.stringify(body)],
    ['nonsense', JSON.stringify(body)],
  ])('of the type %s are refused', async (type, text) => {
    const { ask } = await createWorld();
    const answer = await ask('POST', FOLDERS, { body: text, headers: { 'content-type': type } });
    expectRefusal(answer, 415, 'The body must be JSON: Content-Type: application/json');
  });

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="UTF-8"'])(
    'of the type %s are accepted',
    async (type) => {
      const { ask } = await createWorld();
      expect((await ask('POST', FOLDERS, { body, headers: { 'content-type': type } })).status).toBe(201);
    },
  );

  it.each([
    [
      'lists',
      `{"content":[${'[],'.repeat(7_000_000)}[]]}`,
      'The body must not have more than 100,000 values',
    ],
    ['keys', `{${'"a":1,'.repeat(3_000_000)}"b":1}`, 'The body must not have more than 100,000 values'],
    [
      'lists in lists',
      `${'['.repeat(9_000_000)}${']'.repeat(9_000_000)}`,
      'The body is not valid JSON: it is nested too deeply',
    ],
  ])('of millions of %s are refused before they are parsed', async (_, text, detail) => {
    const { ask } = await createWorld();
    expectRefusal(await ask('POST', ASSETS, { body: text }), 400, detail);
    expect((await ask('GET', '/api/v1/catalog/list')).status).toBe(200);
  });

  it('with compression are refused', async () => {
    const { ask } = await createWorld();
    const packed = gzipSync(JSON.stringify(body));
    for (const encoding of ['gzip', 'br', 'Deflate', 'gzip, identity']) {
      const answer = await ask('POST', FOLDERS, { body: packed, headers: { 'content-encoding': encoding } });
      expectRefusal(answer, 415, `Content-Encoding is not supported: ${encoding}`);
    }
    const plain = await ask('POST', FOLDERS, { body, headers: { 'content-encoding': 'identity' } });
    expect(plain.status).toBe(201);
  });

  it.each([
    ['{"name":', 'The body is not valid JSON: it ends too early'],
    ['{"name": secret}', 'The body is not valid JSON: unexpected text'],
    ['', 'Parent path is required'],
    ['null', 'Parent path is required'],
    ['"text"', 'Body must be a JSON object'],
    [Buffer.from([0x22, 0xff, 0x22]), 'The body is not valid JSON: it is not UTF-8'],
  ])('that are not JSON are refused, and not repeated: %s', async (text, detail) => {
    const { ask } = await createWorld();
    expectRefusal(
      await ask('POST', FOLDERS, { body: text, headers: { 'content-type': 'application/json' } }),
      400,
      detail,
    );
  });

  it('of 20 MB have too much content, with the text of the interface', async () => {
    const { ask } = await createWorld();
    const content = 'x'.repeat(20 * MEGABYTE);
    const answer = await ask('POST', ASSETS, { body: { ...body, content } });
    expectRefusal(answer, 400, 'Content exceeds the 15 MB size limit');
    const escaped = `{"parent_path":"@Shared","name":"x","content":"${'\\u0041'.repeat(15 * MEGABYTE)}"}`;
    const answered = await ask('POST', ASSETS, { body: escaped });
    expect(answered.status).toBe(201);
  });

  it('with long contents get the same answers as short ones', async () => {
    const { ask } = await createWorld();
    const content = '\u0001é"\u2028'.repeat(100_000);
    const read = '/api/v1/catalog/by-path/@Shared/x';
    const headers = { 'if-match': '*' };
    const sendAll = async (own: string) => {
      const made = await ask('POST', ASSETS, { body: { ...body, content: own } });
      const changed = await ask('PUT', `${ASSETS}/@Shared/x`, { headers, body: { content: own } });
      const seen = await ask('GET', read);
      const head = await ask('HEAD', read);
      expect(head.headers['content-length']).toBe(seen.headers['content-length']);
      await ask('DELETE', `${ASSETS}/@Shared/x`, { headers });
      return [made, changed, seen].map((answer) => ({
        status: answer.status,
        headers: Object.keys(answer.headers).sort(),
        type: answer.headers['content-type'],
        text: answer.text.replace(JSON.stringify(own), '…').replaceAll(/"\d{4}-[^"]*"/g, '…'),
      }));
    };
    expect(await sendAll(content)).toEqual(await sendAll('short'));
  });

  it('that are larger than any content are refused, with a length or in chunks', async () => {
    const { ask, url, token } = await createWorld();
    const detail = 'The body must not be larger than 1048576 bytes';
    expectRefusal(await ask('POST', FOLDERS, { body: ' '.repeat(MEGABYTE + 1) }), 413, detail);
    const head =
      `POST ${FOLDERS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunk = `40000\r\n${' '.repeat(0x40000)}\r\n`;
    const text = await sendRaw(url, head + chunk.repeat(8), (seen) => seen.includes(detail));
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expectRefusal(
      await ask('POST', ASSETS, { body: ' '.repeat(92 * MEGABYTE) }),
      413,
      'The body must not be larger than 95420416 bytes',
    );
  });

  it('without a valid token are answered before they arrive', async () => {
    const { port } = await createWorld();
    for (const target of [ASSETS, FOLDERS, '/api/v1/nothing']) {
      const connection = await openRaw(port);
      connection.send(
        `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900000000\r\n\r\n{`,
      );
      expect(await connection.answers(1)).toMatch(/^HTTP\/1\.1 401 /);
    }
  });

  it('without the right to the change are answered before they arrive', async () => {
    const { port, token } = await createWorld();
    for (const method of ['PUT', 'DELETE']) {
      for (const target of [`${ASSETS}/@Shared/nothing`, `${FOLDERS}/@Shared/nothing`]) {
        const connection = await openRaw(port);
        connection.send(
          `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nIf-Match: *\r\n` +
            'Content-Type: application/json\r\nContent-Length: 900000\r\n\r\n{',
        );
        expect(await connection.answers(1), `${method} ${target}`).toMatch(/^HTTP\/1\.1 404 /);
      }
    }
  });

  it('are cut off after a time when they are no longer needed', async () => {
    const { port, app } = await createWorld();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const connection = await openRaw(port);
      connection.send(`POST ${ASSETS} HTTP/1.1\r\nHost: x\r\nContent-Length: 900000000\r\n\r\n{`);
      expect(await connection.answers(1)).toMatch(/^HTTP\/1\.1 401 /);
      vi.advanceTimersByTime(4_000);
      connection.send('more');
      expect(connection.socket.destroyed).toBe(false);
      vi.advanceTimersByTime(2_000);
      expect(await connection.rest()).toMatch(/^HTTP\/1\.1 401 /);
      expect(app.server.listening).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('of many megabytes are limited for each user until they are complete', async () => {
    const { port, token, ask } = await createWorld();
    const piece = 'x'.repeat(15 * MEGABYTE);
    const start = async () => {
      const connection = await openRaw(port);
      connection.send(
        `POST ${ASSETS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${90 * MEGABYTE}\r\n\r\n{"description":"`,
      );
      for (let sent = 0; sent < 5; sent += 1) connection.send(piece);
      return connection;
    };
    const connections = await Promise.all([start(), start(), start(), start()]);
    const refused = await Promise.race(connections.map((connection) => connection.answers(1)));
    expect(refused).toMatch(/^HTTP\/1\.1 429 /);
    for (const { socket } of connections) socket.destroy();
    await eventually(async () => {
      const { status } = await ask('POST', ASSETS, {
        body: { ...body, content: 'x'.repeat(2 * MEGABYTE) },
      });
      expect(status).toBe(201);
    });
  });

  it('that arrive while the server stops are read and answered', async () => {
    const { port, token, app, log } = await createWorld();
    const list = `[${'{"a":1},'.repeat(49_000)}1]`;
    const text = JSON.stringify({ ...body, description: JSON.parse(list) });
    const connection = await openRaw(port);
    connection.send(
      `POST ${FOLDERS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nExpect: 100-continue\r\nConnection: close\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`,
    );
    expect(await connection.answers(1)).toMatch(/^HTTP\/1\.1 100 /);
    const closed = app.close();
    connection.send(text);
    expect(await connection.rest()).toContain('"Description must be a string"');
    await closed;
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('that end too early have no effect on others', async () => {
    const { port, ask, token, log } = await createWorld();
    const connection = await openRaw(port);
    connection.send(
      `POST ${FOLDERS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":',
    );
    await eventually(() => expect(connection.socket.bytesWritten).toBeGreaterThan(0));
    connection.socket.destroy();
    await eventually(() => expect(log.map(({ msg }) => msg)).toContain('the client disconnected'));
    expect((await ask('GET', '/health/live')).status).toBe(200);
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('DELETE', () => {
  it('may have a type and no body, an empty body, or an ignored body', async () => {
    const { ask, url, token } = await createWorld();
    for (const [name, headers, text] of [
      ['a', { 'content-type': 'application/json' }, undefined],
      ['b', { 'content-type': 'application/json', 'content-length': '0' }, undefined],
      ['c', {}, '{}'],
      ['d', {}, undefined],
    ] as const) {
      await ask('POST', FOLDERS, { body: { ...body, name } });
      const target = `/api/v1/catalog/folders/@Shared/${name}`;
      const answer = await ask('DELETE', target, {
        headers: { 'if-match': '*', ...headers },
        ...(text === undefined ? {} : { body: text }),
      });
      expect([name, answer.status, answer.text]).toEqual([name, 204, '']);
    }
    await ask('POST', FOLDERS, { body });
    const text = await sendRaw(
      url,
      `DELETE /api/v1/catalog/folders/@Shared/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        'If-Match: *\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 204 /);
    expect(text.toLowerCase()).not.toContain('content-length');
  });
});
