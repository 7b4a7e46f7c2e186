import { describe, expect, it } from 'vitest';
import type { Principal } from '../../src/identity/principal/principal.ts';
import { catchMessages } from '../engine/project/folders.ts';
import { readPackage } from '../engine/project/read-package.ts';
import { close, createWorld, idOf, makeAsset, makeFolders, refusalOf, type World } from './world.ts';

/** Creates assets by their paths, with their folders. */
function fill(world: World, contents: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(contents)) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (folder.includes('/')) makeFolders(world, folder);
    makeAsset(world, path, content);
  }
}

function manifest(name: string, version = '1', dependencies: Readonly<Record<string, string>> = {}): string {
  const listed = Object.entries(dependencies).map(([key, value]) => `"${key}" = { version = "${value}" }\n`);
  return `[general]\nname = "${name}"\nversion = "${version}"\n[dependencies]\n${listed.join('')}`;
}

/** The package of a folder, read by the owner or by another user. */
function read(world: World, folder: string, principal: Principal = world.owner) {
  return world.catalog.withScripts(principal, (loader) =>
    readPackage(loader, loader.findPackage(folder)!.id),
  );
}

/** The path that an import resolves to for the owner of the world, or the error. */
function importIn(world: World, folder: string, path: string, principal: Principal = world.owner): string {
  return world.catalog.withScripts(principal, (loader) => {
    const target = loader.resolveImport(loader.findPackage(folder)!.id, path);
    return target.kind === 'missing' ? target.message : pathOf(world, target.id);
  });
}

function pathOf({ database }: World, id: string): string {
  const sql = 'SELECT name, parent_id FROM catalog_items WHERE id = ?';
  const names: string[] = [];
  for (let next: string | null = id; next !== null; ) {
    const row: { name: string; parent_id: string | null } = database
      .statement<{ name: string; parent_id: string | null }>(sql)
      .get(next)!;
    names.unshift(row.name);
    next = row.parent_id;
  }
  return names.join('/');
}

describe('a package of the catalog', () => {
  it('has every script directly in its folder, sorted by name', () => {
    const world = createWorld();
    fill(world, {
      '@Shared/a/b': 'select 2',
      '@Shared/a/a.sql': '{{ X() }}',
      '@Shared/a/B': '#+src sql X()\n#+begin\nselect 1\n#+end\n',
      '@Shared/a/sub/c': 'select 3',
      '@Shared/a/sheet': 'select 4',
    });
    world.database.statement("UPDATE catalog_items SET type = 'UPLOAD_TEMPLATE' WHERE name = 'sheet'").run();
    expect(read(world, '@Shared/a')).toEqual({
      id: idOf(world, '@Shared/a'),
      name: '@Shared/a',
      files: [
        {
          name: '@Shared/a/B',
          text: '#+src sql X()\n#+begin\nselect 1\n#+end\n',
          asset: idOf(world, '@Shared/a/B'),
        },
        { name: '@Shared/a/a.sql', text: '{{ X() }}', asset: idOf(world, '@Shared/a/a.sql') },
        { name: '@Shared/a/b', text: 'select 2', asset: idOf(world, '@Shared/a/b') },
      ],
    });
  });

  it('has the name main in the root of a namespace', () => {
    const world = createWorld();
    fill(world, { '@Personal/s': 'select 1' });
    const id = world.catalog.withScripts(world.owner, (loader) => loader.findPackage('@Personal')!.id);
    expect(read(world, '@Personal')).toEqual({
      id,
      name: 'main',
      files: [{ name: '@Personal/s', text: 'select 1', asset: expect.any(String) }],
    });
    expect(read(world, '@Shared')).toMatchObject({ name: 'main', files: [] });
  });

  it('has its import path as name inside a project, for any type of folders', () => {
    const world = createWorld();
    makeFolders(world, '@Shared/typed', 'PROJECT');
    fill(world, {
      '@Shared/typed/project.toml': manifest('acme.io/typed'),
      '@Shared/typed/in/deep/s': 'select 1',
      '@Shared/plain/project.toml': manifest('acme.io/plain'),
      '@Shared/plain/s': 'select 1',
      '@Shared/plain/inner/project.toml': manifest('inner'),
      '@Shared/plain/inner/x/s': 'select 1',
    });
    expect(read(world, '@Shared/typed')).toMatchObject({ name: 'acme.io/typed', files: [] });
    expect(read(world, '@Shared/typed/in/deep')!.name).toBe('acme.io/typed/in/deep');
    expect(read(world, '@Shared/plain')).toMatchObject({
      name: 'acme.io/plain',
      files: [{ name: '@Shared/plain/s' }],
    });
    expect(read(world, '@Shared/plain/inner/x')!.name).toBe('inner/x');
  });

  it('has its project', () => {
    const world = createWorld();
    fill(world, { '@Shared/p/project.toml': manifest('p'), '@Shared/p/in/s': '', '@Shared/q/s': '' });
    makeFolders(world, '@Shared/q/project.toml');
    world.catalog.withScripts(world.owner, (loader) => {
      expect(loader.findProject(idOf(world, '@Shared/p/in'))).toMatchObject({
        id: idOf(world, '@Shared/p'),
        manifest: { general: { name: 'p' } },
      });
      expect(loader.findProject(idOf(world, '@Shared/q'))).toBe(null);
    });
  });

  it('is invalid when its manifest has errors', () => {
    const world = createWorld();
    fill(world, { '@Shared/p/project.toml': 'select 1', '@Shared/p/in/s': '' });
    const [error] = catchMessages(() => read(world, '@Shared/p/in'));
    expect(error).toMatch(/^@Shared\/p\/project\.toml:1:\d+ invalid TOML: /);
    expect(catchMessages(() => importIn(world, '@Shared/p', 'x'))).toEqual([error]);
  });

  it('is null when the item is not a folder', () => {
    const world = createWorld();
    fill(world, { '@Shared/s': '' });
    world.catalog.withScripts(world.owner, (loader) => {
      for (const id of [idOf(world, '@Shared/s'), 'none']) expect(readPackage(loader, id)).toBe(null);
    });
  });
});

