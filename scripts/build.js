// Bundles src/ into dist/ and the console's pages, web/, into dist/web/, at the same time. The time of the file `.built` in
// each folder is that of the build. A bundle makes commands start faster, because Node finds and reads fewer files.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const web = path.join(dist, 'web');
const shared = ['package.json', 'package-lock.json', 'scripts/build.js'];
/** The entry points of processes and threads, in src/; each becomes a file of the same name in dist/. */
const programs = [
  'cli/main.ts',
  'engine/connection/duckdb/copy/copy-files.ts',
  'execution/engine-process/engine-process.ts',
  'execution/results/conversion-thread.ts',
  'execution/results/parquet-process.ts',
  'server/http/bodies/json-thread.ts',
  'workspace/models/model-thread.ts',
  'workspace/sign-on/saml-thread.ts',
];

const parts = [
  {
    folder: dist,
    inputs: [...shared, 'src'],
    clean: () => {
      for (const file of list(dist)) if (file !== web) rmSync(file, { recursive: true, force: true });
    },
    make: bundle,
  },
  {
    folder: web,
    inputs: [...shared, 'web'],
    clean: () => rmSync(web, { recursive: true, force: true }),
    make: buildPages,
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

/** Writes one module for each program, and shared modules; installed packages are not bundled. */
async function bundle() {
  const { build: bundlePrograms } = await import('rolldown');
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  await bundlePrograms({
    input: programs.map((file) => path.join(root, 'src', file)),
    platform: 'node',
    external: Object.keys(dependencies).map((name) => new RegExp(`^${name}(/|$)`)),
    transform: { target: 'node22' },
    tsconfig: false,
    output: { dir: dist, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments: false },
  });
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
