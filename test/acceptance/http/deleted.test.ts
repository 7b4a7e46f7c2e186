import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, createClient, encodePath, expectRefusal } from '../../support/http.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';

const shared = shareServer();
/** Creates and deletes in `@Shared`, and does not manage it. */
let ada: Client;
let bob: Client;
let folder: string;
let count = 0;

interface Listed {
  readonly data: readonly { readonly id: string; readonly path: string }[];
}

beforeAll(async () => {
  const { cwd, url } = shared.server;
  for (const name of ['ada', 'bob']) await runQuern(cwd, `user create ${name}`);
  [ada, bob] = (await Promise.all(
    ['ada', 'bob'].map(async (name) => createClient(url, await createToken(cwd, name))),
  )) as [Client, Client];
});

beforeEach(async () => {
  folder = await shared.admin.make('folders', `@Shared/folder ${++count}`);
  await shared.admin.make('assets', `${folder}/report`, { content: 'SELECT 42' });
});

async function list(client: Client, query = `?q=${encodePath(folder)}`): Promise<Listed['data']> {
  const { body } = await client.send('GET', `/manage/deleted${query}`);
  return (body as Listed).data;
}

/** Deletes an item as ada; returns its id in the bin. */
async function remove(kind: 'folders' | 'assets', path: string): Promise<string> {
  expect((await ada.remove(kind, path, '*')).status).toBe(204);
  return (await list(ada)).find((item) => item.path === path)!.id;
}

const restore = (client: Client, id: string, body?: object) =>
  client.send('POST', `/manage/deleted/${id}/restore`, body === undefined ? {} : { body });

describe('several items', () => {
  it('are deleted and restored in one request each, with an outcome and another ETag for each', async () => {
    const paths = [`${folder}/report`, `${folder}/missing`];
    const before = await shared.admin.read(paths[0]!);
    const reader = createClient(
      shared.server.url,
      (
        await runQuern(shared.server.cwd, `token create --name reader${count} --user ada --scope read`)
      ).trim(),
    );
    const remove = (client: Client) =>
      client.send('POST', '/manage/items/changes', { body: { paths, delete: true } });
    const refused = { done: false, code: 'path_not_found', deleted_id: null };
    expect((await remove(reader)).body).toMatchObject({ data: [refused, refused] });
    const { body } = await remove(ada);
    expect(body).toMatchObject({ data: [{ done: true, message: null }, refused] });
    const [{ deleted_id: id }] = (body as { data: [{ deleted_id: string }] }).data;
    expectRefusal(await ada.read(paths[0]!), 404, `Path not found: ${paths[0]}`);
    const undo = (client: Client) => client.send('POST', '/manage/deleted/restore', { body: { ids: [id] } });
    expect((await undo(bob)).body).toMatchObject({ data: [{ done: false, path: null }] });
    expect((await undo(ada)).body).toMatchObject({ data: [{ done: true, path: paths[0] }] });
    const { etag } = before.headers;
    expect((await ada.remove('assets', paths[0]!, etag!)).status).toBe(412);
  });

  it('need paths, and exactly one change', async () => {
    const ask = (body: object) => ada.send('POST', '/manage/items/changes', { body });
    expectRefusal(await ask({ delete: true }), 400, 'Paths is required');
    expectRefusal(
      await ask({ paths: [folder] }),
      400,
      'The items need exactly one change, parent_path or delete, and the request has 0',
    );
    expect((await ada.read(folder)).status).toBe(200);
  });
});

describe('a deleted item', () => {
  it('is in the bin of its deleter and of administrators, and can be restored there with another ETag', async () => {
    const path = `${folder}/report`;
    const before = await shared.admin.read(path);
    const id = await remove('assets', path);
    expectRefusal(await ada.read(path), 404, `Path not found: ${path}`);
    expect(await list(shared.admin)).toMatchObject([
      { id, path, type: 'SQL_SCRIPT', items: 1, bytes: 9, deleted_by: 'ada' },
    ]);
    expect(await list(bob)).toEqual([]);
    expectRefusal(await restore(bob, id), 404, `Deleted item not found: ${id}`);
    const restored = await restore(ada, id);
    expect(restored).toMatchObject({ status: 200, body: { path, name: 'report', type: 'SQL_SCRIPT' } });
    const after = await ada.read(path);
    expect(after.headers.etag).toBe(restored.headers.etag);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(after.body).toMatchObject({ data: { content: 'SELECT 42' } });
    expectRefusal(await restore(ada, id), 404, `Deleted item not found: ${id}`);
  });

  it('with everything in it is one item, and needs another place when its own is taken', async () => {
    await ada.send('DELETE', `/manage/folders/${encodePath(folder)}`, { headers: { 'if-match': '*' } });
    const [item] = await list(ada);
    expect(item).toMatchObject({ path: folder, type: 'REGULAR_FOLDER', items: 2, bytes: 9 });
    await ada.make('folders', folder);
    expectRefusal(await restore(ada, item!.id), 400, 'Name already exists.');
    expectRefusal(await restore(ada, item!.id, { name: 'a/b' }), 400, "Name cannot contain '/' character");
    const missing = { parent_path: '@Shared/missing' };
    expectRefusal(await restore(ada, item!.id, missing), 404, 'Path not found: @Shared/missing');
    const restored = await restore(ada, item!.id, { parent_path: folder, name: 'old' });
    expect(restored.body).toMatchObject({ path: `${folder}/old` });
    expect((await ada.read(`${folder}/old/report`)).status).toBe(200);
  });

  it('is listed in pages, the newest first', async () => {
    await ada.make('assets', `${folder}/second`);
    await remove('assets', `${folder}/report`);
    await remove('assets', `${folder}/second`);
    const [first] = await list(ada, '?limit=1');
    expect(first!.path).toBe(`${folder}/second`);
    const [next] = await list(ada, `?limit=1&before=${first!.id}`);
    expect(next!.path).toBe(`${folder}/report`);
    for (const limit of ['0', '1001', 'x'])
      expect((await ada.send('GET', `/manage/deleted?limit=${limit}`)).status).toBe(400);
  });

  it('is deleted permanently with the scope `all` alone', async () => {
    const id = await remove('assets', `${folder}/report`);
    const { cwd, url } = shared.server;
    const writer = createClient(url, await createToken(cwd, 'ada', '--scope', 'write'));
    const drop = (client: Client) => client.send('DELETE', `/manage/deleted/${id}`);
    expectRefusal(await drop(writer), 404, `Deleted item not found: ${id}`);
    expect((await drop(ada)).status).toBe(204);
    expectRefusal(await drop(ada), 404, `Deleted item not found: ${id}`);
    expect(await list(shared.admin)).toEqual([]);
  });
});
