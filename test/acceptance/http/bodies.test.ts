import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { expectRefusal, parseAnswer, sendRaw } from '../../support/http.ts';
import { shareBox } from './box.ts';
import { covers } from './rows.ts';

const { shared, box, newName, newFolder } = shareBox();
const post = (body: string | Buffer | undefined, headers: Record<string, string> = {}) =>
  shared.admin.send('POST', '/catalog/folders', { headers, body });

describe('bodies', () => {
  it.each([
    '{',
    '{"name":',
    '{"name":"x"',
    "{'name':'x'}",
    '{name:"x"}',
    '{"name":"x",}',
    '{"name":"x"} {"name":"y"}',
    '{"name":"x"}x',
    '"\u0001"',
    '{"name":"\n"}',
    '{"name":"\\x41"}',
    '{"name":"\\ud83"}',
    'NaN',
    'undefined',
    '01',
    '[1,]',
    'true false',
    '// comment\n{}',
    ' ',
    '\0',
    '<xml/>',
    'name=x',
  ])(`${covers('framework errors', 'json in and out')}: %j`, async (body) => {
    expectRefusal(await post(body), 400, expect.stringMatching(/^The body is not valid JSON: /));
  });

  it('with invalid JSON are not quoted in errors', async () => {
    const answer = await post('{"password":"correct horse battery", oops');
    expectRefusal(answer, 400, expect.any(String));
    expect(answer.text).not.toMatch(/horse|oops/);
  });

  it.each([
    [Buffer.from([0xff])],
    [Buffer.from([0x22, 0xc3, 0x22])],
    [Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    [Buffer.from([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22])],
    [Buffer.from('{"name":"x"}', 'utf16le')],
    [Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{}', 'utf16le')])],
    [Buffer.concat([Buffer.from('{"name":"'), Buffer.from('é', 'latin1'), Buffer.from('"}')])],
  ])('with invalid UTF-8: %j', async (body) => {
    expectRefusal(await post(body), 400, expect.stringMatching(/^The body is not valid JSON: /));
  });

  it('may start with a byte order mark', async () => {
    expect((await post(`\ufeff${newFolder()}`)).status).toBe(201);
  });

  it('with deep nesting do not crash the server, also in an ignored field', async () => {
    const depth = 200_000;
    const deep = '['.repeat(depth) + ']'.repeat(depth);
    expectRefusal(await post(deep), 400, expect.any(String));
    const field = `{"parent_path":"${box}","name":"${newName()}","x":${deep}}`;
    expect([201, 400]).toContain((await post(field)).status);
    expect((await shared.admin.list('')).status).toBe(200);
  });

  it('with a repeated key have the last value', async () => {
    const name = newName();
    const answer = await post(`{"parent_path":"@Nowhere","name":1,"name":"${name}","parent_path":"${box}"}`);
    expect(answer).toMatchObject({ status: 201, body: { name } });
  });

  it(`${covers('unknown fields')}: names of inherited object properties`, async () => {
    const name = newName();
    const body = `{"parent_path":"${box}","name":"${name}","__proto__":{"folder_type":"PROJECT","name":"x"},"constructor":{"prototype":{"admin":true}}}`;
    expect(await post(body)).toMatchObject({ status: 201, body: { name, type: 'REGULAR_FOLDER' } });
    const inherited = `{"__proto__":{"parent_path":"${box}","name":"inherited"}}`;
    expectRefusal(await post(inherited), 400, 'Parent path is required');
  });
});

describe('missing bodies', () => {
  it('count as bodies without fields', async () => {
    expectRefusal(await post(undefined), 400, 'Parent path is required');
    expectRefusal(await post('', { 'content-type': 'application/json' }), 400, 'Parent path is required');
    expectRefusal(await post('', { 'content-length': '0' }), 400, 'Parent path is required');
    const path = await shared.admin.make('folders', `${box}/${newName()}`);
    expect((await shared.admin.update('folders', path, '*', undefined)).status).toBe(200);
    expect((await shared.admin.update('folders', path, '*', '')).status).toBe(200);
    const asset = await shared.admin.make('assets', `${box}/${newName()}`);
    expectRefusal(await shared.admin.update('assets', asset, '*', ''), 400, 'Name or content is required');
  });

  it('do not prevent deletions, although they have a content type', async () => {
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
    ]) {
      const path = await shared.admin.make('assets', `${box}/${newName()}`);
      const target = `/catalog/assets/${encodeURI(path)}`;
      const headers = { 'if-match': '*', 'content-type': type };
      expect((await shared.admin.send('DELETE', target, { headers })).status).toBe(204);
    }
    const path = await shared.admin.make('assets', `${box}/${newName()}`);
    const sent = await shared.admin.send('DELETE', `/catalog/assets/${encodeURI(path)}`, {
      headers: { 'if-match': '*' },
      body: { ignored: true },
    });
    expect(sent.status).toBe(204);
  });
});

