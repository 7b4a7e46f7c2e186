import { describe, expect, it } from 'vitest';
import { type Answer, expectRefusal, type Item, type Kind } from '../../support/http.ts';
import { runQuern } from '../../support/server.ts';
import { KINDS, PATHS, printModified, shareChangeWorld } from './change-world.ts';
import { covers } from './rows.ts';

const world = shareChangeWorld();
const etagIn = (from: string | Answer) => (typeof from === 'string' ? from : from.headers.etag);

describe('an update', () => {
  it(covers('update a folder', 'list entry fields', 'rename moves children', 'status 200'), async () => {
    const before = (await world.admin.read(`${world.root}/folder`)).body as Item;
    const answer = await world.admin.update('folders', `${world.root}/folder`, world.etags.folders, {
      name: 'renamed é',
    });
    expect(answer.body).toEqual({
      name: 'renamed é',
      path: `${world.root}/renamed é`,
      type: 'REGULAR_FOLDER',
      created_at: before.created_at,
      updated_at: expect.any(String),
    });
    expect(Object.keys(answer.body as object)).toEqual(['name', 'path', 'type', 'created_at', 'updated_at']);
    expect(answer.status).toBe(200);
    expect((await world.admin.read(`${world.root}/renamed é`)).headers.etag).toBe(answer.headers.etag);
    expect((await world.admin.read(`${world.root}/folder`)).status).toBe(404);
    expect((await world.admin.read(`${world.root}/folder/script`)).status).toBe(404);
    const { data } = (await world.admin.list(`${world.root}/renamed é`)).body as { data: Item[] };
    expect(data.map(({ path }) => path)).toEqual(
      ['deep', 'other', 'script'].map((name) => `${world.root}/renamed é/${name}`),
    );
    expect((await world.admin.read(`${world.root}/renamed é/script`)).body).toMatchObject({
      path: `${world.root}/renamed é/script`,
    });
  });

  it(covers('put folder without a name', 'folder name optional'), async () => {
    const before = await world.admin.readTree(world.root);
    for (const body of [{}, undefined, 'null', { name: null }, { name: '' }, { unknown: 'x' }]) {
      const etag = world.etags.folders;
      const answer = await world.admin.update('folders', `${world.root}/folder`, etag, body);
      expect(answer).toMatchObject({ status: 200, headers: { etag }, body: { name: 'folder' } });
    }
    expect(await world.admin.readTree(world.root)).toEqual(before);
  });

  it(covers('update an asset', 'asset answer fields', 'etag of every answer'), async () => {
    const path = `${world.root}/folder/script`;
    const content = await world.admin.update('assets', path, world.etags.assets, {
      content: 'SELECT 2',
    });
    expect(content).toMatchObject({
      status: 200,
      body: { name: 'script', data: { content: 'SELECT 2' } },
    });
    const name = await world.admin.update('assets', path, content.headers.etag, { name: 'renamed' });
    expect(name).toMatchObject({
      status: 200,
      body: { path: `${world.root}/folder/renamed`, data: { content: 'SELECT 2' } },
    });
    expect(Object.keys(name.body as object)).toEqual([
      'name',
      'path',
      'type',
      'data',
      'created_at',
      'updated_at',
    ]);
    const both = { name: 'script', content: 'SELECT {{ 3 }}' };
    const { etag } = name.headers;
    const answer = await world.admin.update('assets', `${world.root}/folder/renamed`, etag, both);
    expect(answer).toMatchObject({
      status: 200,
      body: { path, type: 'SERVICE_SCRIPT', data: { content: 'SELECT {{ 3 }}' } },
    });
    const read = await world.admin.read(path);
    const { headers } = answer;
    expect(read).toMatchObject({ status: 200, headers: { etag: headers.etag }, body: answer.body as object });
    expect(new Set([world.etags.assets, content, name, answer].map(etagIn)).size).toBe(4);
  });

  it.each(KINDS)(`%s: ${covers('same name', 'revision rises')}`, async (kind) => {
    const path = `${world.root}/${PATHS[kind]}`;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const { headers } = await world.admin.read(path);
    const answer = await world.admin.update(kind, path, headers.etag, { name });
    expect(answer).toMatchObject({ status: 200, body: { path } });
    expect(answer.headers.etag).not.toBe(headers.etag);
    expectRefusal(
      await world.admin.update(kind, path, headers.etag, { name }),
      412,
      printModified(answer.headers.etag!),
    );
  });

  it.each(KINDS)(`%s: ${covers('unknown fields')}`, async (kind) => {
    const path = `${world.root}/${PATHS[kind]}`;
    const { created_at } = (await world.admin.read(path)).body as Item;
    const body = {
      description: 'x',
      type: 'PROJECT',
      revision: 40,
      created_at: '2000-01-01T00:00:00.000Z',
      id: '',
    };
    const answer = await world.admin.update(kind, path, world.etags[kind], body);
    const type = kind === 'folders' ? 'REGULAR_FOLDER' : 'SQL_SCRIPT';
    expect(answer).toMatchObject({ status: 200, body: { type, created_at } });
  });
});

