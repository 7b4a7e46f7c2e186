import { describe, expect, it } from 'vitest';
import { folderChange } from '../../src/server/catalog/schemas.ts';
import {
  close,
  createWorld,
  makeAsset,
  makeFolders,
  namesIn,
  refusalOf,
  revisionOf,
  type World,
} from './world.ts';

function createPlace(): World {
  const world = createWorld();
  makeFolders(world, '@Shared/a/b');
  makeFolders(world, '@Shared/c');
  makeAsset(world, '@Shared/a/s', 'select 1');
  return world;
}

describe('a revision', () => {
  it('is the next number of the whole catalog after every update with a field', () => {
    const world = createPlace();
    const { catalog, owner } = world;
    const last = revisionOf(world, '@Shared/a/s');
    const put = (body: object) => catalog.updateAsset(owner, '@Shared/a/s', '*', body).revision;
    const bodies = [{ name: 's' }, { content: 'x' }, { description: '' }, { parentPath: '@Shared/a' }];
    expect(bodies.map(put)).toEqual([1, 2, 3, 4].map((more) => last + more));
    expect(catalog.updateFolder(owner, '@Shared/a', '*', { name: 'a' }).revision).toBe(last + 5);
    expect(revisionOf(world, '@Shared/a/s')).toBe(last + 4);
  });

  it('stays the same, like the time, when the update of a folder is empty', () => {
    const { catalog, owner } = createPlace();
    const before = catalog.get(owner, '@Shared/a');
    for (const body of [{}, undefined, { name: null }, { name: '' }, { colour: 'red' }]) {
      const { revision, body: after } = catalog.updateFolder(
        owner,
        '@Shared/a',
        `"${before.revision}"`,
        folderChange.readOnUse(body),
      );
      expect([revision, after.updated_at]).toEqual([before.revision, before.body.updated_at]);
    }
  });

  it('does not change with the folders above and the items below', () => {
    const world = createPlace();
    const { catalog, owner } = world;
    const revisions = () => ['@Shared/z', '@Shared/z/s', '@Shared'].map((path) => revisionOf(world, path));
    const [script, shared] = [revisionOf(world, '@Shared/a/s'), revisionOf(world, '@Shared')];
    const folder = catalog.updateFolder(owner, '@Shared/a', '*', { name: 'z' }).revision;
    expect(revisions()).toEqual([folder, script, shared]);
    catalog.createFolder(owner, { parentPath: '@Shared/z', name: 'new' });
    const changed = catalog.updateAsset(owner, '@Shared/z/s', '*', { content: 'select 2' }).revision;
    catalog.deleteFolder(owner, '@Shared/z/new', '*');
    expect(revisions()).toEqual([folder, changed, shared]);
  });

  it('stays the same when an update is refused, and no number is skipped', () => {
    const world = createPlace();
    const { catalog, owner } = world;
    const before = revisionOf(world, '@Shared/a');
    expect(refusalOf(() => catalog.updateFolder(owner, '@Shared/a', '*', { name: 'c' })).status).toBe(400);
    expect(revisionOf(world, '@Shared/a')).toBe(before);
    const next = catalog.updateFolder(owner, '@Shared/a', '*', { name: 'd' }).revision;
    expect(next).toBe(revisionOf(world, '@Shared/d/s') + 1);
  });

  it('is never reused, by a new item with the same path or by a moved one', () => {
    const world = createPlace();
    const { catalog, owner } = world;
    const old = `"${revisionOf(world, '@Shared/a/s')}"`;
    catalog.deleteAsset(owner, '@Shared/a/s', old);
    makeAsset(world, '@Shared/a/s', 'select 2');
    const write = (path: string) => catalog.updateAsset(owner, path, old, { content: 'lost' });
    expect(refusalOf(() => write('@Shared/a/s')).status).toBe(412);
    makeAsset(world, '@Shared/c/s', 'select 3');
    for (const [from, name] of [
      ['@Shared/a', 'x'],
      ['@Shared/c', 'a'],
      ['@Shared/x', 'c'],
    ] as const) {
      catalog.updateFolder(owner, from, '*', { name });
    }
    expect(refusalOf(() => write('@Shared/a/s')).status).toBe(412);
    expect(refusalOf(() => catalog.deleteAsset(owner, '@Shared/a/s', old)).status).toBe(412);
    catalog.deleteTree(owner, '@Shared/a', '*');
    makeFolders(world, '@Shared/a');
    makeAsset(world, '@Shared/a/s', 'select 4');
    expect(refusalOf(() => write('@Shared/a/s')).status).toBe(412);
    expect(catalog.get(owner, '@Shared/a/s').body.data).toEqual({ content: 'select 4' });
  });

  it('of a home is not reused after a user with the same name was deleted', () => {
    const { catalog, database, guest } = createPlace();
    const before = catalog.get(guest, '@Personal').revision;
    database.write(() => {
      catalog.deleteHome(guest.userId);
      catalog.createHome(guest.userId);
    });
    expect(catalog.get(guest, '@Personal').revision).toBeGreaterThan(before);
  });

  it('changes together with updated_at, and created_at never changes', () => {
    const { catalog, owner } = createPlace();
    const before = catalog.get(owner, '@Shared/a/s').body;
    const after = catalog.updateAsset(owner, '@Shared/a/s', '*', { content: 'select 2' }).body;
    expect(after.created_at).toBe(before.created_at);
    expect(after.updated_at > before.updated_at).toBe(true);
  });
});

