// Bundles src/ into dist/, the console's pages, web/, into dist/web/, and the script of the page of `quern lineage` into
// dist/lineage/, at the same time. The time of the file `.built` in each folder is that of the build. A bundle makes commands
// start faster, because Node finds and reads fewer files.
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { bundle } from './bundle.js';
import { bundleLineagePage } from './bundle-lineage-page.js';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const web = path.join(dist, 'web');
const lineage = path.join(dist, 'lineage');
const shared = ['package.json', 'package-lock.json', 'scripts/build.js'];
const parts = [
  {
    folder: dist,
    inputs: [...shared, 'scripts/bundle.js', 'scripts/chunks.js', 'src'],
    clean: () => {
      for (const file of list(dist)) {
        if (file !== web && file !== lineage) rmSync(file, { recursive: true, force: true });
      }
    },
    make: bundle,
  },
  {
    folder: web,
    inputs: [...shared, 'web'],
    clean: () => rmSync(web, { recursive: true, force: true }),
    make: buildPages,
  },
  {
    folder: lineage,
    inputs: [...shared, 'scripts/bundle-lineage-page.js', 'web/lineage'],
    clean: () => rmSync(lineage, { recursive: true, force: true }),
    make: () => bundleLineagePage(lineage),
  },
];

/** Builds the parts that are older than their inputs, or all parts; throws the error of a failed build. */
export async function build({ isForced }) {
  await Promise.all(parts.filter((part) => isForced || isStale(part)).map(buildPart));
}

async function buildPart({ folder, clean, make }) {
  clean();
  await make();
  writeFileSync(path.join(folder, '.built'), '');
}

async function buildPages() {
  process.env.NODE_ENV = 'production';
  const { build: bundlePages } = await import('vite');
  await bundlePages({ configFile: path.join(root, 'web/vite.config.ts'), logLevel: 'warn' });
}

function isStale({ folder, inputs }) {
  const built = statSync(path.join(folder, '.built'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return built < Math.max(...inputs.map((name) => newest(path.join(root, name))));
}

function newest(file) {
  const stat = statSync(file);
  return stat.isDirectory() ? Math.max(stat.mtimeMs, ...list(file).map(newest)) : stat.mtimeMs;
}

function list(folder) {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder).map((name) => path.join(folder, name));
}

if (process.argv[1] === import.meta.filename) await build({ isForced: true });
