import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../support/quern.ts';

const root = path.resolve(import.meta.dirname, '../..');

it('packs a package.json without the scripts of a checkout, and restores the one of the checkout', () => {
  const cwd = makeFolder();
  copyFileSync(path.join(root, 'package.json'), path.join(cwd, 'package.json'));
  const read = () => readFileSync(path.join(cwd, 'package.json'), 'utf8');
  const before = read();
  const pack = (word: string) =>
    execFileSync(process.execPath, [path.join(root, 'scripts/pack.js'), word], { cwd });
  pack('strip');
  const { scripts, ...others } = JSON.parse(read());
  expect(Object.keys(scripts)).not.toContain('prepare');
  expect(others.version).toBe(JSON.parse(before).version);
  pack('restore');
  expect([read(), readdirSync(cwd)]).toEqual([before, ['package.json']]);
});
