import { describe, expect, it } from 'vitest';
import { inspectCatalog } from '../../../src/store/inspect-catalog.ts';
import { close, idOf, makeAsset, makeFolders, namesIn, refusalOf, revisionOf } from '../world.ts';
import { countRows, createPlace, deleteHome, idIn, pathsIn, refusedOf } from './deleting.ts';

const TIME = /^2026-03-01T00:00:0\d\.\d{3}Z$/;

describe('the bin', () => {
  it('has an entry for each deletion, the newest first, with the size of everything in it', async () => {
    const world = createPlace();
    const { catalog, owner, bin } = world;
    catalog.updateAsset(owner, '@Shared/a/b/s', '*', { content: 'select 1, 2' });
    catalog.deleteAsset(owner, '@Shared/a/b/t', '*');
    await catalog.served.deleteTree(owner, '@Shared/a', '*');
    makeFolders(world, '@Shared/c');
    catalog.deleteFolder(owner, '@Shared/c', '*');
    const common = { deleted_by: owner.userName, deleted_at: expect.stringMatching(TIME) };
    expect(bin.list(owner)).toEqual([
      expect.objectContaining({ path: '@Shared/c', type: 'REGULAR_FOLDER', items: 1, bytes: 0, ...common }),
      // The folder a, the folder b and the script s with both of its contents.
      expect.objectContaining({ path: '@Shared/a', type: 'REGULAR_FOLDER', items: 3, bytes: 19, ...common }),
      expect.objectContaining({ path: '@Shared/a/b/t', type: 'SQL_SCRIPT', items: 1, bytes: 9, ...common }),
    ]);
    const { deleted_at, kept_until } = bin.list(owner)[0]!;
    expect(Date.parse(kept_until) - Date.parse(deleted_at)).toBe(30 * 86_400_000);
    expect(inspectCatalog(world.home).problems).toEqual([]);
  });

  it('is searched by a part of the path, and read in pages', () => {
    const world = createPlace();
    const { catalog, owner, bin } = world;
    for (const name of ['s', 't']) catalog.deleteAsset(owner, `@Shared/a/b/${name}`, '*');
    catalog.deleteFolder(owner, '@Shared/a/b', '*');
    expect(bin.list(owner, { q: 'A/B/' }).map(({ path }) => path)).toEqual([
      '@Shared/a/b/t',
      '@Shared/a/b/s',
    ]);
    expect(bin.list(owner, { q: '%' })).toEqual([]);
    const [first] = bin.list(owner, { limit: 1 });
    expect(first?.path).toBe('@Shared/a/b');
    const rest = bin.list(owner, { before: first!.id });
    expect(rest.map(({ path }) => path)).toEqual(['@Shared/a/b/t', '@Shared/a/b/s']);
    expect(bin.list(owner, { before: rest.at(-1)!.id })).toEqual([]);
    expect(refusalOf(() => bin.list(owner, { limit: 0 }))).toMatchObject({ code: 'limit_out_of_range' });
  });

  it('hides its items from paths, lists, searches, imports and ids, and frees the name at once', async () => {
    const world = createPlace();
    const { catalog, owner } = world;
    const id = idOf(world, '@Shared/a/b/s');
    await catalog.served.deleteTree(owner, '@Shared/a', '*');
    expect(namesIn(world, '@Shared')).toEqual([]);
    for (const path of ['@Shared/a', '@Shared/a/b/s'])
      expect(refusalOf(() => catalog.get(owner, path))).toMatchObject({ status: 404 });
    expect((await catalog.served.search(owner, { name: 'b' })).data).toEqual([]);
    expect((await catalog.served.search(owner, { content: 'select' })).data).toEqual([]);
    expect(refusalOf(() => catalog.listTexts('@Shared/a'))).toMatchObject({ status: 404 });
    expect(catalog.printPath(id)).toBeNull();
    makeFolders(world, '@Shared/a/b');
    expect(refusalOf(() => catalog.get(owner, '@Shared/a/b/s'))).toMatchObject({ status: 404 });
  });

  it('keeps nothing when its days are 0, or the deletion is permanent', async () => {
    const world = createPlace({ findBinDays: () => 0 });
    await world.catalog.served.deleteTree(world.owner, '@Shared/a', '*');
    makeAsset(world, '@Shared/s');
    await world.catalog.served.deleteAsset(world.owner, '@Shared/s', '*');
    expect(countRows(world, 'catalog_contents')).toBe(0);
    const kept = createPlace();
    kept.catalog.deleteTree(kept.owner, '@Shared/a', '*', { isForever: true });
    for (const { bin, owner } of [world, kept]) expect(bin.list(owner)).toEqual([]);
    expect(countRows(kept, 'catalog_contents')).toBe(0);
  });
});

