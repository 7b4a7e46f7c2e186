#!/usr/bin/env node
// Writes the generated parts of the documentation: `npm run docs`.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fillPage } from './docs/fill-page.ts';

const root = path.resolve(import.meta.dirname, '..');

for (const name of globSync('docs/**/*.md', { cwd: root })) {
  const file = path.join(root, name);
  const page = readFileSync(file, 'utf8');
  const filled = fillPage(page);
  if (filled !== page) writeFileSync(file, filled);
}