describe('an update', () => {
  it('returns the interface fields and no others', () => {
    const { catalog, owner } = createPlace();
    const time = expect.stringMatching(/Z$/);
    expect(catalog.updateFolder(owner, '/@Shared/a/', '*', { name: 'z' }).body).toEqual({
      name: 'z',
      path: '@Shared/z',
      type: 'REGULAR_FOLDER',
      created_at: time,
      updated_at: time,
    });
    expect(catalog.updateAsset(owner, '@Shared/z/s', '*', { name: 't' }).body).toEqual({
      name: 't',
      path: '@Shared/z/t',
      type: 'SQL_SCRIPT',
      data: { content: 'select 1' },
      created_at: time,
      updated_at: time,
    });
  });

  it('changes the paths of everything below a renamed folder', () => {
    const { catalog, owner } = createPlace();
    catalog.updateFolder(owner, '@Shared/a', '*', { name: 'z' });
    expect(catalog.list(owner, '@Shared/z').data.map((child) => child.path)).toEqual([
      '@Shared/z/b',
      '@Shared/z/s',
    ]);
    expect(refusalOf(() => catalog.get(owner, '@Shared/a/s')).status).toBe(404);
  });

  it('keeps fields that it does not contain', () => {
    const { catalog, owner } = createPlace();
    catalog.updateAsset(owner, '@Shared/a/s', '*', { description: 'first' });
    catalog.updateAsset(owner, '@Shared/a/s', '*', { content: 'select {{ 1 }}' });
    catalog.updateAsset(owner, '@Shared/a/s', '*', { name: 't' });
    expect(catalog.get(owner, '@Shared/a/t').body).toMatchObject({
      description: 'first',
      type: 'SERVICE_SCRIPT',
      data: { content: 'select {{ 1 }}' },
    });
  });

  it('never changes a namespace', () => {
    const { catalog, owner } = createPlace();
    for (const path of ['@Personal', '@Shared', '@Project Hub', '/@Shared/']) {
      const notFound = { status: 404, detail: `Path not found: ${path}` };
      expect(refusalOf(() => catalog.updateFolder(owner, path, '*', { name: 'x' }))).toMatchObject(notFound);
      expect(refusalOf(() => catalog.updateAsset(owner, path, undefined, {}))).toMatchObject(notFound);
      expect(refusalOf(() => catalog.deleteFolder(owner, path, '1'))).toMatchObject(notFound);
      expect(refusalOf(() => catalog.deleteAsset(owner, path, '1'))).toMatchObject(notFound);
    }
  });

  it('checks existence and EDIT, then the kind, If-Match, and the body', () => {
    const world = createWorld();
    makeFolders(world, '@Shared/f');
    const { catalog, guest } = world;
    const status = (path: string, ifMatch?: string) =>
      refusalOf(() => catalog.updateAsset(guest, path, ifMatch, { name: '/' })).status;
    expect(status('@Shared/f')).toBe(422);
    makeAsset(world, '@Shared/f/s');
    const current = `${revisionOf(world, '@Shared/f/s')}`;
    expect([status('@Shared/f/s'), status('@Shared/f/s', '9'), status('@Shared/f/s', current)]).toEqual([
      428, 412, 400,
    ]);
    close(world, '@Shared/f', 'VIEW');
    expect([status('@Shared/f'), status('@Shared/f/s', '9')]).toEqual([404, 404]);
  });
});

