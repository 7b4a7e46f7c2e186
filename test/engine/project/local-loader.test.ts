import { chmodSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalLoader } from '../../../src/engine/project/local-loader.ts';
import { catchMessages, importIn, makeFiles, project } from './folders.ts';
import { readPackage } from './read-package.ts';

describe('a package on disk', () => {
  it('contains every script directly in its folder, by name in code unit order', () => {
    const cwd = makeFiles({
      'p/b.sql': 'select 2',
      'p/a.sql': 'select 1',
      'p/B.sql': '',
      'p/ä.sql': '',
      'p/sub/c.sql': '',
      'p/notes.txt': '',
      'p/project.toml': project('acme.io/x'),
      'p/.#a.sql': '',
      'p/._a.sql': '\u0000',
      'p/folder.sql/x': '',
    });
    const loader = createLocalLoader({ cwd });
    expect(readPackage(loader, path.join(cwd, 'p'))).toEqual({
      id: path.join(cwd, 'p'),
      name: 'acme.io/x',
      files: [
        { name: path.join('p', 'B.sql'), text: '' },
        { name: path.join('p', 'a.sql'), text: 'select 1' },
        { name: path.join('p', 'b.sql'), text: 'select 2' },
        { name: path.join('p', 'ä.sql'), text: '' },
      ],
    });
    expect(readPackage(loader, path.join(cwd, 'p/sub'))!.name).toBe('acme.io/x/sub');
  });

  it('has its path as name outside a project, and main in the current folder', () => {
    const cwd = makeFiles({ 'here/a.sql': '', 'here/in/deep/a.sql': '', 'beside/a.sql': '' });
    const loader = createLocalLoader({ cwd: path.join(cwd, 'here') });
    const read = (folder: string) => {
      const { name, files } = readPackage(loader, loader.findPackage(folder)!.id)!;
      return [name, files[0]!.name];
    };
    expect(read('.')).toEqual(['main', 'a.sql']);
    expect(read('in/deep')).toEqual(['in/deep', path.join('in', 'deep', 'a.sql')]);
    const outside = path.join(cwd, 'beside');
    expect(read('../beside')).toEqual([outside.replaceAll(path.sep, '/'), path.join(outside, 'a.sql')]);
  });

  it('belongs to the nearest project', () => {
    const cwd = makeFiles({
      'project.toml': project('outer'),
      'in/project.toml': project('inner'),
      'in/x/a.sql': '',
      'y/project.toml/a.sql': '',
    });
    const loader = createLocalLoader({ cwd: path.join(cwd, 'in') });
    expect(loader.findProject(path.join(cwd, 'in/x'))).toMatchObject({ id: path.join(cwd, 'in') });
    expect(loader.findProject(path.join(cwd, 'y'))!.manifest.general.name).toBe('outer');
    expect(readPackage(loader, path.join(cwd, 'in/x'))!.name).toBe('inner/x');
  });

  it('can be empty, and is null if its folder is missing', () => {
    const cwd = makeFiles({ 'a/b': '', 'c.sql': '' });
    const loader = createLocalLoader({ cwd });
    expect(readPackage(loader, path.join(cwd, 'a'))).toEqual({
      id: path.join(cwd, 'a'),
      name: 'a',
      files: [],
    });
    for (const name of ['none', 'c.sql']) expect(readPackage(loader, path.join(cwd, name))).toBe(null);
  });

  it('keeps a byte order mark and line ends', () => {
    const cwd = makeFiles({ 'a.sql': '\ufeffselect 1\r\n', 'b.sql': "select '\ufffd'" });
    expect(readPackage(createLocalLoader({ cwd }), cwd)!.files).toEqual([
      { name: 'a.sql', text: '\ufeffselect 1\r\n' },
      { name: 'b.sql', text: "select '\ufffd'" },
    ]);
  });

  it('reports all files that it cannot use', () => {
    const cwd = makeFiles({
      'a.sql': Buffer.from("select 1;\nselect '\xe4'", 'latin1'),
      'b.sql': '',
      'c.sql': '',
      'd.sql': Buffer.from('\ufeffselect 1', 'utf16le'),
    });
    truncateSync(path.join(cwd, 'b.sql'), 15 * 1024 * 1024);
    truncateSync(path.join(cwd, 'c.sql'), 15 * 1024 * 1024 + 1);
    symlinkSync(path.join(cwd, 'nowhere'), path.join(cwd, 'e.sql'));
    symlinkSync(path.join(cwd, 'f.sql'), path.join(cwd, 'f.sql'));
    expect(catchMessages(() => readPackage(createLocalLoader({ cwd }), cwd))).toEqual([
      'a.sql:2:9 the file is not UTF-8 text: byte 19 is wrong; convert it first',
      'c.sql:1:1 the file exceeds the limit of 15 MB',
      'd.sql:1:1 the file is not UTF-8 text: byte 1 is wrong; convert it first',
      'e.sql:1:1 the file cannot be read (ENOENT)',
      'f.sql:1:1 the file cannot be read (ELOOP)',
    ]);
  });

  it('reports the errors of its manifest', () => {
    const cwd = makeFiles({ 'project.toml': '[general]\n', 'x/a.sql': '' });
    const loader = createLocalLoader({ cwd });
    const errors = ['project.toml:1:2 `[general]` needs a `name`'];
    expect(catchMessages(() => readPackage(loader, path.join(cwd, 'x')))).toEqual(errors);
    expect(catchMessages(() => importIn(loader, 'x', 'x'))).toEqual(errors);
    writeFileSync(path.join(cwd, 'project.toml'), Buffer.from([0xff]));
    expect(catchMessages(() => readPackage(createLocalLoader({ cwd }), cwd))).toEqual([
      'project.toml:1:1 the file is not UTF-8 text: byte 1 is wrong; convert it first',
    ]);
  });

  it('has the same id through every link', () => {
    const cwd = makeFiles({ 'real/a.sql': 'select 1' });
    symlinkSync(path.join(cwd, 'real'), path.join(cwd, 'link'));
    symlinkSync(path.join(cwd, 'real/a.sql'), path.join(cwd, 'real/b.sql'));
    symlinkSync(cwd, path.join(cwd, 'real/up'));
    symlinkSync('loop', path.join(cwd, 'loop'));
    const loader = createLocalLoader({ cwd: path.join(cwd, 'real/up') });
    const id = path.join(cwd, 'real');
    for (const name of ['real', 'link', 'real/up/link']) expect(importIn(loader, 'real', name)).toBe(id);
    expect(importIn(loader, 'real', 'loop')).toBe('there is no folder `loop` in the current folder');
    expect(readPackage(loader, id)!.files.map((file) => file.name)).toEqual([
      path.join('real', 'a.sql'),
      path.join('real', 'b.sql'),
    ]);
  });

  it('counts as missing if it is unreadable', () => {
    const cwd = makeFiles({ 'a/x.sql': '', 'b/x.sql': '' });
    chmodSync(cwd, 0o755);
    chmodSync(path.join(cwd, 'a'), 0);
    asUnprivileged(() => {
      const loader = createLocalLoader({ cwd });
      expect(importIn(loader, 'b', 'a')).toBe('there are no scripts directly in a');
    });
    chmodSync(path.join(cwd, 'a'), 0o700);
  });
});

