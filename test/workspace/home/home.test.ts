import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  clearFolders,
  createHomeFolders,
  createRunFolder,
  homeAt,
} from '../../../src/workspace/home/home.ts';
import { makeFolder } from '../../support/quern.ts';

describe('a home', () => {
  it('is created once, private, and with its key', () => {
    const home = homeAt(path.join(makeFolder(), 'h'));
    createHomeFolders(home);
    const key = readFileSync(path.join(home.folder, 'secret.key'), 'utf8');
    expect(Buffer.from(key, 'base64').length).toBe(32);
    createHomeFolders(home);
    expect(readFileSync(path.join(home.folder, 'secret.key'), 'utf8')).toBe(key);
    for (const name of readdirSync(home.folder)) {
      expect(statSync(path.join(home.folder, name)).mode & 0o077).toBe(0);
    }
  });

  it('is private in a new folder, which has normal permissions', () => {
    const [like, project] = [path.join(makeFolder(), 'like'), path.join(makeFolder(), 'project')];
    mkdirSync(like);
    createHomeFolders(homeAt(path.join(project, '.quern')));
    expect(statSync(project).mode).toBe(statSync(like).mode);
    expect(statSync(path.join(project, '.quern')).mode & 0o777).toBe(0o700);
  });

  it('deletes the temporary folders of ended processes, and no others', () => {
    const home = homeAt(makeFolder());
    createHomeFolders(home);
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    const gone = path.join(home.tmp, `run-${pid}`);
    const alive = path.join(home.tmp, `run-${process.ppid}`);
    for (const folder of [gone, alive]) mkdirSync(path.join(folder, 'deep'), { recursive: true });
    const mine = createRunFolder(home);
    expect(existsSync(gone)).toBe(false);
    expect(existsSync(alive)).toBe(true);
    expect(existsSync(mine)).toBe(true);
  });

  it('deletes the files of ended processes for a server, but not those of running ones', () => {
    const home = homeAt(makeFolder());
    createHomeFolders(home);
    rmSync(home.files, { recursive: true });
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    const left = [`run-${pid}`, `run-${process.pid}-x`, 'run-', 'run-0', 'spool', 'run-x'];
    for (const name of left) mkdirSync(path.join(home.tmp, name, 'deep'), { recursive: true });
    const alive = path.join(home.tmp, `run-${process.ppid}-abc`, 'spill');
    mkdirSync(alive, { recursive: true });
    for (const folder of [home.staging, home.publish]) writeFileSync(path.join(folder, 'x.csv'), '');
    symlinkSync(home.publish, path.join(home.staging, 'link'));
    clearFolders(home);
    expect(readdirSync(home.tmp)).toEqual([`run-${process.ppid}-abc`]);
    expect(existsSync(alive)).toBe(true);
    expect(readdirSync(home.staging)).toEqual([]);
    expect(readdirSync(home.publish)).toEqual(['x.csv']);
    expect(statSync(home.files).mode & 0o777).toBe(0o700);
  });
});
