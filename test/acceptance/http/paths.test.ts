import { beforeAll, describe, expect, it } from 'vitest';
import {
  encodePath,
  expectErrorBody,
  expectRefusal,
  type Item,
  type Kind,
  sendTarget,
} from '../../support/http.ts';
import { shareServer } from '../../support/server.ts';
import { covers } from './rows.ts';

const shared = shareServer();
const KINDS: readonly Kind[] = ['folders', 'assets'];

beforeAll(async () => {
  await shared.admin.make('folders', '@Shared/box');
  await shared.admin.make('folders', '@Shared/box/sub folder@x');
  await shared.admin.make('assets', '@Shared/box/sub folder@x/script');
});

const read = (target: string) => shared.admin.send('GET', `/catalog/by-path/${target}`);

describe('one path in many notations', () => {
  it.each([
    '@Shared/box/sub%20folder@x/script',
    '@Shared/box/sub%20folder%40x/script',
    '%40Shared%2Fbox%2Fsub%20folder%40x%2Fscript',
    '%40Shared%2fbox/sub%20folder%40x%2fscript',
    '%40%53hared/%62ox/sub%20folder@x/%73cript',
    '/@Shared/box/sub%20folder@x/script',
    '@Shared/box/sub%20folder@x/script/',
    '/@Shared/box/sub%20folder@x/script/',
    '//@Shared/box//sub%20folder@x///script//',
    '%2F@Shared/box/sub%20folder@x/script%2F',
    '@Shared/box/sub%20folder@x/script?a=b&c',
    '@Shared/box/sub%20folder@x/script?',
    '@Shared/box/sub%20folder@x/script?project_version=1#x',
  ])(`${covers('encoded paths', 'leading slash', 'trailing slash', 'raw slashes')}: %s`, async (target) => {
    const { status, body } = await read(target);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { path: '@Shared/box/sub folder@x/script' },
    });
  });

  it(`for changes, too: ${covers('leading slash', 'trailing slash', 'encoded paths')}`, async () => {
    const { admin } = shared;
    await admin.make('folders', '@Shared/spelled');
    await admin.make('assets', '@Shared/spelled/a b');
    const put = (kind: Kind, target: string, body: unknown) =>
      admin.send('PUT', `/catalog/${kind}/${target}`, { headers: { 'if-match': '*' }, body });
    const asset = await put('assets', '/%40Shared%2Fspelled/a%20b/', { description: 'x' });
    expect(asset).toMatchObject({ status: 200, body: { path: '@Shared/spelled/a b' } });
    const folder = await put('folders', '%2F@Shared/spelled/', { description: 'x' });
    expect(folder).toMatchObject({ status: 200, body: { path: '@Shared/spelled' } });
    const created = await admin.create('folders', { parent_path: '/@Shared/spelled/', name: 'c' });
    expect(created.body).toMatchObject({ path: '@Shared/spelled/c' });
    const deleted = await admin.send('DELETE', '/catalog/folders//@Shared/spelled/c/', {
      headers: { 'if-match': '*' },
    });
    expect(deleted.status).toBe(204);
  });

  it.each([
    '@Shared/box%2F%2Fsub',
    '@Shared%2F%2Fbox',
    '%2F%2F@Shared/box',
    '@Shared/box%2F%2F',
    '@Shared/%2Fbox',
  ])(`${covers('empty segment', 'path in a detail')}: %s`, async (target) => {
    const path = decodeURIComponent(target);
    expectRefusal(await read(target), 404, `Path not found: ${path}`);
    expectRefusal(await shared.admin.send('GET', `/catalog/list/${target}`), 404, `Path not found: ${path}`);
    for (const kind of KINDS) {
      const removed = await shared.admin.send('DELETE', `/catalog/${kind}/${target}`, {
        headers: { 'if-match': '*' },
      });
      expectRefusal(removed, 404, `Path not found: ${path}`);
      const body = { parent_path: path, name: 'x', content: '' };
      expectRefusal(await shared.admin.create(kind, body), 404, `Path not found: ${path}`);
    }
  });

  it.each([
    '@Shared/.',
    '@Shared/box/..',
    '@Shared/box/../box',
    '@Shared/./box',
    '../by-path/@Shared/box',
    '@Shared/%2e%2e/@Shared/box',
    '@Shared/%2E/box',
    '%2e%2e/@Shared',
    '@Shared/box/%2e%2e%2f%2e%2e',
  ])(`${covers('dot segment')}: %s`, async (target) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const route = method === 'GET' ? 'by-path' : 'folders';
      const answer = await sendTarget(
        shared.server.url,
        shared.token,
        method,
        `/api/v1/catalog/${route}/${target}`,
      );
      expectRefusal(answer, 404, `Path not found: ${decodeURIComponent(target)}`);
    }
    const list = await sendTarget(shared.server.url, shared.token, 'GET', `/api/v1/catalog/list/${target}`);
    expectRefusal(list, 404, `Path not found: ${decodeURIComponent(target)}`);
  });

  it('dots never lead to another route, and never avoid the token', async () => {
    const { url } = shared.server;
    const targets = [
      '/health/../api/v1/catalog/list',
      '/api/v1/../v1/catalog/list',
      '/./api/v1/catalog/list',
    ];
    for (const target of targets) {
      expect((await sendTarget(url, 'x', 'GET', target)).status).toBeGreaterThanOrEqual(400);
    }
    const hidden = await sendTarget(url, 'x', 'GET', '/health/%2e%2e/api/v1/catalog/list');
    expect(hidden.status).toBe(404);
  });

  it.each(['%', '%4', '%zz', '%C3', '%E9', '%ED%A0%80', '%FF', '%C0%AF', 'x%'])(
    `invalid UTF-8, ${covers('framework errors')}: %s`,
    async (bytes) => {
      for (const target of [`@Shared/${bytes}`, `${bytes}/box`, `@Shared%2F${bytes}/x`]) {
        const detail = 'The URL is malformed: percent signs must be followed by a UTF-8 byte';
        expectRefusal(await read(target), 400, detail);
        expectRefusal(await shared.admin.send('DELETE', `/catalog/assets/${target}`), 400, detail);
      }
    },
  );

  it.each(['%00', '%0a', '%0D%0A', '%7F', 'a%01b', '%C2%85'])(
    'control characters in a path: %s',
    async (bytes) => {
      const path = `@Shared/${decodeURIComponent(bytes)}`;
      expectRefusal(await read(`@Shared/${bytes}`), 404, `Path not found: ${path}`);
    },
  );

  it('raw bytes that a URL must not contain', async () => {
    const { url } = shared.server;
    for (const target of ['@Shared/box x', '@Shared/\u0001', '@Shared/\u007f', '@Shared/bo\tx']) {
      const answer = await sendTarget(url, shared.token, 'GET', `/api/v1/catalog/by-path/${target}`);
      expect([400, 404]).toContain(answer.status);
      expectErrorBody(answer);
    }
  });
});

