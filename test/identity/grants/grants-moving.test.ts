import { describe, expect, it } from 'vitest';
import {
  createGrantWorld,
  type GrantWorld,
  listAll,
  listAudit,
  makeAsset,
  makeFolders,
  moveFolder,
  refusalOf,
  tryLevel,
} from '../grant-world.ts';

function set({ grants, admin }: GrantWorld, subject: string, level: string, target: string): void {
  grants.set(admin, { subject, level, target });
}

function grantsOn(world: GrantWorld, path: string): string[] {
  return listAll(world).filter((line) => line.endsWith(path));
}

describe('a folder or asset created in the hub', () => {
  it('is managed by its creator, and hidden from all other users', () => {
    const world = createGrantWorld();
    const [ada, bob] = [world.add('ada'), world.add('bob')];
    set(world, 'everyone', 'EDIT', '@Project Hub');
    world.catalog.createFolder(ada, { parentPath: '@Project Hub', name: 'p', folderType: 'PROJECT' });
    makeAsset(world, ada, '@Project Hub/s');
    makeFolders(world, '@Project Hub/p/in');
    for (const path of ['@Project Hub/p', '@Project Hub/s', '@Project Hub/p/in']) {
      expect([ada, bob].map((who) => tryLevel(world, who, path))).toEqual(['MANAGE', 'NONE']);
    }
    expect(grantsOn(world, '@Project Hub/p')).toEqual(['user:ada MANAGE @Project Hub/p']);
    expect(grantsOn(world, '@Project Hub/p/in')).toEqual([]);
    expect(world.catalog.list(ada, '@Project Hub').data.map(({ name }) => name)).toEqual(['p', 's']);
    expect(world.catalog.list(bob, '@Project Hub').data).toEqual([]);
    expect(listAudit(world).slice(1)).toEqual([
      'ada grant.set user:ada MANAGE @Project Hub/p',
      'ada grant.set user:ada MANAGE @Project Hub/s',
    ]);
  });

  it('can only be created by users with EDIT on the hub', async () => {
    const world = createGrantWorld();
    const ada = world.add('ada');
    set(world, 'user:ada', 'VIEW', '@Project Hub');
    const make = () => world.catalog.createFolder(ada, { parentPath: '@Project Hub', name: 'p' });
    expect(await refusalOf(make)).toBe('404 Path not found: @Project Hub');
  });

  it('stays managed by its creator after a rename, with one grant', () => {
    const world = createGrantWorld();
    const ada = world.add('ada');
    set(world, 'user:ada', 'EDIT', '@Project Hub');
    world.catalog.createFolder(ada, { parentPath: '@Project Hub', name: 'p' });
    set(world, 'user:ada', 'VIEW', '@Project Hub/p');
    world.catalog.updateFolder(world.admin, '@Project Hub/p', '*', { name: 'q' });
    expect(grantsOn(world, '@Project Hub/q')).toEqual(['user:ada VIEW @Project Hub/q']);
  });
});

describe('a move into the hub', () => {
  it('makes the mover the manager of an item without a manager', () => {
    const world = createGrantWorld();
    const [ada, bob] = [world.add('ada'), world.add('bob')];
    makeFolders(world, '@Shared/x');
    set(world, 'user:ada', 'EDIT', '@Project Hub');
    moveFolder(world, ada, '@Shared/x', '@Project Hub');
    expect([ada, bob].map((who) => tryLevel(world, who, '@Project Hub/x'))).toEqual(['MANAGE', 'NONE']);
    expect(listAudit(world).at(-1)).toBe('ada grant.set user:ada MANAGE @Project Hub/x');
  });

  it('keeps the existing manager of an item', () => {
    const world = createGrantWorld();
    const [ada, bob] = [world.add('ada'), world.add('bob')];
    makeFolders(world, '@Shared/x');
    set(world, 'user:bob', 'MANAGE', '@Shared/x');
    set(world, 'user:ada', 'EDIT', '@Project Hub');
    moveFolder(world, ada, '@Shared/x', '@Project Hub');
    expect([ada, bob].map((who) => tryLevel(world, who, '@Project Hub/x'))).toEqual(['NONE', 'MANAGE']);
  });

  it('keeps the restrictions inside the moved folder', () => {
    const world = createGrantWorld();
    const ada = world.add('ada');
    makeFolders(world, '@Shared/x', '@Shared/x/secret');
    world.grants.restrict(world.admin, '@Shared/x/secret', true);
    set(world, 'user:ada', 'EDIT', '@Project Hub');
    moveFolder(world, ada, '@Shared/x', '@Project Hub');
    expect(tryLevel(world, ada, '@Project Hub/x/secret')).toBe('NONE');
  });
});