describe('a restored item', () => {
  it('has its contents, history, description, grants and restriction, and a new revision', () => {
    const world = createPlace();
    const { catalog, owner, bin, history, guest } = world;
    catalog.updateAsset(owner, '@Shared/a/b/s', '*', { content: 'select 2', description: 'Two' });
    close(world, '@Shared/a/b/s', 'VIEW');
    const before = catalog.get(owner, '@Shared/a/b/s');
    const revisions = history.list(owner, '@Shared/a/b/s');
    catalog.deleteAsset(owner, '@Shared/a/b/s', '*');
    const { body, revision } = bin.restore(owner, idIn(world, '@Shared/a/b/s'));
    expect(body).toMatchObject({ path: '@Shared/a/b/s', name: 's', type: 'SQL_SCRIPT' });
    expect(revision).toBe(revisionOf(world, '@Shared/a/b/s'));
    expect(revision).toBeGreaterThan(before.revision);
    const { description, data, created_at } = catalog.get(owner, '@Shared/a/b/s').body;
    expect({ description, data, created_at }).toEqual({
      description: 'Two',
      data: { content: 'select 2' },
      created_at: before.body.created_at,
    });
    expect(history.list(owner, '@Shared/a/b/s')).toEqual(revisions);
    expect(catalog.get(guest, '@Shared/a/b/s').revision).toBe(revision);
    const write = (ifMatch: string) => catalog.updateAsset(guest, '@Shared/a/b/s', ifMatch, { content: 'x' });
    expect(refusalOf(() => write('*'))).toMatchObject({ status: 404 });
    expect(bin.list(owner)).toEqual([]);
    const stale = `"${before.revision}"`;
    expect(refusalOf(() => catalog.deleteAsset(owner, '@Shared/a/b/s', stale))).toMatchObject({
      status: 412,
    });
    expect(inspectCatalog(world.home).problems).toEqual([]);
  });

  it('goes to another folder and name if they are given', () => {
    const world = createPlace();
    const { catalog, owner, bin } = world;
    makeFolders(world, '@Shared/p', 'PROJECT');
    catalog.deleteAsset(owner, '@Shared/a/b/s', '*');
    const place = { parentPath: '@Shared/p', name: 'project.toml' };
    const { body } = bin.restore(owner, idIn(world, '@Shared/a/b/s'), place);
    expect(body).toMatchObject({ path: '@Shared/p/project.toml', type: 'PROJECT_MANIFEST' });
    catalog.deleteTree(owner, '@Shared/a', '*');
    bin.restore(owner, idIn(world, '@Shared/a'), { name: 'c' });
    expect(namesIn(world, '@Shared/c/b')).toEqual(['t']);
    catalog.deleteAsset(owner, '@Shared/p/project.toml', '*');
    const back = bin.restore(owner, idIn(world, '@Shared/p/project.toml'), { parentPath: '@Shared/c' });
    expect(back.body).toMatchObject({ path: '@Shared/c/project.toml', type: 'SQL_SCRIPT' });
  });

  it('follows its folder when that was renamed or moved', () => {
    const world = createPlace();
    const { catalog, owner, bin } = world;
    catalog.deleteAsset(owner, '@Shared/a/b/s', '*');
    catalog.updateFolder(owner, '@Shared/a', '*', { name: 'renamed' });
    expect(pathsIn(world, owner)).toEqual(['@Shared/a/b/s']);
    const { body } = bin.restore(owner, idIn(world, '@Shared/a/b/s'));
    expect(body.path).toBe('@Shared/renamed/b/s');
  });

  it('is refused with the errors of a creation', () => {
    const world = createPlace();
    const { catalog, owner, bin } = world;
    catalog.deleteAsset(owner, '@Shared/a/b/s', '*');
    makeAsset(world, '@Shared/a/b/s', 'another');
    const id = idIn(world, '@Shared/a/b/s');
    const tryTo = (place?: { parentPath?: string; name?: string }) =>
      refusalOf(() => bin.restore(owner, id, place));
    expect(tryTo()).toMatchObject({ status: 400, code: 'name_exists' });
    expect(tryTo({ parentPath: '@Shared/x' })).toMatchObject({
      status: 404,
      detail: 'Path not found: @Shared/x',
    });
    expect(tryTo({ parentPath: '@Shared/a/b/t' })).toMatchObject({ status: 404, code: 'path_not_found' });
    expect(tryTo({ name: 'a/b' })).toMatchObject({ status: 400, code: 'name_has_slash' });
    expect(refusalOf(() => bin.restore(owner, 'missing'))).toMatchObject({
      status: 404,
      detail: 'Deleted item not found: missing',
    });
    catalog.deleteTree(owner, '@Shared/a', '*');
    makeAsset(world, '@Shared/s');
    expect(
      refusalOf(() => bin.restore(owner, idIn(world, '@Shared/a'), { parentPath: '@Shared/s' })),
    ).toMatchObject({ status: 422, code: 'parent_must_be_folder' });
    expect(pathsIn(world, owner)).toEqual(['@Shared/a', '@Shared/a/b/s']);
  });

  it('needs another folder while its own is in the bin, and when that was deleted permanently', async () => {
    const world = createPlace();
    const { catalog, owner, bin } = world;
    catalog.deleteAsset(owner, '@Shared/a/b/s', '*');
    catalog.deleteTree(owner, '@Shared/a', '*');
    const id = idIn(world, '@Shared/a/b/s');
    const refusal = { status: 404, detail: 'Path not found: @Shared/a/b' };
    expect(refusalOf(() => bin.restore(owner, id))).toMatchObject(refusal);
    await bin.delete(owner, idIn(world, '@Shared/a'));
    makeFolders(world, '@Shared/a/b');
    expect(refusalOf(() => bin.restore(owner, id))).toMatchObject(refusal);
    const { body } = bin.restore(owner, id, { parentPath: '@Shared/a/b' });
    expect(body.path).toBe('@Shared/a/b/s');
    expect(catalog.get(owner, body.path).body.data).toEqual({ content: 'select 1' });
  });

  it('leaves out what was in the bin before it', () => {
    const world = createPlace();
    const { catalog, owner, bin } = world;
    catalog.deleteAsset(owner, '@Shared/a/b/s', '*');
    catalog.deleteTree(owner, '@Shared/a', '*');
    bin.restore(owner, idIn(world, '@Shared/a'));
    expect(namesIn(world, '@Shared/a/b')).toEqual(['t']);
    bin.restore(owner, idIn(world, '@Shared/a/b/s'));
    expect(namesIn(world, '@Shared/a/b')).toEqual(['s', 't']);
  });

  it('can be deleted and restored again', () => {
    const world = createPlace();
    const { catalog, owner, bin } = world;
    for (let round = 0; round < 2; round++) {
      catalog.deleteAsset(owner, '@Shared/a/b/s', '*');
      bin.restore(owner, idIn(world, '@Shared/a/b/s'));
    }
    catalog.deleteAsset(owner, '@Shared/a/b/s', '*');
    makeAsset(world, '@Shared/a/b/s', 'another');
    catalog.deleteAsset(owner, '@Shared/a/b/s', '*');
    expect(pathsIn(world, owner)).toEqual(['@Shared/a/b/s', '@Shared/a/b/s']);
  });
});

