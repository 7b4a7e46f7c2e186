import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles } from './changed-files.ts';

const root = path.resolve(import.meta.dirname, '../..');

const FOLDERS = '.ci .github bench bin deploy docs fixtures schema scripts src test web';
const FILES =
  '.dockerignore .editorconfig .gitattributes .gitignore .node-version .npmrc CHANGELOG.md CONTRIBUTING.md Dockerfile LICENSE NOTICE README.md SECURITY.md action.yml biome.json cspell.json knip.json package-lock.json package.json tsconfig.json vitest.config.ts';

describe('the root of the project', () => {
  it('has only these files and folders', () => {
    const files = listFiles(root);
    const names = new Set(files.map((file) => file.split('/')[0]));
    expect([...names].sort()).toEqual(`${FOLDERS} ${FILES}`.split(' ').sort());
  });

  it('names the version of Node.js that its scripts run on', () => {
    const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(readFileSync(path.join(root, '.node-version'), 'utf8')).toBe(`${devDependencies.node}\n`);
  });
});