describe('a move', () => {
  it('moves an item with everything below it', () => {
    const world = createPlace();
    const { catalog, owner } = world;
    const before = revisionOf(world, '@Shared/a/s');
    const { body, revision } = catalog.updateFolder(owner, '@Shared/a', '*', { parentPath: '/@Shared/c/' });
    expect([body.path, revision]).toEqual(['@Shared/c/a', before + 1]);
    expect(revisionOf(world, '@Shared/c/a/s')).toBe(before);
    const moved = catalog.updateAsset(owner, '@Shared/c/a/s', '*', {
      parentPath: '@Personal',
      name: 't',
      content: 'x',
    });
    expect(moved.body).toMatchObject({ path: '@Personal/t', data: { content: 'x' } });
  });

  it('is refused into itself and below itself', () => {
    const world = createPlace();
    for (const parentPath of ['@Shared/a', '@Shared/a/b']) {
      expect(
        refusalOf(() => world.catalog.updateFolder(world.owner, '@Shared/a', '*', { parentPath, name: 'z' })),
      ).toMatchObject({ status: 400, detail: 'Folder cannot be moved into itself or below itself' });
    }
    expect(namesIn(world, '@Shared/a')).toEqual(['b', 's']);
  });

  it('is refused for the same reasons as a creation', () => {
    const world = createPlace();
    const { catalog, owner, guest } = world;
    makeFolders(world, '@Shared/c/a');
    makeFolders(world, '@Project Hub/p');
    const folder = (parentPath: string) =>
      refusalOf(() => catalog.updateFolder(guest, '@Shared/a', '*', { parentPath }));
    expect(folder('@Shared/x')).toMatchObject({ status: 404, detail: 'Path not found: @Shared/x' });
    expect(folder('@Project Hub/p')).toMatchObject({ status: 404, detail: 'Path not found: @Project Hub/p' });
    expect(folder('@Shared/a/s')).toMatchObject({ status: 422, detail: 'Parent path must be a folder' });
    expect(folder('@Shared/c')).toMatchObject({ status: 400, detail: 'Name already exists.' });
    const asset = refusalOf(() =>
      catalog.updateAsset(owner, '@Shared/a/s', '*', { parentPath: '@Shared/a/s' }),
    );
    expect(asset).toMatchObject({ status: 404, detail: 'Path not found: @Shared/a/s' });
  });
});

