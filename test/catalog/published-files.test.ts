import { linkSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '../../src/identity/principal/principal.ts';
import { close, createWorld, idOf, type World } from './world.ts';

let world: World;
/** An editor who is not an administrator. */
let ada: Principal;
/** The same, with rights of the guest alone. */
let bob: Principal;
let folder: string;

const USER = `
  INSERT INTO users (id, user_name, user_name_key, display_name, super_user, active, created_at, updated_at, role)
  VALUES ('bob', 'bob', 'bob', '', 0, 1, '', '', 'EDITOR')
`;

beforeEach(() => {
  world = createWorld();
  world.database.write(() => world.database.statement(USER).run());
  ada = world.guest;
  bob = { ...ada, userId: 'bob', userName: 'bob' };
  folder = path.join(world.home, 'publish');
  mkdirSync(folder);
  for (const name of ['a', 'b']) {
    world.catalog.createAsset(world.owner, { parentPath: '@Shared', name, content: 'SELECT 1' });
  }
});

const at = (name: string) => path.join(folder, name);
const readInode = (file: string) => statSync(file, { bigint: true }).ino.toString();

/** Writes a new file that does not have its path yet; returns its name and its inode. */
function write(text: string): [string, string] {
  const file = at(`.new-${text}`);
  writeFileSync(file, text);
  return [file, readInode(file)];
}

/** Publishes a file with all steps; returns the refusal, if any. */
function publish(who: Principal, name: string, asset: string | null = null): string | null {
  const [file, inode] = write(who.userName);
  const owned = { path: name, asset };
  const refusal = world.published.claim(who, owned, inode);
  if (refusal !== null) return refusal;
  renameSync(file, at(name));
  world.published.keep(who, owned, inode);
  return null;
}

const mayReplace = (who: Principal, name: string, asset: string | null = null) =>
  world.published.findRefusal(who, { path: name, asset }) === null;

const listRows = () => world.database.statement('SELECT path, inode FROM published_files ORDER BY id').all();

describe('a published file', () => {
  it('is replaced by the user who published it and by administrators', () => {
    expect(publish(ada, 'f.csv')).toBeNull();
    expect([ada, world.owner, bob].map((who) => mayReplace(who, 'f.csv'))).toEqual([true, true, false]);
    expect(publish(bob, 'f.csv')).toBe(
      'the file `f.csv` cannot be replaced, because another user has published it: choose another path, or ask an administrator',
    );
    expect(publish(world.owner, 'f.csv')).toBeNull();
    expect(mayReplace(ada, 'f.csv')).toBe(false);
  });

  it('is replaced by runs of its asset and by the editors of that, but not by other assets', () => {
    const [a, b] = ['@Shared/a', '@Shared/b'].map((name) => idOf(world, name));
    expect(publish(world.owner, 'f.csv', a)).toBeNull();
    expect(mayReplace(ada, 'f.csv')).toBe(true);
    close(world, '@Shared/a', 'VIEW');
    expect(mayReplace(ada, 'f.csv', a)).toBe(true);
    expect(mayReplace(ada, 'f.csv', b)).toBe(false);
    expect(publish(ada, 'f.csv', b)).toBe(
      'the file `f.csv` cannot be replaced, because `@Shared/a` has published it: run that one, choose another path, or ask for EDIT on it',
    );
  });

  it('does not name an asset that the user may not view', () => {
    publish(world.owner, 'f.csv', idOf(world, '@Shared/a'));
    close(world, '@Shared/a');
    expect(publish(ada, 'f.csv')).toMatch(/because another user has published it/);
  });

  it('belongs to the next publisher if Quern has not published it, or its asset and user are deleted', () => {
    writeFileSync(at('by-hand.csv'), '1');
    expect(publish(ada, 'by-hand.csv')).toBeNull();
    expect(mayReplace(bob, 'by-hand.csv')).toBe(false);
    publish(bob, 'f.csv', idOf(world, '@Shared/a'));
    world.database.write(() => world.database.statement("DELETE FROM users WHERE id = 'bob'").run());
    close(world, '@Shared/a');
    expect(mayReplace(ada, 'f.csv')).toBe(false);
    world.database.write(() => world.database.statement("DELETE FROM catalog_items WHERE name = 'a'").run());
    expect(publish(ada, 'f.csv')).toBeNull();
    expect(mayReplace(bob, 'f.csv')).toBe(false);
  });

  it('of an asset in the bin belongs to the user alone, and to the asset again when that is restored', () => {
    const asset = idOf(world, '@Shared/a');
    publish(bob, 'f.csv', asset);
    expect(mayReplace(ada, 'f.csv')).toBe(true);
    world.catalog.deleteAsset(world.owner, '@Shared/a', '*');
    expect([mayReplace(ada, 'f.csv'), mayReplace(ada, 'f.csv', asset)]).toEqual([false, false]);
    expect(mayReplace(bob, 'f.csv')).toBe(true);
    world.bin.restore(world.owner, world.bin.list(world.owner)[0]!.id);
    expect(mayReplace(ada, 'f.csv')).toBe(true);
  });

  it('of a user or asset that is deleted between two steps belongs to the next publisher', () => {
    const asset = idOf(world, '@Shared/a');
    const [file, inode] = write('new');
    world.published.claim(bob, { path: 'f.csv', asset }, inode);
    world.database.write(() => {
      world.database.statement("DELETE FROM users WHERE id = 'bob'").run();
      world.database.statement("DELETE FROM catalog_items WHERE name = 'a'").run();
    });
    renameSync(file, at('f.csv'));
    world.published.keep(bob, { path: 'f.csv', asset }, inode);
    expect(mayReplace(ada, 'f.csv')).toBe(true);
  });
});

describe('a process that is killed', () => {
  it.each([
    ['before the new file has its path', false, [true, false]],
    ['after the new file has its path', true, [false, true]],
  ])('%s leaves each file with its owner', (_, isRenamed, expected) => {
    publish(ada, 'f.csv');
    const [file, inode] = write('of-the-owner');
    expect(world.published.claim(world.owner, { path: 'f.csv', asset: null }, inode)).toBeNull();
    if (isRenamed) renameSync(file, at('f.csv'));
    // Ada owns the old file, and administrators do not own it.
    const owners = () => [mayReplace(ada, 'f.csv'), !mayReplace(ada, 'f.csv')];
    expect(owners()).toEqual(expected);
    expect(listRows()).toHaveLength(2);
    world.published.settle();
    expect(listRows()).toHaveLength(1);
    expect(owners()).toEqual(expected);
  });

  it('before it replaces a file without an owner leaves that one without an owner', () => {
    writeFileSync(at('by-hand.csv'), '1');
    world.published.claim(ada, { path: 'by-hand.csv', asset: null }, write('new')[1]);
    expect(mayReplace(bob, 'by-hand.csv')).toBe(true);
  });
});

it('a file that does not get its path leaves the old owner', () => {
  publish(ada, 'f.csv');
  const before = listRows();
  const [, inode] = write('new');
  world.published.claim(world.owner, { path: 'f.csv', asset: null }, inode);
  world.published.withdraw({ path: 'f.csv', asset: null }, inode);
  expect(listRows()).toEqual(before);
});

it('two processes that publish a path at once leave the owner of the last one', () => {
  publish(ada, 'f.csv');
  const owned = { path: 'f.csv', asset: null };
  const [first, one] = write('first');
  const [second, two] = write('second');
  world.published.claim(ada, owned, one);
  world.published.claim(world.owner, owned, two);
  renameSync(second, at('f.csv'));
  world.published.keep(world.owner, owned, two);
  renameSync(first, at('f.csv'));
  world.published.keep(ada, owned, one);
  expect(listRows()).toEqual([{ path: 'f.csv', inode: one }]);
  expect([mayReplace(ada, 'f.csv'), mayReplace(bob, 'f.csv')]).toEqual([true, false]);
});

it('a file with another name of the same inode, as where a file system ignores case, has one owner', () => {
  publish(ada, 'f.csv');
  linkSync(at('f.csv'), at('F.csv'));
  expect([mayReplace(ada, 'F.csv'), mayReplace(bob, 'F.csv')]).toEqual([true, false]);
  // A deleted file leaves its inode to others.
  const inode = readInode(at('F.csv'));
  rmSync(at('f.csv'));
  expect(readInode(at('F.csv'))).toBe(inode);
  expect(mayReplace(bob, 'F.csv')).toBe(true);
});

it('a file whose inode has changed, as after a restore, keeps its owner', () => {
  publish(ada, 'f.csv');
  writeFileSync(at('copy'), 'copy');
  renameSync(at('copy'), at('f.csv'));
  expect([mayReplace(ada, 'f.csv'), mayReplace(bob, 'f.csv')]).toEqual([true, false]);
});

it('the owners of an earlier version are taken over, except those of missing users, missing files and files with an owner', () => {
  publish(bob, 'known.csv');
  writeFileSync(at('old.csv'), '1');
  const owners = new Map([
    ['old.csv', ada.userId],
    ['known.csv', ada.userId],
    ['gone.csv', ada.userId],
    ['of-nobody.csv', 'missing'],
  ]);
  world.published.takeOver(owners);
  expect([mayReplace(ada, 'old.csv'), mayReplace(bob, 'old.csv')]).toEqual([true, false]);
  expect(mayReplace(ada, 'known.csv')).toBe(false);
  expect(world.published.listPaths(ada.userId)).toEqual(['old.csv']);
});