/** Runs work without the rights of root, because root can read everything. */
function asUnprivileged(work: () => void): void {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid!(65534);
  try {
    work();
  } finally {
    if (isRoot) process.seteuid!(0);
  }
}

describe('the packages of a folder', () => {
  it('are the folder and all folders below it that contain scripts, each once', () => {
    const cwd = makeFiles({
      'p/a.sql': '',
      'p/z/b.sql': '',
      'p/b/deep/c.sql': '',
      'p/b/notes.txt': '',
      'p/.git/d.sql': '',
      'p/node_modules/x/e.sql': '',
      'q/f.sql': '',
    });
    symlinkSync(path.join(cwd, 'p'), path.join(cwd, 'p/b/up'));
    symlinkSync(path.join(cwd, 'p/z'), path.join(cwd, 'p/again'));
    const loader = createLocalLoader({ cwd });
    const list = (folder: string) =>
      loader.listPackages(path.join(cwd, folder)).map((id) => path.relative(cwd, id));
    expect(list('p').sort()).toEqual(['p', path.join('p', 'b', 'deep'), path.join('p', 'z')]);
    expect(list('p/b/deep')).toEqual([path.join('p', 'b', 'deep')]);
    expect(list('none')).toEqual([]);
  });
});

describe('a path that a user typed', () => {
  it('finds a file in its package, or a package', () => {
    const cwd = makeFiles({ 'p/a.sql': '', 'p/sub/b.sql': '', 'q/c.sql': '' });
    const loader = createLocalLoader({ cwd: path.join(cwd, 'p') });
    const own = path.join(cwd, 'p');
    for (const typed of ['a.sql', './a.sql', '../p/a.sql', path.join(own, 'a.sql')]) {
      expect(loader.findPackage(typed)).toEqual({ id: own, file: 'a.sql' });
    }
    expect(loader.findPackage('sub/b.sql')).toEqual({
      id: path.join(own, 'sub'),
      file: path.join('sub', 'b.sql'),
    });
    expect(loader.findPackage('../q/c.sql')!.file).toBe(path.join(cwd, 'q', 'c.sql'));
    for (const typed of ['sub', 'sub/', './sub/.']) {
      expect(loader.findPackage(typed)).toEqual({ id: path.join(own, 'sub'), file: null });
    }
    expect(loader.findPackage('.')).toEqual({ id: own, file: null });
    for (const typed of ['b.sql', 'a.sql/x', 'none/a.sql', 'a\u0000']) {
      expect(loader.findPackage(typed)).toBe(null);
    }
  });

  it('finds for a linked file the package that contains the link', () => {
    const cwd = makeFiles({ 'project.toml': project('x'), 'real/a.sql': '', 'p/b.sql': '' });
    symlinkSync(path.join(cwd, 'real/a.sql'), path.join(cwd, 'p/a.sql'));
    const loader = createLocalLoader({ cwd });
    const { id, file } = loader.findPackage('p/a.sql')!;
    expect(id).toBe(path.join(cwd, 'p'));
    expect(readPackage(loader, id)!.files.map(({ name }) => name)).toContain(file);
  });
});

describe('a given project', () => {
  it('must have a manifest', () => {
    const cwd = makeFiles({
      'none/a.sql': '',
      'broken/project.toml': 'x',
      'good/project.toml': project('g'),
    });
    const make = () => createLocalLoader({ cwd, projects: ['good', 'none', 'broken', 'nowhere'] });
    expect(catchMessages(make)).toEqual([
      `${path.join('none', 'project.toml')}:1:1 file not found, so its folder is not a project`,
      expect.stringContaining(`${path.join('broken', 'project.toml')}:1:`),
      `${path.join('nowhere', 'project.toml')}:1:1 file not found, so its folder is not a project`,
    ]);
  });
});
