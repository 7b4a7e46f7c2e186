import { describe, expect, it } from 'vitest';
import { close, createWorld, makeAsset, makeFolders, namesIn, refusalOf, type World } from './world.ts';

function createPlace(): World {
  const world = createWorld();
  makeFolders(world, '@Shared/a/b');
  makeFolders(world, '@Shared/c');
  makeAsset(world, '@Shared/a/s', 'select 1');
  return world;
}

describe('a revision', () => {
  it('rises by one with every update of the item that carries a field', () => {
    const { catalog, owner } = createPlace();
    const put = (body: object) => catalog.updateAsset(owner, '@Shared/a/s', '*', body).revision;
    const bodies = [{ name: 's' }, { content: 'x' }, { description: '' }, { parent_path: '@Shared/a' }];
    expect(bodies.map(put)).toEqual([2, 3, 4, 5]);
    expect(catalog.updateFolder(owner, '@Shared/a', '*', { name: 'a' }).revision).toBe(2);
    expect(catalog.get(owner, '@Shared/a/s').revision).toBe(5);
  });

  it('stays, with the time, when a folder is updated with nothing', () => {
    const { catalog, owner } = createPlace();
    const before = catalog.get(owner, '@Shared/a');
    for (const body of [{}, undefined, { name: null }, { name: '' }, { colour: 'red' }]) {
      const { revision, body: after } = catalog.updateFolder(owner, '@Shared/a', '"1"', body);
      expect([revision, after.updated_at]).toEqual([1, before.body.updated_at]);
    }
  });

  it('stays with what happens above and below', () => {
    const { catalog, owner } = createPlace();
    const revisions = () =>
      ['@Shared/z', '@Shared/z/s', '@Shared'].map((path) => catalog.get(owner, path).revision);
    catalog.updateFolder(owner, '@Shared/a', '1', { name: 'z' });
    expect(revisions()).toEqual([2, 1, 1]);
    catalog.createFolder(owner, { parent_path: '@Shared/z', name: 'new' });
    catalog.updateAsset(owner, '@Shared/z/s', '1', { content: 'select 2' });
    catalog.deleteFolder(owner, '@Shared/z/new', '1');
    expect(revisions()).toEqual([2, 2, 1]);
  });

  it('stays when an update is refused', () => {
    const { catalog, owner } = createPlace();
    expect(refusalOf(() => catalog.updateFolder(owner, '@Shared/a', '1', { name: 'c' })).status).toBe(400);
    expect(catalog.get(owner, '@Shared/a').revision).toBe(1);
  });

  it('moves updated_at with it, and created_at never', () => {
    const { catalog, owner } = createPlace();
    const before = catalog.get(owner, '@Shared/a/s').body;
    const after = catalog.updateAsset(owner, '@Shared/a/s', '1', { content: 'select 2' }).body;
    expect(after.created_at).toBe(before.created_at);
    expect(after.updated_at > before.updated_at).toBe(true);
  });
});

