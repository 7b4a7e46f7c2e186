import { describe, expect, it } from 'vitest';
import { close, createWorld, makeAsset, makeFolders, refusalOf, type World } from './world.ts';

const time = expect.stringMatching(/^2026-03-01T00:00:00\.\d{3}Z$/);
const forbidden = { status: 403, detail: "You don't have permission to perform the request" };

describe('the namespaces', () => {
  it('are listed without a path, for any caller', () => {
    const { catalog, owner, guest } = createWorld();
    const namespaces = [
      { name: '@Personal', path: '@Personal', type: 'USER_HOME', created_at: time, updated_at: time },
      {
        name: '@Project Hub',
        path: '@Project Hub',
        type: 'REGULAR_FOLDER',
        created_at: time,
        updated_at: time,
      },
      { name: '@Shared', path: '@Shared', type: 'REGULAR_FOLDER', created_at: time, updated_at: time },
    ];
    for (const path of [undefined, '', '/']) expect(catalog.list(owner, path)).toEqual({ data: namespaces });
    expect(catalog.list(guest)).toEqual({ data: namespaces });
  });

  it.each(['@Personal', '/@Shared', '@Project Hub/'])('%s can be listed and read by everyone', (path) => {
    const { catalog, owner, guest } = createWorld();
    for (const principal of [owner, guest]) {
      expect(catalog.list(principal, path)).toEqual({ data: [] });
      expect(catalog.get(principal, path)).toMatchObject({
        body: { description: '', data: {} },
        revision: expect.any(Number),
      });
    }
  });

  it('have a separate @Personal for each caller', () => {
    const { catalog, owner, guest } = createWorld();
    catalog.createAsset(owner, { parentPath: '@Personal', name: 'mine', content: 'select 1' });
    expect(catalog.get(owner, '@Personal/mine').body.path).toBe('@Personal/mine');
    expect(refusalOf(() => catalog.get(guest, '@Personal/mine')).status).toBe(404);
    expect(catalog.list(guest, '@Personal')).toEqual({ data: [] });
  });

  it('have no @Personal for an unknown user', () => {
    const { catalog } = createWorld();
    const nobody = { userId: 'nobody', userName: 'nobody', superUser: true, viewsOnly: false };
    expect(catalog.list(nobody).data.map((root) => root.name)).toEqual(['@Project Hub', '@Shared']);
    expect(refusalOf(() => catalog.list(nobody, '@Personal'))).toMatchObject({ status: 404 });
  });
});

describe('a list', () => {
  it('has the interface fields and no others', () => {
    const world = createWorld();
    makeFolders(world, '@Shared/a/b');
    expect(world.catalog.list(world.owner, '/@Shared/a/')).toEqual({
      data: [{ name: 'b', path: '@Shared/a/b', type: 'REGULAR_FOLDER', created_at: time, updated_at: time }],
    });
  });

  it('has folders first, and sorts names by code point', () => {
    const world = createWorld();
    for (const name of ['b', 'a', '😀', '\uffee', 'B', 'ä']) {
      makeFolders(world, `@Shared/${name}`, name === 'b' ? 'PROJECT' : 'REGULAR');
      makeAsset(world, `@Shared/${name}.sql`);
    }
    const names = ['B', 'a', 'b', 'ä', '\uffee', '😀'];
    const files = ['B.sql', 'a.sql', 'b.sql', 'ä.sql', '\uffee.sql', '😀.sql'];
    const listed = world.catalog.list(world.owner, '@Shared').data.map((child) => child.name);
    expect(listed).toEqual([...names, ...files]);
  });

  it('never reads contents', () => {
    const world = createWorld();
    makeAsset(world, '@Shared/a');
    world.database.statement('ALTER TABLE catalog_contents RENAME TO elsewhere').run();
    expect(world.catalog.list(world.owner, '@Shared').data).toHaveLength(1);
    expect(() => world.catalog.get(world.owner, '@Shared/a')).toThrow('no such table');
  });

  it('does not contain items that the caller may not see', () => {
    const world = createWorld();
    for (const name of ['seen', 'hidden', 'edited']) makeFolders(world, `@Shared/${name}`);
    close(world, '@Shared/seen', 'VIEW');
    close(world, '@Shared/hidden');
    expect(world.catalog.list(world.guest, '@Shared').data.map((child) => child.name)).toEqual([
      'edited',
      'seen',
    ]);
  });
});

describe('a hidden item', () => {
  function createHidden(): World {
    const world = createWorld();
    makeFolders(world, '@Shared/hidden/inner');
    makeAsset(world, '@Shared/hidden/script');
    close(world, '@Shared/hidden');
    return world;
  }

  it.each(['', '/inner', '/script', '/nowhere', '/nowhere/deeper'])(
    'has the same error as a missing one, at hidden%s',
    (rest) => {
      const { catalog, guest } = createHidden();
      expect(refusalOf(() => catalog.list(guest, `@Shared/hidden${rest}`))).toMatchObject(forbidden);
      expect(refusalOf(() => catalog.get(guest, `@Shared/hidden${rest}`))).toMatchObject({
        status: 404,
        detail: `Path not found: @Shared/hidden${rest}`,
      });
    },
  );

  it('cannot be probed in the hub', () => {
    const world = createWorld();
    makeFolders(world, '@Project Hub/p', 'PROJECT');
    for (const path of ['@Project Hub/p', '@Project Hub/nowhere', '@Project Hub/p/x']) {
      expect(refusalOf(() => world.catalog.list(world.guest, path))).toMatchObject(forbidden);
    }
    expect(world.catalog.list(world.guest, '@Project Hub')).toEqual({ data: [] });
  });
});

describe('a single item', () => {
  it('has the interface fields and no others', () => {
    const { catalog, owner } = createWorld();
    const body = { parentPath: '@Shared', name: 'a', content: 'select 1', description: 'one' };
    const asset = catalog.createAsset(owner, body);
    const folder = catalog.createFolder(owner, { parentPath: '@Shared', name: 'f' });
    const common = { created_at: time, updated_at: time };
    expect(catalog.get(owner, '/@Shared/a')).toEqual({
      body: {
        name: 'a',
        description: 'one',
        path: '@Shared/a',
        type: 'SQL_SCRIPT',
        data: { content: 'select 1' },
        ...common,
      },
      revision: asset.revision,
    });
    expect(catalog.get(owner, '@Shared/f')).toEqual({
      body: { name: 'f', description: '', path: '@Shared/f', type: 'REGULAR_FOLDER', data: {}, ...common },
      revision: folder.revision,
    });
  });

  it('has no data when its type is not supported', () => {
    const world = createWorld();
    makeAsset(world, '@Shared/a');
    world.database.statement("UPDATE catalog_items SET type = 'UPLOAD_TEMPLATE' WHERE name = 'a'").run();
    expect(world.catalog.get(world.owner, '@Shared/a').body).toMatchObject({
      type: 'UPLOAD_TEMPLATE',
      data: {},
    });
  });

  it('is not found below an asset, or in another spelling', () => {
    const world = createWorld();
    makeAsset(world, '@Shared/é');
    for (const path of ['@Shared/é/x', '@Shared/É', '@Shared/e\u0301', '@Shared/é ', '@Shared/é\u0000']) {
      expect(refusalOf(() => world.catalog.get(world.owner, path))).toMatchObject({
        status: 404,
        detail: `Path not found: ${path}`,
      });
    }
  });
});