describe('a manifest', () => {
  function createProject(): World {
    const world = createWorld();
    makeFolders(world, '@Shared/p', 'PROJECT');
    makeAsset(world, '@Shared/p/s', 'select {{ 1 }}');
    return world;
  }

  it('depends on the name of an asset', () => {
    const { catalog, owner } = createProject();
    const rename = (from: string, body: object) => catalog.updateAsset(owner, from, '*', body).body.type;
    expect(rename('@Shared/p/s', { name: 'project.toml' })).toBe('PROJECT_MANIFEST');
    expect(rename('@Shared/p/project.toml', { content: '{{ }}' })).toBe('PROJECT_MANIFEST');
    expect(rename('@Shared/p/project.toml', { name: 's' })).toBe('SERVICE_SCRIPT');
  });

  it('depends on the folder of an asset', () => {
    const { catalog, owner } = createProject();
    catalog.createAsset(owner, { parentPath: '@Shared', name: 'project.toml', content: 'a = 1' });
    const move = (from: string, parentPath: string) =>
      catalog.updateAsset(owner, from, '*', { parentPath }).body.type;
    expect(move('@Shared/project.toml', '@Shared/p')).toBe('PROJECT_MANIFEST');
    expect(move('@Shared/p/project.toml', '@Shared')).toBe('SQL_SCRIPT');
  });

  it('is the only type that depends on the name', () => {
    const { catalog, owner } = createProject();
    expect(catalog.updateAsset(owner, '@Shared/p/s', '*', { name: 't' }).body.type).toBe('SERVICE_SCRIPT');
    expect(catalog.updateAsset(owner, '@Shared/p/t', '*', { content: 'select 1' }).body.type).toBe(
      'SQL_SCRIPT',
    );
  });
});

describe('a permanent deletion', () => {
  it('removes an asset with its content', () => {
    const world = createPlace();
    world.catalog.deleteAsset(world.owner, '@Shared/a/s', '*', { isForever: true });
    expect(namesIn(world, '@Shared/a')).toEqual(['b']);
    expect(world.database.statement('SELECT * FROM catalog_contents').all()).toEqual([]);
  });

  it('removes an empty folder, whose name is then free', () => {
    const world = createPlace();
    world.catalog.deleteFolder(world.owner, '@Shared/c', '*');
    makeFolders(world, '@Shared/c');
    expect(namesIn(world, '@Shared')).toEqual(['a', 'c']);
  });

  it('removes a folder with everything in it', () => {
    const world = createPlace();
    makeFolders(world, '@Shared/a/b/d');
    world.catalog.createAsset(world.owner, { parentPath: '@Shared/a/b', name: 'x', content: 'select 1' });
    world.catalog.deleteTree(world.owner, '/@Shared/a/', '*', { isForever: true });
    expect(namesIn(world, '@Shared')).toEqual(['c']);
    expect(world.database.statement('SELECT * FROM catalog_contents').all()).toEqual([]);
  });

  it('removes nothing when the folder has changed, or contains items that the caller may not delete', () => {
    const world = createWorld();
    makeFolders(world, '@Shared/a/hidden');
    makeFolders(world, '@Shared/a/open');
    const tryTo = (who: World['owner'], ifMatch: string) =>
      refusalOf(() => world.catalog.deleteTree(who, '@Shared/a', ifMatch));
    expect(tryTo(world.owner, '1')).toMatchObject({ status: 412 });
    close(world, '@Shared/a/hidden');
    expect(tryTo(world.guest, '*')).toMatchObject({ status: 400, detail: 'Folder is not empty' });
    close(world, '@Shared/a/hidden', 'VIEW');
    expect(tryTo(world.guest, '*')).toMatchObject({ detail: 'Path not found: @Shared/a/hidden' });
    expect(refusalOf(() => world.catalog.deleteTree(world.owner, '@Shared', '*'))).toMatchObject({
      detail: 'Path not found: @Shared',
    });
    expect(namesIn(world, '@Shared/a')).toEqual(['hidden', 'open']);
  });

  it('refuses a folder with children that the caller cannot see', () => {
    const world = createWorld();
    makeFolders(world, '@Shared/a/hidden');
    close(world, '@Shared/a/hidden');
    expect(world.catalog.list(world.guest, '@Shared/a')).toEqual({ data: [] });
    expect(refusalOf(() => world.catalog.deleteFolder(world.guest, '@Shared/a', '*')).detail).toBe(
      'Folder is not empty',
    );
  });
});