describe('a move', () => {
  it(covers('move a folder', 'move an asset', 'rename moves children'), async () => {
    const folder = await world.admin.update('folders', `${world.root}/folder`, world.etags.folders, {
      parent_path: `/${world.root}/empty/`,
    });
    expect(folder).toMatchObject({
      status: 200,
      body: { path: `${world.root}/empty/folder` },
    });
    const moved = `${world.root}/empty/folder/script`;
    const asset = await world.admin.update('assets', moved, world.etags.assets, {
      parent_path: world.root,
      name: 'moved',
      content: 'SELECT 3',
    });
    expect(asset).toMatchObject({
      status: 200,
      body: { path: `${world.root}/moved`, data: { content: 'SELECT 3' } },
    });
    expect(asset.headers.etag).not.toBe(world.etags.assets);
    expect((await world.admin.list(`${world.root}/empty/folder`)).body).toMatchObject({
      data: [{ name: 'deep' }, { name: 'other' }],
    });
  });

  it(covers('move: parent not found', 'move: parent is an asset', 'move: name exists'), async () => {
    const { admin } = world;
    await admin.make('folders', `${world.root}/empty/folder`);
    await admin.make('assets', `${world.root}/empty/script`);
    const before = await admin.readTree(world.root);
    const move = (kind: Kind, parent_path: string) =>
      admin.update(kind, `${world.root}/${PATHS[kind]}`, world.etags[kind], { parent_path });
    for (const kind of KINDS) {
      expectRefusal(await move(kind, `${world.root}/nowhere`), 404, `Path not found: ${world.root}/nowhere`);
      expectRefusal(await move(kind, `${world.root}/empty`), 400, 'Name already exists.');
    }
    const asset = `${world.root}/folder/other`;
    expectRefusal(await move('folders', asset), 422, 'Parent path must be a folder');
    expectRefusal(await move('assets', asset), 404, `Path not found: ${asset}`);
    for (const parent of [`${world.root}/folder`, `${world.root}/folder/deep`]) {
      expectRefusal(await move('folders', parent), 400, 'Folder cannot be moved into itself or below itself');
    }
    expect(await admin.readTree(world.root)).toEqual(before);
  });

  it(covers('move: no permission'), async () => {
    for (const target of [
      `${world.base}/seen`,
      `${world.base}/hidden`,
      `${world.base}/hidden/script`,
      `${world.base}/hidden/nowhere`,
    ]) {
      for (const kind of KINDS) {
        const answer = await world.outsider.update(kind, `${world.root}/${PATHS[kind]}`, world.etags[kind], {
          parent_path: target,
        });
        expectRefusal(answer, 404, `Path not found: ${target}`);
      }
    }
  });
});

describe('a deletion', () => {
  it(covers('delete a folder', 'delete an asset', 'status 204'), async () => {
    for (const [kind, path] of [
      ['assets', `${world.root}/folder/script`],
      ['folders', `${world.root}/empty`],
    ] as const) {
      const { etag } = (await world.admin.read(path)).headers;
      const answer = await world.admin.remove(kind, path, etag);
      expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([204, '', undefined]);
      expectRefusal(await world.admin.read(path), 404, `Path not found: ${path}`);
      expectRefusal(await world.admin.remove(kind, path, etag), 404, `Path not found: ${path}`);
    }
  });

  it('releases a name, also for an item of another kind', async () => {
    const path = `${world.root}/folder/script`;
    expect((await world.admin.remove('assets', path, world.etags.assets)).status).toBe(204);
    await world.admin.make('folders', path);
    expect(await world.admin.read(path)).toMatchObject({ status: 200, body: { type: 'REGULAR_FOLDER' } });
  });

  it(covers('hidden children count'), async () => {
    const { admin, server } = world;
    await admin.make('folders', `${world.root}/empty/secret`);
    await runQuern(server.cwd, ['grant', 'restrict', `${world.root}/empty/secret`]);
    expect((await world.outsider.list(`${world.root}/empty`)).body).toEqual({ data: [] });
    expectRefusal(
      await world.outsider.remove('folders', `${world.root}/empty`, '*'),
      400,
      'Folder is not empty',
    );
  });
});
