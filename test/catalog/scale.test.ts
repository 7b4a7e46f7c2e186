import { describe, expect, it } from 'vitest';
import { createWorld, idOf, makeFolders, refusalOf, type World } from './world.ts';

const FOLDERS = 100;
const ASSETS_EACH = 1000;
const DEPTH = 10_000;

const INSERT = `
  INSERT INTO catalog_items (id, parent_id, name, type, description, revision, created_at, updated_at)
  VALUES (?, ?, ?, ?, '', 1, '', '')
`;

/** Adds 100 folders with 1,000 assets each below `@Shared/root`. */
function fill(world: World): void {
  const { database } = world;
  makeFolders(world, '@Shared/root');
  const insert = database.statement(INSERT);
  const root = idOf(world, '@Shared/root');
  database.write(() => {
    for (let folder = 0; folder < FOLDERS; folder++) {
      insert.run(`f${folder}`, root, `folder ${folder}`, 'REGULAR_FOLDER');
      for (let asset = 0; asset < ASSETS_EACH; asset++) {
        insert.run(`f${folder}a${asset}`, `f${folder}`, `asset ${asset}`, 'SQL_SCRIPT');
      }
    }
  });
}

function changesBy({ database }: World, act: () => void): number {
  const total = () => database.statement<{ n: number }>('SELECT total_changes() AS n').get()!.n;
  const before = total();
  act();
  return total() - before;
}

/** Adds a chain of folders `d0/d1/…` below `@Shared`, and returns its path. */
function dig(world: World): string {
  const insert = world.database.statement(INSERT);
  world.database.write(() => {
    let parent = idOf(world, '@Shared');
    for (let depth = 0; depth < DEPTH; depth++) {
      insert.run(`d${depth}`, parent, `d${depth}`, 'REGULAR_FOLDER');
      parent = `d${depth}`;
    }
  });
  return ['@Shared', ...Array.from({ length: DEPTH }, (_, depth) => `d${depth}`)].join('/');
}

describe('100,000 items below a folder', () => {
  it('are renamed and moved with one write of the row and one of the counter', () => {
    const world = createWorld();
    fill(world);
    const { catalog, owner } = world;
    const put = (path: string, body: object) => () => void catalog.updateFolder(owner, path, '*', body);
    expect(changesBy(world, put('@Shared/root', { name: 'new' }))).toBe(2);
    expect(changesBy(world, put('@Shared/new', { parentPath: '@Personal', description: 'x' }))).toBe(2);
    expect(catalog.list(owner, '@Personal/new/folder 7').data).toHaveLength(ASSETS_EACH);
    expect(catalog.get(owner, '@Personal/new/folder 99/asset 999').body.name).toBe('asset 999');
  });
});

describe('a chain of 10,000 folders', () => {
  it('can be listed, read, extended and shortened at its end', () => {
    const world = createWorld();
    const { catalog, owner } = world;
    const end = dig(world);
    expect(catalog.list(owner, end)).toEqual({ data: [] });
    expect(catalog.get(owner, end).body.path).toBe(end);
    catalog.createAsset(owner, { parentPath: end, name: 's', content: '' });
    expect(catalog.list(owner, end).data.map((child) => child.path)).toEqual([`${end}/s`]);
    catalog.deleteAsset(owner, `${end}/s`, '*');
    catalog.deleteFolder(owner, end, '*');
    expect(refusalOf(() => catalog.get(owner, end)).status).toBe(404);
  });

  it('cannot be moved below its own end', () => {
    const world = createWorld();
    const end = dig(world);
    const move = () => world.catalog.updateFolder(world.owner, '@Shared/d0', '*', { parentPath: end });
    expect(refusalOf(move).detail).toBe('Folder cannot be moved into itself or below itself');
  });
});