describe('content types', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'Application/JSON',
    'application/json ; x=y',
    'application/json;',
  ])('%s is JSON', async (type) => {
    expect((await post(newFolder(), { 'content-type': type })).status).toBe(201);
  });

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/json+x',
    'xapplication/json',
    'application',
    '*/*',
    '',
    'application/json\t,text/plain',
  ])('415: %j', async (type) => {
    expectRefusal(await post(newFolder(), { 'content-type': type }), 415, expect.stringContaining('JSON'));
  });

  it('415: a body without one', async () => {
    const body = newFolder();
    const { token, server } = shared;
    const text = await sendRaw(
      server.url,
      `POST /api/v1/catalog/folders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expectRefusal(parseAnswer(text), 415, expect.stringContaining('JSON'));
  });

  it.each(['gzip', 'deflate', 'br', 'x'])('415: Content-Encoding %s', async (encoding) => {
    expectRefusal(
      await post(newFolder(), { 'content-encoding': encoding }),
      415,
      expect.stringContaining(encoding),
    );
  });
});

describe('sizes', () => {
  it(`${covers('new asset: content too large', 'put asset: content too large')}: 20 MB`, async () => {
    const content = 'x'.repeat(20 * 1024 * 1024);
    const created = await shared.admin.create('assets', {
      parent_path: box,
      name: newName(),
      content,
    });
    expectRefusal(created, 400, 'Content exceeds the 15 MB size limit');
    const path = await shared.admin.make('assets', `${box}/${newName()}`);
    const updated = await shared.admin.update('assets', path, '*', { content });
    expectRefusal(updated, 400, 'Content exceeds the 15 MB size limit');
    expect((await shared.admin.read(path)).body).toMatchObject({ data: { content: 'SELECT 1' } });
  });

  it('413: more than any content needs', async () => {
    const { server, token } = shared;
    const bytes = 6 * 15 * 1024 * 1024 + 2 * 1024 * 1024;
    const text = await sendRaw(
      server.url,
      `POST /api/v1/catalog/assets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${bytes}\r\nConnection: close\r\n\r\n{`,
    );
    expectRefusal(parseAnswer(text), 413, expect.any(String));
  });
});

describe('half-sent bodies', () => {
  it('change nothing, and do not affect others', async () => {
    const name = newName();
    const body = JSON.stringify({ parent_path: box, name });
    const head = `POST /api/v1/catalog/folders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shared.token}\r\nContent-Type: application/json\r\n`;
    const { hostname, port } = new URL(shared.server.url);
    const broken = [
      `${head}Content-Length: ${body.length + 1}\r\n\r\n${body}`,
      `${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
      `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
      head,
      'POST /api/v1/catalog/fol',
    ];
    for (const bytes of broken) {
      const socket = connect({ host: hostname, port: Number(port) });
      // The server closes a connection that ends in the middle of a request.
      socket.end(bytes).resume();
      await once(socket, 'close');
    }
    expect((await shared.admin.read(`${box}/${name}`)).status).toBe(404);
    const chunked = `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    expect(parseAnswer(await sendRaw(shared.server.url, chunked)).status).toBe(201);
  });

  it.each([
    ['Content-Length: x', 400],
    ['Content-Length: -1', 400],
    ['Content-Length: 2\r\nContent-Length: 3', 400],
    ['Content-Length: 2\r\nTransfer-Encoding: chunked', 400],
    ['Transfer-Encoding: gzip', 400],
  ])('%s is not HTTP', async (header, status) => {
    const text = await sendRaw(
      shared.server.url,
      `POST /api/v1/catalog/folders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shared.token}\r\n` +
        `Content-Type: application/json\r\n${header}\r\n\r\n{}`,
    );
    const answer = parseAnswer(text);
    expectRefusal(answer, status, 'Malformed HTTP request');
  });
});