describe('a path', () => {
  it('resolves to a script in its package, or to a package', () => {
    const world = createWorld();
    fill(world, { '@Shared/a/s': '', '@Personal/s': '' });
    world.catalog.withScripts(world.owner, (loader) => {
      const folder = { id: idOf(world, '@Shared/a'), file: null };
      for (const path of ['@Shared/a', '/@Shared/a/']) expect(loader.findPackage(path)).toEqual(folder);
      expect(loader.findPackage('/@Shared/a/s')).toEqual({ ...folder, file: '@Shared/a/s' });
      expect(loader.findPackage('@Personal/s')).toEqual({
        id: loader.findPackage('@Personal')!.id,
        file: '@Personal/s',
      });
    });
  });

  it.each(['', '@Shared/none', '@Shared/a/../a', 'acme.io/a', '@Project Hub/p'])('%j is refused', (path) => {
    const world = createWorld();
    fill(world, { '@Shared/a/s': '', '@Project Hub/p/s': '' });
    const find = () => world.catalog.withScripts(world.guest, (loader) => loader.findPackage(path));
    expect(refusalOf(find)).toMatchObject({ status: 404, detail: `Path not found: ${path}` });
  });
});

describe('the packages of a folder', () => {
  it('are the folder and all folders below it that contain scripts and may be viewed', () => {
    const world = createWorld();
    fill(world, { '@Shared/p/s': '', '@Shared/p/b/deep/s': '', '@Shared/p/z/s': '', '@Shared/q/s': '' });
    close(world, '@Shared/p/z');
    const listed = world.catalog.withScripts(world.guest, (loader) =>
      loader.listPackages(loader.findPackage('@Shared/p')!.id),
    );
    expect(listed.map((id) => pathOf(world, id))).toEqual(['@Shared/p', '@Shared/p/b/deep']);
  });
});

describe('an import with a path', () => {
  it('starts in the root of the namespace, also within a project', () => {
    const world = createWorld();
    fill(world, {
      '@Shared/p/project.toml': manifest('acme.io/p'),
      '@Shared/p/in/s': '',
      '@Shared/q/s': '',
      '@Shared/s': '',
      '@Personal/q/s': '',
      '@Personal/r/s': '',
    });
    expect(importIn(world, '@Shared/p/in', 'q')).toBe('@Shared/q');
    expect(importIn(world, '@Shared/p/in', 'p/in')).toBe('@Shared/p/in');
    expect(importIn(world, '@Shared/p/in', 'main')).toBe('@Shared');
    expect(importIn(world, '@Personal/q', 'r')).toBe('@Personal/r');
    expect(importIn(world, '@Shared/q', 'r')).toBe('there is no folder `r` in @Shared');
    expect(importIn(world, '@Shared/q', '@Shared/p/in')).toBe(
      'there is no folder `@Shared/p/in` in @Shared; did you mean `p/in`?',
    );
  });

  it('that does not exist is an error, with a similar path', () => {
    const world = createWorld();
    fill(world, { '@Shared/sales/landing/s': '', '@Shared/sales/script': '' });
    makeFolders(world, '@Shared/empty');
    expect(importIn(world, '@Shared', 'sales/lnading')).toBe(
      'there is no folder `sales/lnading` in @Shared; did you mean `sales/landing`?',
    );
    expect(importIn(world, '@Shared', 'sales/script')).toBe('there is no folder `sales/script` in @Shared');
    expect(importIn(world, '@Shared', 'sales/landing/s/x')).toContain('there is no folder');
    expect(importIn(world, '@Shared', 'empty')).toBe('there are no scripts directly in @Shared/empty');
    expect(importIn(world, '@Shared', 'main')).toBe('there are no scripts directly in @Shared');
    expect(importIn(world, '@Shared', '../sales')).toContain('is not a valid import path');
  });
});

