import { describe, expect, it } from 'vitest';
import { createGrantStore } from '../../src/identity/records/grant-store.ts';
import { close, createWorld, idOf, makeAsset, makeFolders, refusalOf, type World } from './world.ts';

/** A folder with two folders and three scripts. */
function createFilled(): World {
  const world = createWorld();
  makeFolders(world, '@Shared/reports/b');
  makeFolders(world, '@Shared/reports/a');
  makeAsset(world, '@Shared/reports/long', 'select 1000');
  makeAsset(world, '@Shared/reports/Empty', '');
  makeAsset(world, '@Shared/reports/grün', "select 'ü'");
  world.catalog.updateAsset(world.owner, '@Shared/reports/Empty', '*', { description: 'Nothing YET' });
  return world;
}

/** Grants EDIT on an item to the guest. */
function grantEdit(world: World, path: string): void {
  const id = idOf(world, path);
  const { userId, userName } = world.guest;
  createGrantStore(world.database).set(`edit ${path}`, {
    subject: { kind: 'user', id: userId, name: userName },
    target: { kind: 'item', id },
    level: 'EDIT',
    createdAt: '',
  });
}

function namesOf(world: World, request: Parameters<World['catalog']['listDetails']>[2]): string[] {
  return world.catalog.listDetails(world.owner, '@Shared/reports', request).data.map(({ name }) => name);
}

describe('a list with details', () => {
  it('has description, level, author and size of each item', () => {
    const { catalog, owner } = createFilled();
    const { data, total } = catalog.listDetails(owner, '@Shared/reports', { q: 'e' });
    expect(total).toBe(1);
    expect(data).toEqual([
      {
        ...catalog.list(owner, '@Shared/reports').data.find(({ name }) => name === 'Empty'),
        description: 'Nothing YET',
        level: 'MANAGE',
        updated_by: owner.userName,
        bytes: 0,
      },
    ]);
    const [folder] = catalog.listDetails(owner, '@Shared', {}).data;
    expect(folder).toMatchObject({ name: 'reports', level: 'MANAGE', updated_by: null, bytes: null });
  });

  it('sorts by each column, folders first, and ties by name', () => {
    const world = createFilled();
    expect(namesOf(world, {})).toEqual(['a', 'b', 'Empty', 'grün', 'long']);
    expect(namesOf(world, { sort: '-name' })).toEqual(['b', 'a', 'long', 'grün', 'Empty']);
    expect(namesOf(world, { sort: 'bytes' })).toEqual(['a', 'b', 'Empty', 'grün', 'long']);
    expect(namesOf(world, { sort: '-bytes' })).toEqual(['a', 'b', 'grün', 'long', 'Empty']);
    expect(namesOf(world, { sort: 'updated_at' })).toEqual(['b', 'a', 'long', 'grün', 'Empty']);
    expect(namesOf(world, { sort: '-updated_by' })).toEqual(['a', 'b', 'Empty', 'grün', 'long']);
  });

  it('finds a text in names and descriptions, without regard to case', () => {
    const world = createFilled();
    expect(namesOf(world, { q: 'GRÜN' })).toEqual(['grün']);
    expect(namesOf(world, { q: 'nothing yet' })).toEqual(['Empty']);
    expect(namesOf(world, { q: 'a', type: 'REGULAR_FOLDER' })).toEqual(['a']);
    expect(namesOf(world, { q: 'missing' })).toEqual([]);
  });

  it('of places has the folders in which the user may create items, and those on the way to them', () => {
    const world = createFilled();
    const { catalog, owner, guest } = world;
    makeFolders(world, '@Shared/closed/open/in');
    makeFolders(world, '@Shared/closed/other');
    makeAsset(world, '@Shared/closed/script', 'select 1');
    makeFolders(world, '@Shared/read');
    close(world, '@Shared/closed', 'VIEW');
    close(world, '@Shared/read', 'VIEW');
    grantEdit(world, '@Shared/closed/open');
    grantEdit(world, '@Shared/closed/script');
    const list = (path: string) =>
      catalog.listDetails(guest, path, { places: true }).data.map(({ name, level }) => [name, level]);
    expect(list('@Shared')).toEqual([
      ['closed', 'VIEW'],
      ['reports', 'EDIT'],
    ]);
    expect(list('@Shared/closed')).toEqual([['open', 'EDIT']]);
    expect(list('@Shared/closed/open')).toEqual([['in', 'EDIT']]);
    expect(list('').map(([name]) => name)).toEqual(['@Personal', '@Shared']);
    expect(catalog.listDetails({ ...guest, viewsOnly: true }, '', { places: true }).data).toEqual([]);
    expect(catalog.listDetails(owner, '@Shared', { places: true })).toMatchObject({ total: 3 });
  });

  it('is paged by names, with the number of all items', () => {
    const world = createFilled();
    const { catalog, owner } = world;
    expect(catalog.listDetails(owner, '@Shared/reports', { limit: 2 })).toMatchObject({ total: 5 });
    expect(namesOf(world, { limit: 2, after: 'b' })).toEqual(['Empty', 'grün']);
    expect(namesOf(world, { limit: 2, after: 'long' })).toEqual([]);
    expect(refusalOf(() => namesOf(world, { after: 'nothing' }))).toMatchObject({
      status: 400,
      detail: 'After names an item that is not in the list: nothing. Load the list again',
    });
    expect(refusalOf(() => namesOf(world, { limit: 0 })).status).toBe(400);
    expect(refusalOf(() => namesOf(world, { limit: 1001 })).status).toBe(400);
  });

  it('leaves out and does not count what the caller may not view', () => {
    const world = createFilled();
    const { catalog, guest } = world;
    close(world, '@Shared/reports');
    expect(refusalOf(() => catalog.listDetails(guest, '@Shared/reports', {})).status).toBe(403);
    close(world, '@Shared/reports', 'VIEW');
    close(world, '@Shared/reports/long');
    const { data, total } = catalog.listDetails(guest, '@Shared/reports', {});
    expect(data.map(({ name, level }) => `${name} ${level}`)).toEqual([
      'a VIEW',
      'b VIEW',
      'Empty VIEW',
      'grün VIEW',
    ]);
    expect(total).toBe(4);
  });

  it('lists the namespaces, even without a level on them', () => {
    const { catalog, owner, guest } = createWorld();
    const levels = (who: typeof owner) =>
      catalog.listDetails(who, '', {}).data.map(({ path, level }) => `${path} ${level}`);
    expect(levels(owner)).toEqual(['@Personal MANAGE', '@Project Hub MANAGE', '@Shared MANAGE']);
    expect(levels(guest)).toEqual(['@Personal MANAGE', '@Project Hub NONE', '@Shared EDIT']);
  });
});
