import { describe, expect, it } from 'vitest';
import type { FolderType } from '../../src/catalog/body.ts';
import { close, createWorld, makeAsset, makeFolders, refusalOf } from './world.ts';

/** The first revision in a new home, after its namespaces and the homes of its two users. */
const FIRST_REVISION = 4;

const time = expect.stringMatching(/^2026-03-01T00:00:00\.\d{3}Z$/);

describe('a new folder', () => {
  it.each<[FolderType | undefined, string]>([
    [undefined, 'REGULAR_FOLDER'],
    ['REGULAR', 'REGULAR_FOLDER'],
    ['PROJECT', 'PROJECT'],
  ])('of type %s is a %s', (folderType, type) => {
    const { catalog, owner } = createWorld();
    expect(catalog.createFolder(owner, { parentPath: '/@Shared/', name: 'a', folderType })).toEqual({
      body: { name: 'a', path: '@Shared/a', type, created_at: time, updated_at: time },
      revision: FIRST_REVISION,
    });
  });

  it('can be created in every namespace', () => {
    const { catalog, owner, guest } = createWorld();
    for (const parentPath of ['@Personal', '@Shared', '@Project Hub']) {
      expect(catalog.createFolder(owner, { parentPath, name: 'a' }).body.path).toBe(`${parentPath}/a`);
    }
    expect(catalog.createFolder(guest, { parentPath: '@Personal', name: 'a' }).body.path).toBe('@Personal/a');
    expect(catalog.createFolder(guest, { parentPath: '@Shared', name: 'b' }).body.path).toBe('@Shared/b');
  });

  it('keeps its description', () => {
    const { catalog, owner } = createWorld();
    catalog.createFolder(owner, { parentPath: '@Shared', name: 'a', description: 'for all' });
    expect(catalog.get(owner, '@Shared/a').body.description).toBe('for all');
  });
});

describe('a new asset', () => {
  it.each([
    ['select 1', 'SQL_SCRIPT'],
    ['', 'SQL_SCRIPT'],
    ['}} {{', 'SQL_SCRIPT'],
    ['#+src sql x()', 'SERVICE_SCRIPT'],
    ['select {{ 1 }}', 'SERVICE_SCRIPT'],
  ])('with %j is a %s', (content, type) => {
    const { catalog, owner } = createWorld();
    expect(catalog.createAsset(owner, { parentPath: '@Shared', name: 'a', content })).toEqual({
      body: { name: 'a', path: '@Shared/a', type, data: { content }, created_at: time, updated_at: time },
      revision: FIRST_REVISION,
    });
  });

  it('keeps every character of its content', () => {
    const { catalog, owner } = createWorld();
    const content = '\ufeffselect \u0000 \r\n\t😀 e\u0301 \uffff';
    catalog.createAsset(owner, { parentPath: '@Shared', name: 'a', content });
    expect(catalog.get(owner, '@Shared/a').body.data).toEqual({ content });
  });

  it.each([
    ['@Shared/p', 'project.toml', 'PROJECT_MANIFEST'],
    ['@Shared/p', 'Project.toml', 'SQL_SCRIPT'],
    ['@Shared/p/sub', 'project.toml', 'SQL_SCRIPT'],
    ['@Shared', 'project.toml', 'SQL_SCRIPT'],
  ])('in %s with the name %s is a %s', (parentPath, name, type) => {
    const world = createWorld();
    makeFolders(world, '@Shared/p', 'PROJECT');
    makeFolders(world, '@Shared/p/sub');
    const { body } = world.catalog.createAsset(world.owner, { parentPath, name, content: 'a = 1' });
    expect(body).toMatchObject({ type, data: { content: 'a = 1' } });
    expect(world.catalog.get(world.owner, body.path).body).toMatchObject({
      type,
      data: { content: 'a = 1' },
    });
  });
});

describe('creation', () => {
  it('compares names exactly', () => {
    const { catalog, owner } = createWorld();
    for (const name of ['a', 'A', 'a ', 'é', 'e\u0301'])
      catalog.createFolder(owner, { parentPath: '@Shared', name });
    expect(catalog.list(owner, '@Shared').data).toHaveLength(5);
  });

  it('checks the body, then the parent, then the name', () => {
    const world = createWorld();
    makeFolders(world, '@Shared/a');
    makeAsset(world, '@Shared/s');
    const { catalog, owner } = world;
    const detail = (body: object) => refusalOf(() => catalog.createFolder(owner, body)).detail;
    expect(detail({ parentPath: '@Shared/x', name: 'a/b' })).toBe("Name cannot contain '/' character");
    expect(detail({ parentPath: '@Shared/x', name: 'a' })).toBe('Path not found: @Shared/x');
    expect(detail({ parentPath: '@Shared/s', name: 'a' })).toBe('Parent path must be a folder');
    expect(detail({ parentPath: '@Shared', name: 'a' })).toBe('Name already exists.');
  });

  it('needs EDIT on the parent, and reveals nothing without it', () => {
    const world = createWorld();
    makeFolders(world, '@Shared/viewed');
    makeAsset(world, '@Shared/viewed/s');
    close(world, '@Shared/viewed', 'VIEW');
    for (const parentPath of ['@Shared/viewed', '@Shared/viewed/s', '@Shared/viewed/x']) {
      const notFound = { status: 404, detail: `Path not found: ${parentPath}` };
      expect(
        refusalOf(() => world.catalog.createFolder(world.guest, { parentPath, name: 'n' })),
      ).toMatchObject(notFound);
      expect(
        refusalOf(() => world.catalog.createAsset(world.guest, { parentPath, name: 's', content: '' })),
      ).toMatchObject(notFound);
    }
  });
});