/** Names that encoders, decoders, shells, databases and URLs could handle wrongly. */
const NAMES = [
  '%',
  '%41',
  '%2F',
  '%252F',
  '100%',
  '%zz',
  'a+b',
  'a b',
  ' ',
  '#',
  'a#b',
  '?',
  'a?b=c',
  ';',
  'a;b',
  'a&b=c',
  '=',
  '@',
  '@Shared',
  ':',
  '*',
  ':path',
  '{path}',
  '\\',
  'a\\..\\b',
  '...',
  '.hidden',
  '~',
  '-',
  "'",
  '"',
  "'; DROP TABLE catalog_items; --",
  '<script>',
  '$1',
  '`',
  '|',
  '^',
  '[x]',
  '__proto__',
  'constructor',
  'toString',
  'null',
  '0',
  '-1',
  'list',
  'by-path',
  'é',
  'e\u0301',
  'A',
  'a',
  'ñandú',
  '日本語',
  '😀',
  '👨‍👩‍👧‍👦',
  '🇩🇪',
  'שלום',
  'مرحبا',
  '\u202eevil',
  '\u200b',
  '\u00a0',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ufffd',
  '\uffff',
  '\u{10ffff}',
  'x'.repeat(255),
  '%'.repeat(255),
  '😀'.repeat(255),
];

