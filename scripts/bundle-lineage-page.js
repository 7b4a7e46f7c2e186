// Bundles the script of the page of `quern lineage --format html`.
import { copyFileSync } from 'node:fs';
import path from 'node:path';

const source = path.resolve(import.meta.dirname, '../web/lineage');

/** Writes `page.js`, one script without imports, and `page.css` into a folder. */
export async function bundleLineagePage(folder) {
  const { build } = await import('rolldown');
  await build({
    input: path.join(source, 'main.ts'),
    platform: 'browser',
    transform: { target: 'es2022' },
    tsconfig: false,
    output: { file: path.join(folder, 'page.js'), format: 'iife', minify: true, comments: false },
  });
  copyFileSync(path.join(source, 'page.css'), path.join(folder, 'page.css'));
}
