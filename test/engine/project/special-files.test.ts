import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalLoader } from '../../../src/engine/project/local-loader.ts';
import { catchMessages, importIn, makeFiles, project } from './folders.ts';
import { readPackage } from './read-package.ts';

function makePipe(file: string): void {
  execFileSync('mkfifo', [file]);
}

/** The errors of the package in a folder that a user typed. */
function readErrors(cwd: string, typed: string): string[] {
  const loader = createLocalLoader({ cwd });
  return catchMessages(() => readPackage(loader, loader.findPackage(typed)!.id));
}

const outside = (folder: string) =>
  `the file is a link that leads outside \`${folder}\`: replace it with a copy of its target`;

describe('a script that is not a plain file', () => {
  it('is rejected with its name, without waiting for it', async () => {
    const cwd = makeFiles({ 'a.sql': 'SELECT 1' });
    makePipe(path.join(cwd, 'pipe.sql'));
    symlinkSync('pipe.sql', path.join(cwd, 'to-pipe.sql'));
    const server = createServer().listen(path.join(cwd, 'socket.sql'));
    await once(server, 'listening');
    try {
      const advice = 'not a plain file: remove or rename it';
      expect(readErrors(cwd, '.')).toEqual([
        `pipe.sql:1:1 this is a named pipe, ${advice}`,
        `socket.sql:1:1 this is a socket, ${advice}`,
        `to-pipe.sql:1:1 this is a named pipe, ${advice}`,
      ]);
    } finally {
      server.close();
    }
  });

  it('is also rejected as a manifest', () => {
    const cwd = makeFiles({ 'a.sql': 'SELECT 1' });
    makePipe(path.join(cwd, 'project.toml'));
    expect(readErrors(cwd, '.')).toEqual([expect.stringMatching(/^project.toml:1:1 this is a named pipe/)]);
  });

  it('is rejected if it is a device behind a link in the same folder', () => {
    const loader = createLocalLoader({ cwd: '/' });
    const cwd = makeFiles({});
    symlinkSync('/dev/zero', path.join(cwd, 'zero.sql'));
    const { id } = loader.findPackage(cwd)!;
    expect(loader.findPackage('/')!.id).toBe('/');
    expect(catchMessages(() => readPackage(loader, id))).toEqual([
      expect.stringContaining('zero.sql:1:1 this is a device, not a plain file'),
    ]);
  });
});

describe('a link', () => {
  it('can lead to a file of its project, but not outside it', () => {
    const cwd = makeFiles({
      'p/project.toml': project('p'),
      'p/one/a.sql': 'SELECT 1',
      'p/two/b.sql': 'SELECT 2',
      'secret.txt': 'secret',
    });
    symlinkSync('../one/a.sql', path.join(cwd, 'p/two/link.sql'));
    const loader = createLocalLoader({ cwd });
    expect(readPackage(loader, path.join(cwd, 'p/two'))!.files.map(({ text }) => text)).toEqual([
      'SELECT 2',
      'SELECT 1',
    ]);
    symlinkSync('../../secret.txt', path.join(cwd, 'p/two/out.sql'));
    symlinkSync('/etc/passwd', path.join(cwd, 'p/two/passwd.sql'));
    expect(readErrors(cwd, 'p/two')).toEqual([
      `p/two/out.sql:1:1 ${outside(path.join(cwd, 'p'))}`,
      `p/two/passwd.sql:1:1 ${outside(path.join(cwd, 'p'))}`,
    ]);
  });

  it('cannot lead outside the given folder if there is no project', () => {
    const cwd = makeFiles({ 'p/a.sql': '', 'p/sub/b.sql': '', 'q/c.sql': '' });
    symlinkSync('../a.sql', path.join(cwd, 'p/sub/up.sql'));
    symlinkSync('../../q/c.sql', path.join(cwd, 'p/sub/out.sql'));
    expect(readErrors(cwd, 'p/sub')).toEqual(
      ['out', 'up'].map((name) => `p/sub/${name}.sql:1:1 ${outside(path.join(cwd, 'p/sub'))}`),
    );
    const loader = createLocalLoader({ cwd });
    loader.findPackage('p');
    expect(catchMessages(() => readPackage(loader, path.join(cwd, 'p/sub')))).toEqual([
      `p/sub/out.sql:1:1 ${outside(path.join(cwd, 'p'))}`,
    ]);
    expect(readPackage(createLocalLoader({ cwd }), path.join(cwd, 'p/sub'))!.files).toHaveLength(3);
  });

  it('cannot use a file outside the project as a manifest', () => {
    const cwd = makeFiles({ 'p/a.sql': '', 'other.toml': project('other') });
    symlinkSync('../other.toml', path.join(cwd, 'p/project.toml'));
    expect(readErrors(cwd, 'p')).toEqual([`p/project.toml:1:1 ${outside(path.join(cwd, 'p'))}`]);
  });

  it('can lead to an outside folder only if that has no scripts', () => {
    const cwd = makeFiles({
      'p/project.toml': project('p'),
      'p/a.sql': '',
      'data/rows.csv': '',
      'lib/b.sql': '',
    });
    symlinkSync('../data', path.join(cwd, 'p/data'));
    const loader = createLocalLoader({ cwd });
    expect(loader.listPackages(path.join(cwd, 'p'))).toEqual([path.join(cwd, 'p')]);
    symlinkSync('../lib', path.join(cwd, 'p/lib'));
    const errors = [
      `p/lib:1:1 the folder is a link that leads outside \`${path.join(cwd, 'p')}\`, and has scripts: replace it with a copy, or list its project under [dependencies]`,
    ];
    const again = createLocalLoader({ cwd });
    expect(catchMessages(() => again.listPackages(path.join(cwd, 'p')))).toEqual(errors);
    expect(catchMessages(() => importIn(again, 'p', 'p/lib'))).toEqual(errors);
  });
});