describe.each(KINDS)('every name is returned unchanged: %s', (kind) => {
  it(covers('decoded once', 'location of both', 'encoded paths', 'names are exact'), async () => {
    const { admin } = shared;
    const folder = await admin.make('folders', `@Shared/names of ${kind}`);
    for (const name of NAMES) {
      const created = await admin.create(kind, { parent_path: folder, name, content: '' });
      expect(created.status, name).toBe(201);
      const { location } = created.headers;
      expect(location).toMatch(/^\/api\/v1\/catalog\/by-path\/@Shared\/[\x21-\x7e]+$/);
      expect(location!.split('/')).toHaveLength(8);
      for (const target of [
        location!.replace('/api/v1', ''),
        `/catalog/by-path/${encodePath(`${folder}/${name}`)}`,
      ]) {
        const answer = await admin.send('GET', target);
        expect(answer.body, name).toMatchObject({ name, path: `${folder}/${name}` });
      }
    }
    const { data } = (await admin.list(folder)).body as { data: Item[] };
    const bytes = (text: string) => Buffer.from(text);
    expect(data.map(({ name }) => name)).toEqual(
      NAMES.toSorted((a, b) => Buffer.compare(bytes(a), bytes(b))),
    );
    for (const name of NAMES) {
      const path = `${folder}/${name}`;
      const renamed = await admin.update(kind, path, '*', { name: 'renamed' });
      expect(renamed.status, name).toBe(200);
      const back = await admin.update(kind, `${folder}/renamed`, renamed.headers.etag, { name });
      expect(back.body, name).toMatchObject({ path });
      expect((await admin.remove(kind, path, back.headers.etag)).status, name).toBe(204);
      expectRefusal(await admin.read(path), 404, `Path not found: ${path}`);
    }
  });
});

describe('similar names are different', () => {
  it(covers('decoded once'), async () => {
    const { admin } = shared;
    const folder = await admin.make('folders', '@Shared/once');
    await admin.make('assets', `${folder}/A`, { content: 'plain' });
    await admin.make('assets', `${folder}/%41`, { content: 'literal' });
    await admin.make('folders', `${folder}/x`);
    await admin.make('assets', `${folder}/x/y`, { content: 'nested' });
    await admin.make('assets', `${folder}/x%2Fy`, { content: 'flat' });
    await admin.make('assets', `${folder}/a+b`, { content: 'plus' });
    await admin.make('assets', `${folder}/a b`, { content: 'space' });
    const contents = {
      A: 'plain',
      '%41': 'plain',
      '%2541': 'literal',
      'x/y': 'nested',
      'x%2Fy': 'nested',
      'x%252Fy': 'flat',
      'a+b': 'plus',
      'a%2Bb': 'plus',
      'a%20b': 'space',
    };
    for (const [target, content] of Object.entries(contents)) {
      expect((await read(`@Shared/once/${target}`)).body, target).toMatchObject({ data: { content } });
    }
    expectRefusal(await read('@Shared/once/%252541'), 404, 'Path not found: @Shared/once/%2541');
    expectRefusal(await read('@Shared/once/%25zz'), 404, 'Path not found: @Shared/once/%zz');
  });

  it('a parent path in a body is not decoded', async () => {
    const answer = await shared.admin.create('folders', { parent_path: '@Shared%2Fbox', name: 'x' });
    expectRefusal(answer, 404, 'Path not found: @Shared%2Fbox');
    const plain = await shared.admin.create('folders', { parent_path: '@Shared/sub%20folder', name: 'x' });
    expectRefusal(plain, 404, 'Path not found: @Shared/sub%20folder');
  });
});

describe('deep and long paths', () => {
  it(`a hundred levels: ${covers('long paths', 'rename moves children')}`, async () => {
    const { admin } = shared;
    let path = await admin.make('folders', '@Shared/deep');
    for (let level = 1; level <= 100; level++) {
      path = await admin.make('folders', `${path}/level ${level} é`);
    }
    const asset = await admin.make('assets', `${path}/script`);
    expect((await admin.read(asset)).body).toMatchObject({ name: 'script', path: asset });
    expect((await admin.list(path)).body).toMatchObject({ data: [{ path: asset }] });
    await admin.update('folders', '@Shared/deep', '*', { name: 'deeper' });
    const moved = asset.replace('@Shared/deep/', '@Shared/deeper/');
    expect((await admin.read(moved)).body).toMatchObject({ path: moved });
    expectRefusal(await admin.read(asset), 404, `Path not found: ${asset}`);
    expectRefusal(await admin.read(`${moved}/x`), 404, `Path not found: ${moved}/x`);
  });

  it.each([2_000, 10_000, 16_000])(`${covers('long paths')}: %i characters`, async (length) => {
    const path = `@Shared/${'x'.repeat(length - 8)}`;
    expectRefusal(await shared.admin.read(path), 404, `Path not found: ${path}`);
    expectRefusal(await shared.admin.list(path), 404, `Path not found: ${path}`);
  });

  it('longer than any path: refused in the shape of the other errors', async () => {
    for (const length of [20_000, 60_000, 100_000]) {
      const answer = await shared.admin.read(`@Shared/${'x'.repeat(length)}`);
      expect([400, 404, 414, 431]).toContain(answer.status);
      expectErrorBody(answer);
    }
  });
});
