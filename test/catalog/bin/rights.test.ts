import { describe, expect, it } from 'vitest';
import { createGrantStore } from '../../../src/identity/records/grant-store.ts';
import { close, idOf, makeAsset, makeFolders, namesIn, refusalOf, type World } from '../world.ts';
import { createPlace, idIn, pathsIn, refusedOf } from './deleting.ts';

const HIDDEN = { status: 404, code: 'deleted_item_not_found' };

/** Grants a level on an item to the guest. */
function grant({ database, guest }: World, id: string, level: 'VIEW' | 'EDIT'): void {
  const { userId, userName } = guest;
  database.write(() =>
    createGrantStore(database).set(`grant ${id}`, {
      subject: { kind: 'user', id: userId, name: userName },
      target: { kind: 'item', id },
      level,
      createdAt: '',
    }),
  );
}

/** Expects that a user does not see an item of the bin, and cannot restore or delete it. */
async function expectHidden({ bin }: World, who: World['guest'], id: string): Promise<void> {
  expect(bin.list(who).map((item) => item.id)).not.toContain(id);
  expect(refusalOf(() => bin.restore(who, id, { parentPath: '@Personal' }))).toMatchObject(HIDDEN);
  expect(await refusedOf(bin.delete(who, id))).toMatchObject(HIDDEN);
}

describe('an item in the bin', () => {
  it('is for the user who deleted it, and for administrators', async () => {
    const world = createPlace();
    const { catalog, owner, guest, bin } = world;
    catalog.deleteAsset(owner, '@Shared/a/b/s', '*');
    catalog.deleteAsset(guest, '@Shared/a/b/t', '*');
    expect(pathsIn(world, guest)).toEqual(['@Shared/a/b/t']);
    expect(pathsIn(world, owner)).toEqual(['@Shared/a/b/t', '@Shared/a/b/s']);
    await expectHidden(world, guest, idIn(world, '@Shared/a/b/s'));
    bin.restore(guest, idIn(world, '@Shared/a/b/t'));
    await bin.delete(owner, idIn(world, '@Shared/a/b/s'));
    expect(namesIn(world, '@Shared/a/b')).toEqual(['t']);
  });

  it('is for its owner alone if it was in a home, which administrators neither see nor delete', async () => {
    const world = createPlace();
    const { catalog, owner, guest, bin } = world;
    for (const who of [owner, guest]) {
      catalog.createFolder(who, { parentPath: '@Personal', name: 'f' });
      catalog.createAsset(who, { parentPath: '@Personal/f', name: 's', content: 'x' });
      catalog.deleteAsset(who, '@Personal/f/s', '*');
    }
    const [item] = bin.list(guest);
    expect(item?.path).toBe('@Personal/f/s');
    expect(bin.list(owner)).toHaveLength(1);
    await expectHidden(world, owner, item!.id);
    await expectHidden(world, guest, idIn(world, '@Personal/f/s'));
    await catalog.served.deleteTree(guest, '@Personal/f', '*');
    expect(refusalOf(() => bin.restore(guest, item!.id))).toMatchObject({
      detail: 'Path not found: @Personal/f',
    });
    await bin.delete(guest, bin.list(guest)[0]!.id);
    expect(bin.restore(guest, item!.id, { parentPath: '@Personal' }).body.path).toBe('@Personal/s');
  });

  it('is not for a user who may no longer edit its folder, until that is allowed again', async () => {
    const world = createPlace();
    const { catalog, guest, owner } = world;
    const folder = idOf(world, '@Shared/a/b');
    catalog.deleteAsset(guest, '@Shared/a/b/s', '*');
    const id = idIn(world, '@Shared/a/b/s');
    close(world, '@Shared/a', 'VIEW');
    await expectHidden(world, guest, id);
    grant(world, folder, 'EDIT');
    expect(pathsIn(world, guest)).toEqual(['@Shared/a/b/s']);
    // The same while the folder is in the bin, too.
    catalog.deleteTree(owner, '@Shared/a/b', '*');
    expect(pathsIn(world, guest)).toEqual(['@Shared/a/b/s']);
    grant(world, folder, 'VIEW');
    await expectHidden(world, guest, id);
    catalog.deleteTree(owner, '@Shared/a', '*');
    await expectHidden(world, guest, id);
    grant(world, folder, 'EDIT');
    expect(pathsIn(world, guest)).toEqual(['@Shared/a/b/s']);
  });

  it('is for administrators alone once its folder, or one above, is deleted permanently', async () => {
    const world = createPlace();
    const { catalog, guest, owner, bin } = world;
    catalog.deleteAsset(guest, '@Shared/a/b/s', '*');
    await catalog.served.deleteTree(guest, '@Shared/a/b', '*');
    await catalog.served.deleteTree(guest, '@Shared/a', '*');
    expect(pathsIn(world, guest)).toEqual(['@Shared/a', '@Shared/a/b', '@Shared/a/b/s']);
    await bin.delete(guest, idIn(world, '@Shared/a'));
    expect(pathsIn(world, guest)).toEqual([]);
    await expectHidden(world, guest, idIn(world, '@Shared/a/b/s'));
    expect(pathsIn(world, owner)).toEqual(['@Shared/a/b', '@Shared/a/b/s']);
  });

  it('is not for a user who may no longer edit the item itself', async () => {
    const world = createPlace();
    const { catalog, guest } = world;
    close(world, '@Shared/a/b/s', 'EDIT');
    const item = idOf(world, '@Shared/a/b/s');
    catalog.deleteAsset(guest, '@Shared/a/b/s', '*');
    expect(pathsIn(world, guest)).toEqual(['@Shared/a/b/s']);
    grant(world, item, 'VIEW');
    await expectHidden(world, guest, idIn(world, '@Shared/a/b/s'));
  });

  it('is not shown to its deleter in a request that may only view', () => {
    const world = createPlace();
    const { catalog, guest } = world;
    catalog.deleteAsset(guest, '@Shared/a/b/s', '*');
    expect(pathsIn(world, { ...guest, viewsOnly: true })).toEqual([]);
  });

  it('is restored with the scope `write`, and deleted permanently with the scope `all`', async () => {
    const world = createPlace();
    const { catalog, owner, bin } = world;
    catalog.deleteAsset(owner, '@Shared/a/b/s', '*');
    const id = idIn(world, '@Shared/a/b/s');
    const withScope = (scope: 'query' | 'write') => ({
      ...owner,
      viewsOnly: scope === 'query',
      origin: { tokenId: 't', scope, address: null, requestId: null },
    });
    for (const scope of ['query', 'write'] as const)
      expect(await refusedOf(bin.delete(withScope(scope), id))).toMatchObject(HIDDEN);
    expect(refusalOf(() => bin.restore(withScope('query'), id))).toMatchObject({
      status: 404,
      detail: 'Path not found: @Shared/a/b',
    });
    expect(bin.restore(withScope('write'), id).body.path).toBe('@Shared/a/b/s');
  });

  it('is not deleted permanently by a user who may not edit something in it', async () => {
    const world = createPlace();
    const { catalog, guest, owner, bin, database } = world;
    const inner = idOf(world, '@Shared/a/b');
    await catalog.served.deleteTree(guest, '@Shared/a', '*');
    const id = idIn(world, '@Shared/a');
    database.write(() => createGrantStore(database).restrict(inner, true));
    expect(await refusedOf(bin.delete(guest, id))).toMatchObject(HIDDEN);
    expect(refusalOf(() => bin.restore(guest, id, { parentPath: '@Personal' }))).toMatchObject({
      status: 422,
      code: 'folder_holds_restricted',
    });
    bin.restore(guest, id);
    expect(namesIn(world, '@Shared/a')).toEqual(['b']);
    expect(catalog.list(guest, '@Shared/a').data).toEqual([]);
    expect(bin.list(owner)).toEqual([]);
  });
});