describe('an import with a project name', () => {
  it('resolves to the folders in the same project', () => {
    const world = createWorld();
    fill(world, {
      '@Personal/x/y/project.toml': manifest('acme.io/p'),
      '@Personal/x/y/s': '',
      '@Personal/x/y/in/s': '',
      '@Personal/acme.io/p/hidden/s': '',
    });
    expect(importIn(world, '@Personal/x/y/in', 'acme.io/p')).toBe('@Personal/x/y');
    expect(importIn(world, '@Personal/x/y', 'acme.io/p/in')).toBe('@Personal/x/y/in');
    expect(importIn(world, '@Personal/x/y', 'acme.io/p/inn')).toBe(
      'project `acme.io/p` has no folder `inn`; did you mean `acme.io/p/in`?',
    );
    expect(importIn(world, '@Personal/x/y', 'acme.io/p/hidden')).toContain('has no folder');
    expect(importIn(world, '@Personal/x', 'acme.io/p/hidden')).toBe('@Personal/acme.io/p/hidden');
  });

  it('is searched in the same namespace, then in @Shared, then in the hub', () => {
    const world = createWorld();
    const importer = manifest('x', '1', { base: '1' });
    fill(world, {
      '@Personal/x/project.toml': importer,
      '@Shared/x/project.toml': importer,
      '@Project Hub/x/project.toml': importer,
      '@Project Hub/base/project.toml': manifest('base'),
      '@Project Hub/base/s': '',
    });
    const found = () =>
      ['@Personal/x', '@Shared/x', '@Project Hub/x'].map((at) => importIn(world, at, 'base'));
    expect(found()).toEqual(['@Project Hub/base', '@Project Hub/base', '@Project Hub/base']);
    fill(world, { '@Shared/deep/down/project.toml': manifest('base'), '@Shared/deep/down/s': '' });
    expect(found()).toEqual(['@Shared/deep/down', '@Shared/deep/down', '@Project Hub/base']);
    fill(world, { '@Personal/b/project.toml': manifest('base'), '@Personal/b/s': '' });
    expect(found().map((path) => path.split('/').at(-1))).toEqual(['b', 'down', 'base']);
  });

  it('needs the required version, in exactly one project', () => {
    const world = createWorld();
    fill(world, {
      '@Shared/x/project.toml': manifest('x', '1', { base: '1' }),
      '@Shared/b2/project.toml': manifest('base', '2'),
      '@Shared/broken/project.toml': 'x',
      '@Project Hub/b3/project.toml': manifest('base', '3'),
    });
    expect(importIn(world, '@Shared/x', 'base')).toBe(
      'no project `base` of version 1 can be found; @Shared/b2 has version 2; @Shared/broken/project.toml has errors; @Project Hub/b3 has version 3',
    );
    fill(world, { '@Shared/one/project.toml': manifest('base'), '@Shared/one/s': '' });
    expect(importIn(world, '@Shared/x', 'base')).toBe('@Shared/one');
    fill(world, { '@Shared/copy/project.toml': manifest('base') });
    expect(importIn(world, '@Shared/x', 'base')).toBe(
      'project `base` of version 1 is in more than one place: @Shared/copy and @Shared/one',
    );
  });

  it('needs the project in the requirements of the manifest', () => {
    const world = createWorld();
    fill(world, {
      '@Shared/x/project.toml': manifest('x'),
      '@Shared/base/project.toml': manifest('acme.io/base'),
      '@Shared/base/s': '',
    });
    expect(importIn(world, '@Shared/x', 'acme.io/base')).toBe(
      'project `acme.io/base` is not listed under [dependencies] of the project in @Shared/x',
    );
    expect(importIn(world, '@Shared', 'acme.io/base')).toContain('can only be imported from a project');
  });
});

