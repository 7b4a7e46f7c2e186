import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHomeFolders, createRunFolder, homeAt } from '../../src/workspace/home.ts';
import { makeFolder } from '../support/quern.ts';

describe('a home', () => {
  it('is made private, once, and keeps its key', () => {
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

  it('sweeps the temporary folders of processes that are gone, and no others', () => {
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
});
