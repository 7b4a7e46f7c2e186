import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalLoader } from '../../../src/engine/project/local-loader.ts';
import { createMemoryTree, MEMORY_ROOT } from '../../../src/engine/project/memory-tree.ts';
import type { PackageLoader } from '../../../src/engine/project/package-loader.ts';
import { collectSnapshot } from '../../../src/engine/script/load/collect-snapshot.ts';
import { catchMessages, importIn, makeFiles, project } from './folders.ts';
import { readPackage } from './read-package.ts';

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures');

function loadFromMemory(files: Readonly<Record<string, string>>): PackageLoader {
  const sources = Object.entries(files).map(([name, text]) => ({ name, text }));
  return createLocalLoader({ cwd: MEMORY_ROOT, tree: createMemoryTree(sources) });
}

function readTexts(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(sql|toml)$/.test(name) && statSync(path.join(folder, name)).isFile())
    .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')] as const);
  return Object.fromEntries(files);
}

describe('files in memory', () => {
  it.each(['demo', 'warehouse'])('are the same packages as on a disk: %s', (name) => {
    const folder = path.join(fixtures, name);
    const places = [
      { root: folder, loader: createLocalLoader({ cwd: folder }) },
      { root: MEMORY_ROOT, loader: loadFromMemory(readTexts(folder)) },
    ];
    const [disk, memory] = places.map(({ root, loader }) => {
      const [first, ...others] = loader.listPackages(loader.findPackage('.')!.id);
      const snapshot = collectSnapshot(loader, [{ id: first! }, ...others.map((id) => ({ id }))], {
        params: {},
      });
      return JSON.parse(JSON.stringify(snapshot).replaceAll(root, ''));
    });
    expect(disk.packages.flatMap(({ files }: { files: unknown[] }) => files).length).toBeGreaterThan(5);
    expect(memory).toEqual(disk);
  });

  it('have projects, their neighbours and hidden files as on a disk', () => {
    const files = {
      'a/project.toml': project('acme.io/a', '1.0.0', { 'acme.io/b': '1.0.0' }),
      'a/one.sql': '',
      'a/.hidden.sql': '',
      'a/notes.txt': '',
      'b/project.toml': project('acme.io/b', '1.0.0'),
      'b/in/two.sql': '',
      'b/empty/notes.txt': '',
      'c.sql': '',
    };
    const disk = makeFiles(files);
    const [there, here] = [createLocalLoader({ cwd: disk }), loadFromMemory(files)];
    for (const folder of ['.', 'a', 'b/in']) {
      for (const target of [
        'acme.io/b/in',
        'acme.io/b',
        'acme.io/a',
        'a',
        'c',
        'b/inn',
        'main',
        '../a',
        '/a',
      ]) {
        expect(importIn(here, folder, target)).toBe(
          importIn(there, folder, target).replaceAll(disk, MEMORY_ROOT),
        );
      }
    }
    expect(readPackage(here, path.join(MEMORY_ROOT, 'a'))!.files.map(({ name }) => name)).toEqual([
      'a/one.sql',
    ]);
    expect(here.findPackage('b/empty')).toEqual({ id: path.join(MEMORY_ROOT, 'b/empty'), file: null });
    for (const typed of ['/etc/passwd', '..', '../..', '/', 'a/nothing', 'a/one.sql/x', '/etc', disk]) {
      const found = here.findPackage(typed);
      expect(found === null || readPackage(here, found.id)!.files.length === 0, typed).toBe(true);
    }
  });

  it('belong to a project in the root, whose folders are not its neighbours', () => {
    const loader = loadFromMemory({
      'project.toml': project('outer', '1.0.0', { inner: '1.0.0' }),
      'in/project.toml': project('inner', '1.0.0'),
      'in/x.sql': '',
      'y.sql': '',
    });
    expect(importIn(loader, '.', 'inner')).toContain('no project `inner` of version 1.0.0 can be found');
    expect(importIn(loader, '.', 'outer/in')).toBe(path.join(MEMORY_ROOT, 'in'));
  });

  it('are reported by name if they are invalid manifests', () => {
    const loader = loadFromMemory({ 'p/project.toml': '[general', 'p/x.sql': '' });
    expect(catchMessages(() => readPackage(loader, path.join(MEMORY_ROOT, 'p')))).toEqual([
      expect.stringMatching(/^p\/project\.toml:1:\d+ invalid TOML/),
    ]);
  });

  it('can be an empty list', () => {
    const loader = loadFromMemory({});
    expect(loader.findPackage('.')).toEqual({ id: MEMORY_ROOT, file: null });
    expect(loader.listPackages(MEMORY_ROOT)).toEqual([]);
  });
});