describe('a move out of the hub', () => {
  it('keeps the restriction of a project until a manager removes it', () => {
    const world = createGrantWorld();
    const [ada, bob, eve] = [world.add('ada'), world.add('bob'), world.add('eve')];
    set(world, 'user:ada', 'EDIT', '@Project Hub');
    world.catalog.createFolder(ada, { parentPath: '@Project Hub', name: 'p' });
    set(world, 'user:bob', 'EDIT', '@Project Hub/p');
    moveFolder(world, bob, '@Project Hub/p', '@Shared');
    const levels = () => [ada, bob, eve].map((who) => tryLevel(world, who, '@Shared/p'));
    expect(levels()).toEqual(['MANAGE', 'EDIT', 'NONE']);
    world.grants.restrict(ada, '@Shared/p', false);
    expect(levels()).toEqual(['MANAGE', 'EDIT', 'EDIT']);
  });

  it('gives a folder inside a project the access of its new place', () => {
    const world = createGrantWorld();
    const eve = world.add('eve');
    makeFolders(world, '@Project Hub/p', '@Project Hub/p/in');
    moveFolder(world, world.admin, '@Project Hub/p/in', '@Shared');
    expect(tryLevel(world, eve, '@Shared/in')).toBe('EDIT');
  });
});

describe('a move to @Personal', () => {
  it('needs EDIT on restricted items inside the moved folder', async () => {
    const world = createGrantWorld();
    const { catalog, grants, admin } = world;
    const ada = world.add('ada');
    makeFolders(world, '@Shared/x', '@Shared/x/y', '@Shared/x/y/secret', '@Shared/x/y/secret/deep');
    makeAsset(world, admin, '@Shared/x/y/secret/deep/s');
    grants.restrict(admin, '@Shared/x/y/secret', true);
    const take = (path: string) => () => moveFolder(world, ada, path, '@Personal');
    const refusal = '422 Folder contains a restricted item and cannot be moved to @Personal';
    for (const path of ['@Shared/x', '@Shared/x/y']) expect(await refusalOf(take(path))).toBe(refusal);
    set(world, 'user:ada', 'VIEW', '@Shared/x/y/secret');
    expect(await refusalOf(take('@Shared/x'))).toBe(refusal);
    set(world, 'everyone', 'EDIT', '@Shared/x/y/secret');
    grants.restrict(admin, '@Shared/x/y/secret/deep', true);
    expect(await refusalOf(take('@Shared/x'))).toBe(refusal);
    grants.restrict(admin, '@Shared/x/y/secret/deep', false);
    take('@Shared/x')();
    expect(catalog.get(ada, '@Personal/x/y/secret/deep/s').body.name).toBe('s');
  });

  it('changes nothing for administrators, and for items that never left @Personal', () => {
    const world = createGrantWorld();
    const { catalog, grants, admin } = world;
    makeFolders(world, '@Shared/x', '@Shared/x/secret', '@Personal/f');
    grants.restrict(admin, '@Shared/x/secret', true);
    moveFolder(world, admin, '@Shared/x', '@Personal');
    moveFolder(world, admin, '@Personal/x', '@Personal/f');
    expect(catalog.list(admin, '@Personal/f/x').data.map(({ name }) => name)).toEqual(['secret']);
  });

  it('suspends grants and restrictions until the folder is moved back', () => {
    const world = createGrantWorld();
    const { grants, admin } = world;
    const [ada, bob] = [world.add('ada'), world.add('bob')];
    makeFolders(world, '@Shared/x');
    grants.restrict(admin, '@Shared/x', true);
    set(world, 'user:bob', 'EDIT', '@Shared/x');
    const before = listAll(world);
    moveFolder(world, bob, '@Shared/x', '@Personal');
    expect(listAll(world).filter((line) => /x$/.test(line))).toEqual([]);
    expect(tryLevel(world, bob, '@Personal/x')).toBe('MANAGE');
    moveFolder(world, bob, '@Personal/x', '@Shared');
    expect(listAll(world)).toEqual(before);
    expect([ada, bob].map((who) => tryLevel(world, who, '@Shared/x'))).toEqual(['NONE', 'EDIT']);
  });
});

describe('a move between shared folders', () => {
  it('needs EDIT on both folders, and applies the grants of the new place', async () => {
    const world = createGrantWorld();
    const { grants, admin } = world;
    const [ada, bob] = [world.add('ada'), world.add('bob')];
    makeFolders(world, '@Shared/x', '@Shared/x/y', '@Shared/z');
    grants.restrict(admin, '@Shared/x', true);
    set(world, 'user:ada', 'EDIT', '@Shared/x');
    grants.restrict(admin, '@Shared/z', true);
    set(world, 'user:ada', 'VIEW', '@Shared/z');
    expect(await refusalOf(() => moveFolder(world, ada, '@Shared/x/y', '@Shared/z'))).toBe(
      '404 Path not found: @Shared/z',
    );
    expect(await refusalOf(() => moveFolder(world, bob, '@Shared/x/y', '@Shared'))).toBe(
      '404 Path not found: @Shared/x/y',
    );
    moveFolder(world, ada, '@Shared/x/y', '@Shared');
    expect(tryLevel(world, bob, '@Shared/y')).toBe('EDIT');
    moveFolder(world, ada, '@Shared/x', '@Shared/y');
    expect([ada, bob].map((who) => tryLevel(world, who, '@Shared/y/x'))).toEqual(['EDIT', 'NONE']);
  });
});