it('the audit log has what was restored or deleted permanently, but not from homes', async () => {
  const world = createPlace();
  const { catalog, owner, bin, audit } = world;
  catalog.createFolder(owner, { parentPath: '@Personal', name: 'f' });
  const remove = (path: string) => {
    catalog.deleteTree(owner, path, '*');
    return idIn(world, path);
  };
  bin.restore(owner, remove('@Shared/a'), { name: 'c' });
  await bin.delete(owner, remove('@Shared/c'));
  bin.restore(owner, remove('@Personal/f'));
  await bin.delete(owner, remove('@Personal/f'));
  expect(audit.find({ object: 'c' }, 9).map(({ action, object }) => [action, object])).toEqual([
    ['catalog.delete', '@Shared/c'],
    ['catalog.undelete', '@Shared/c'],
  ]);
  expect(audit.find({ object: '@Personal' }, 9)).toEqual([]);
});

describe('the end of an item in the bin', () => {
  it('removes everything in it, in steps', async () => {
    const world = createPlace();
    const { catalog, owner, bin } = world;
    const before = countRows(world, 'catalog_items');
    await catalog.served.deleteTree(owner, '@Shared/a', '*');
    const id = idIn(world, '@Shared/a');
    await bin.delete(owner, id);
    expect(countRows(world, 'catalog_items')).toBe(before - 4);
    for (const table of ['catalog_contents', 'catalog_history', 'catalog_deleted'])
      expect(countRows(world, table)).toBe(0);
    expect(await refusedOf(bin.delete(owner, id))).toMatchObject({ code: 'deleted_item_not_found' });
  });

  it('comes with the user in whose home it was', () => {
    const world = createPlace();
    const { catalog, guest, bin, owner } = world;
    catalog.createFolder(guest, { parentPath: '@Personal', name: 'mine' });
    catalog.deleteFolder(guest, '@Personal/mine', '*');
    catalog.deleteAsset(guest, '@Shared/a/b/s', '*');
    expect(pathsIn(world, guest)).toEqual(['@Shared/a/b/s', '@Personal/mine']);
    deleteHome(world, guest);
    expect(countRows(world, 'catalog_deleted')).toBe(1);
    expect(bin.list(owner)).toMatchObject([{ path: '@Shared/a/b/s', deleted_by: 'guest' }]);
  });
});