describe('an item that the caller may not view', () => {
  function createHidden(): World {
    const world = createWorld();
    fill(world, {
      '@Shared/x/project.toml': manifest('x', '1', { base: '1', 'acme.io/near': '1' }),
      '@Shared/x/s': '',
      '@Shared/x/hidden/s': '',
      '@Shared/hidden/s': '',
      '@Shared/base/project.toml': manifest('base'),
      '@Shared/base/s': '',
      '@Shared/other/project.toml': manifest('other'),
      '@Shared/other/s': '',
    });
    for (const path of ['x/hidden', 'hidden', 'base', 'other']) {
      close(world, `@Shared/${path}`);
    }
    return world;
  }

  it('cannot be read', () => {
    const world = createHidden();
    world.catalog.withScripts(world.guest, (loader) => {
      for (const path of ['@Shared/hidden', '@Shared/base']) {
        expect(readPackage(loader, idOf(world, path))).toBe(null);
      }
    });
  });

  it.each([
    ['hidden', 'there is no folder `hidden` in @Shared'],
    ['hiden', 'there is no folder `hiden` in @Shared'],
    ['x/hidden', 'project `x` has no folder `hidden`'],
    ['base', 'no project `base` of version 1 can be found'],
    ['other', 'there is no folder `other` in @Shared'],
  ])('has the same import error as a missing one: %s', (path, message) => {
    const world = createHidden();
    expect(importIn(world, '@Shared/x', path, world.guest)).toBe(message);
    const bare = createWorld();
    fill(bare, {
      '@Shared/x/project.toml': manifest('x', '1', { base: '1', 'acme.io/near': '1' }),
      '@Shared/x/s': '',
    });
    expect(importIn(bare, '@Shared/x', path, bare.guest)).toBe(message);
  });

  it('is not a file of a package', () => {
    const world = createWorld();
    fill(world, { '@Shared/a/seen': '', '@Shared/a/unseen': '', '@Shared/b/unseen': '' });
    for (const path of ['a/unseen', 'b/unseen']) close(world, `@Shared/${path}`);
    expect(read(world, '@Shared/a', world.guest)!.files.map((file) => file.name)).toEqual(['@Shared/a/seen']);
    expect(importIn(world, '@Shared/a', 'b', world.guest)).toBe('there are no scripts directly in @Shared/b');
  });

  it('is not a project for the items below it', () => {
    const world = createWorld();
    fill(world, { '@Shared/p/project.toml': manifest('secret'), '@Shared/p/in/s': '' });
    close(world, '@Shared/p');
    close(world, '@Shared/p/in', 'VIEW');
    expect(read(world, '@Shared/p/in', world.guest)!.name).toBe('@Shared/p/in');
    expect(importIn(world, '@Shared/p/in', 'secret', world.guest)).toBe(
      'there is no folder `secret` in @Shared',
    );
  });

  it("can be another user's home, even for an administrator", () => {
    const world = createWorld();
    world.catalog.createAsset(world.guest, { parentPath: '@Personal', name: 's', content: '' });
    world.catalog.withScripts(world.guest, (loader) => {
      expect(readPackage(loader, world.guest.userId)).toMatchObject({ name: 'main' });
    });
    world.catalog.withScripts(world.owner, (loader) => {
      expect(readPackage(loader, world.guest.userId)).toBe(null);
    });
  });

  it('does not include the items of @Shared for a user without a home', () => {
    const world = createWorld();
    fill(world, { '@Shared/a/s': '' });
    const nobody = { userId: 'nobody', userName: 'nobody', superUser: false, viewsOnly: false };
    expect(read(world, '@Shared/a', nobody)).toMatchObject({ name: '@Shared/a' });
  });
});

describe('a script loader', () => {
  it('reads one snapshot', () => {
    const world = createWorld();
    fill(world, { '@Shared/a/s': 'select 1' });
    const other = createWorld({ home: world.home });
    world.catalog.withScripts(world.owner, (loader) => {
      const { id } = loader.findPackage('@Shared/a')!;
      other.catalog.updateAsset(other.owner, '@Shared/a/s', '*', { content: 'select 2' });
      expect(readPackage(loader, id)!.files[0]!.text).toBe('select 1');
    });
    expect(read(world, '@Shared/a')!.files[0]!.text).toBe('select 2');
  });

  it('ends its transaction when the work fails', () => {
    const world = createWorld();
    const fail = () =>
      world.catalog.withScripts(world.owner, () => {
        throw new Error('no');
      });
    expect(fail).toThrow('no');
    fill(world, { '@Shared/s': '' });
    expect(world.catalog.withScripts(world.owner, () => 7)).toBe(7);
  });

  it('resolves imports without reading contents', () => {
    const world = createWorld();
    fill(world, { '@Shared/a/s': '', '@Shared/b/s': '' });
    world.database.statement('ALTER TABLE catalog_contents RENAME TO elsewhere').run();
    expect(importIn(world, '@Shared/a', 'b')).toBe('@Shared/b');
    expect(() => read(world, '@Shared/a')).toThrow('no such table');
  });
});