describe('an update', () => {
  it('answers the interface fields and no others', () => {
    const { catalog, owner } = createPlace();
    const time = expect.stringMatching(/Z$/);
    expect(catalog.updateFolder(owner, '/@Shared/a/', '1', { name: 'z' }).body).toEqual({
      name: 'z',
      path: '@Shared/z',
      type: 'REGULAR_FOLDER',
      created_at: time,
      updated_at: time,
    });
    expect(catalog.updateAsset(owner, '@Shared/z/s', '1', { name: 't' }).body).toEqual({
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
    catalog.updateFolder(owner, '@Shared/a', '1', { name: 'z' });
    expect(catalog.list(owner, '@Shared/z').data.map((child) => child.path)).toEqual([
      '@Shared/z/b',
      '@Shared/z/s',
    ]);
    expect(refusalOf(() => catalog.get(owner, '@Shared/a/s')).status).toBe(404);
  });

  it('keeps what it does not carry', () => {
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
      expect(refusalOf(() => catalog.updateFolder(owner, path, '1', { name: 'x' }))).toMatchObject(notFound);
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
      refusalOf(() => catalog.updateAsset(guest, path, ifMatch, 'no object')).status;
    expect(status('@Shared/f')).toBe(422);
    makeAsset(world, '@Shared/f/s');
    expect([status('@Shared/f/s'), status('@Shared/f/s', '9'), status('@Shared/f/s', '1')]).toEqual([
      428, 412, 400,
    ]);
    close(world, '@Shared/f', 'VIEW');
    expect([status('@Shared/f'), status('@Shared/f/s', '9')]).toEqual([404, 404]);
  });
});

describe('a move', () => {
  it('takes an item, and what is below it, elsewhere', () => {
    const { catalog, owner } = createPlace();
    const { body, revision } = catalog.updateFolder(owner, '@Shared/a', '1', { parent_path: '/@Shared/c/' });
    expect([body.path, revision]).toEqual(['@Shared/c/a', 2]);
    expect(catalog.get(owner, '@Shared/c/a/s').revision).toBe(1);
    const moved = catalog.updateAsset(owner, '@Shared/c/a/s', '1', {
      parent_path: '@Personal',
      name: 't',
      content: 'x',
    });
    expect(moved.body).toMatchObject({ path: '@Personal/t', data: { content: 'x' } });
  });

  it('is refused into itself and below itself', () => {
    const world = createPlace();
    for (const parent_path of ['@Shared/a', '@Shared/a/b']) {
      expect(
        refusalOf(() =>
          world.catalog.updateFolder(world.owner, '@Shared/a', '1', { parent_path, name: 'z' }),
        ),
      ).toMatchObject({ status: 400, detail: 'Folder cannot be moved into itself or below itself' });
    }
    expect(namesIn(world, '@Shared/a')).toEqual(['b', 's']);
  });

  it('is refused as creation is', () => {
    const world = createPlace();
    const { catalog, owner, guest } = world;
    makeFolders(world, '@Shared/c/a');
    makeFolders(world, '@Project Hub/p');
    const folder = (parent_path: string) =>
      refusalOf(() => catalog.updateFolder(guest, '@Shared/a', '1', { parent_path }));
    expect(folder('@Shared/x')).toMatchObject({ status: 404, detail: 'Path not found: @Shared/x' });
    expect(folder('@Project Hub/p')).toMatchObject({ status: 404, detail: 'Path not found: @Project Hub/p' });
    expect(folder('@Shared/a/s')).toMatchObject({ status: 422, detail: 'Parent path must be a folder' });
    expect(folder('@Shared/c')).toMatchObject({ status: 400, detail: 'Name already exists.' });
    const asset = refusalOf(() =>
      catalog.updateAsset(owner, '@Shared/a/s', '1', { parent_path: '@Shared/a/s' }),
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

  it('is what an asset becomes by its name, and is no longer by another', () => {
    const { catalog, owner } = createProject();
    const rename = (from: string, body: object) => catalog.updateAsset(owner, from, '*', body).body.type;
    expect(rename('@Shared/p/s', { name: 'project.toml' })).toBe('PROJECT_MANIFEST');
    expect(rename('@Shared/p/project.toml', { content: '{{ }}' })).toBe('PROJECT_MANIFEST');
    expect(rename('@Shared/p/project.toml', { name: 's' })).toBe('SERVICE_SCRIPT');
  });

  it('is what an asset becomes by its folder, and is no longer in another', () => {
    const { catalog, owner } = createProject();
    catalog.createAsset(owner, { parent_path: '@Shared', name: 'project.toml', content: 'a = 1' });
    const move = (from: string, parent_path: string) =>
      catalog.updateAsset(owner, from, '*', { parent_path }).body.type;
    expect(move('@Shared/project.toml', '@Shared/p')).toBe('PROJECT_MANIFEST');
    expect(move('@Shared/p/project.toml', '@Shared')).toBe('SQL_SCRIPT');
  });

  it('is the one exception: other names keep the type of their content', () => {
    const { catalog, owner } = createProject();
    expect(catalog.updateAsset(owner, '@Shared/p/s', '1', { name: 't' }).body.type).toBe('SERVICE_SCRIPT');
    expect(catalog.updateAsset(owner, '@Shared/p/t', '2', { content: 'select 1' }).body.type).toBe(
      'SQL_SCRIPT',
    );
  });
});

describe('a deletion', () => {
  it('takes an asset with its content', () => {
    const world = createPlace();
    world.catalog.deleteAsset(world.owner, '@Shared/a/s', '"1"');
    expect(namesIn(world, '@Shared/a')).toEqual(['b']);
    expect(world.database.statement('SELECT * FROM catalog_contents').all()).toEqual([]);
  });

  it('takes an empty folder, and leaves room for a new one', () => {
    const world = createPlace();
    world.catalog.deleteFolder(world.owner, '@Shared/c', '"1"');
    makeFolders(world, '@Shared/c');
    expect(namesIn(world, '@Shared')).toEqual(['a', 'c']);
  });

  it('takes a folder with all that is in it', () => {
    const world = createPlace();
    makeFolders(world, '@Shared/a/b/d');
    world.catalog.createAsset(world.owner, { parent_path: '@Shared/a/b', name: 'x', content: 'select 1' });
    world.catalog.deleteTree(world.owner, '/@Shared/a/', '"1"');
    expect(namesIn(world, '@Shared')).toEqual(['c']);
    expect(world.database.statement('SELECT * FROM catalog_contents').all()).toEqual([]);
  });

  it('takes nothing of a folder that has changed, or holds what the caller may not delete', () => {
    const world = createWorld();
    makeFolders(world, '@Shared/a/hidden');
    makeFolders(world, '@Shared/a/open');
    const tryTo = (who: World['owner'], ifMatch: string) =>
      refusalOf(() => world.catalog.deleteTree(who, '@Shared/a', ifMatch));
    expect(tryTo(world.owner, '2')).toMatchObject({ status: 412 });
    close(world, '@Shared/a/hidden');
    expect(tryTo(world.guest, '*')).toMatchObject({ status: 400, detail: 'Folder is not empty' });
    close(world, '@Shared/a/hidden', 'VIEW');
    expect(tryTo(world.guest, '*')).toMatchObject({ detail: 'Path not found: @Shared/a/hidden' });
    expect(refusalOf(() => world.catalog.deleteTree(world.owner, '@Shared', '*'))).toMatchObject({
      detail: 'Path not found: @Shared',
    });
    expect(namesIn(world, '@Shared/a')).toEqual(['hidden', 'open']);
  });

  it('leaves a folder whose children the caller cannot see', () => {
    const world = createWorld();
    makeFolders(world, '@Shared/a/hidden');
    close(world, '@Shared/a/hidden');
    expect(world.catalog.list(world.guest, '@Shared/a')).toEqual({ data: [] });
    expect(refusalOf(() => world.catalog.deleteFolder(world.guest, '@Shared/a', '1')).detail).toBe(
      'Folder is not empty',
    );
  });
});