describe('the place of a restored item', () => {
  it('needs EDIT on the folder, also across a restricted one', () => {
    const world = createPlace();
    const { catalog, guest, bin } = world;
    makeFolders(world, '@Shared/closed/open');
    close(world, '@Shared/closed', 'VIEW');
    catalog.deleteAsset(guest, '@Shared/a/b/s', '*');
    const id = idIn(world, '@Shared/a/b/s');
    const tryTo = (parentPath: string) => refusalOf(() => bin.restore(guest, id, { parentPath }));
    for (const parentPath of ['@Shared/closed', '@Shared/closed/open'])
      expect(tryTo(parentPath)).toMatchObject({ status: 404, detail: `Path not found: ${parentPath}` });
    grant(world, idOf(world, '@Shared/closed/open'), 'EDIT');
    bin.restore(guest, id, { parentPath: '@Shared/closed/open' });
    expect(namesIn(world, '@Shared/closed/open')).toEqual(['s']);
  });

  it('is not below a bound model, for a user who may not change that', () => {
    const world = createPlace({ mayChange: (_, { path }) => path !== '@Shared/model/s' });
    makeFolders(world, '@Shared/model');
    const { catalog, owner, bin } = world;
    catalog.deleteAsset(owner, '@Shared/a/b/s', '*');
    const id = idIn(world, '@Shared/a/b/s');
    expect(refusalOf(() => bin.restore(owner, id, { parentPath: '@Shared/model' }))).toMatchObject({
      detail: 'Path not found: @Shared/model',
    });
    bin.restore(owner, id, { parentPath: '@Shared/model', name: 'other' });
  });

  it('in the hub is managed by the user who restores it there, and an item from the hub stays restricted elsewhere', () => {
    const world = createPlace();
    const { catalog, owner, guest, bin } = world;
    makeFolders(world, '@Project Hub/p');
    makeAsset(world, '@Project Hub/p/s');
    catalog.deleteTree(owner, '@Project Hub/p', '*');
    bin.restore(owner, idIn(world, '@Project Hub/p'), { parentPath: '@Shared' });
    expect(catalog.list(guest, '@Shared').data.map(({ name }) => name)).toEqual(['a']);
    grant(world, idOf(world, '@Project Hub'), 'EDIT');
    catalog.deleteAsset(guest, '@Shared/a/b/s', '*');
    bin.restore(guest, idIn(world, '@Shared/a/b/s'), { parentPath: '@Project Hub' });
    expect(catalog.get(guest, '@Project Hub/s').body.name).toBe('s');
  });
});
