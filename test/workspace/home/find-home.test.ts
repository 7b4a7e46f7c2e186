import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findHome } from '../../../src/workspace/home/find-home.ts';
import { makeFolder } from '../../support/quern.ts';

describe('findHome', () => {
  it('uses the flag, then the environment, both relative to the current folder', () => {
    const search = { cwd: '/a/b', userHome: '/home/u' };
    expect(findHome({ ...search, flag: 'x', env: { QUERN_HOME: '/y' } })).toBe('/a/b/x');
    expect(findHome({ ...search, env: { QUERN_HOME: '../y' } })).toBe('/a/y');
  });

  it('uses the .quern inside a named folder that is not a home', () => {
    const root = makeFolder();
    const search = { cwd: root, userHome: '/home/u' };
    const env = { QUERN_HOME: root };
    expect([findHome({ ...search, flag: '.', env: {} }), findHome({ ...search, env })]).toEqual([root, root]);
    const inner = path.join(root, '.quern');
    mkdirSync(inner);
    expect([findHome({ ...search, flag: '.', env: {} }), findHome({ ...search, env })]).toEqual([
      inner,
      inner,
    ]);
    expect(findHome({ ...search, flag: '.quern', env: {} })).toBe(inner);
    writeFileSync(path.join(root, 'catalog.db'), '');
    expect(findHome({ ...search, flag: '.', env: {} })).toBe(root);
  });

  it('uses a named folder when its .quern is not a folder', () => {
    const root = makeFolder();
    writeFileSync(path.join(root, '.quern'), '');
    expect(findHome({ cwd: root, userHome: '/home/u', flag: '.', env: {} })).toBe(root);
  });

  it('uses the nearest .quern upwards, else the one of the user', () => {
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
