import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findHome } from '../../src/workspace/find-home.ts';
import { makeFolder } from '../support/quern.ts';

describe('findHome', () => {
  it('takes the flag, then the environment, both from the current folder', () => {
    const search = { cwd: '/a/b', userHome: '/home/u' };
    expect(findHome({ ...search, flag: 'x', env: { QUERN_HOME: '/y' } })).toBe('/a/b/x');
    expect(findHome({ ...search, env: { QUERN_HOME: '../y' } })).toBe('/a/y');
  });

  it('takes the nearest .quern upwards, else the one of the user', () => {
    const root = makeFolder();
    const below = path.join(root, 'a/b/c');
    mkdirSync(below, { recursive: true });
    const search = { cwd: below, userHome: '/home/u', env: { QUERN_HOME: '' } };
    expect(findHome(search)).toBe('/home/u/.quern');
    mkdirSync(path.join(root, '.quern'));
    expect(findHome(search)).toBe(path.join(root, '.quern'));
    mkdirSync(path.join(root, 'a/b/.quern'));
    expect(findHome(search)).toBe(path.join(root, 'a/b/.quern'));
  });
});
