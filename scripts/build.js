// Compiles src/ into dist/ and the console's pages, web/, into dist/web/, at the same time. Each leaves a stamp whose time
// says how fresh it is.
import { spawn } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const web = path.join(dist, 'web');
const shared = ['package.json', 'tsconfig.json', 'scripts/build.js'];

const parts = [
  {
    folder: dist,
    inputs: [...shared, 'tsconfig.build.json', 'src'],
    clean: () => {
      for (const file of list(dist)) if (file !== web) rmSync(file, { recursive: true, force: true });
    },
    command: () => [findBin('typescript', 'bin/tsc'), '-p', 'tsconfig.build.json'],
  },
  {
    folder: web,
    inputs: [...shared, 'package-lock.json', 'web'],
    clean: () => rmSync(web, { recursive: true, force: true }),
    command: () => [
      findBin('vite', 'bin/vite.js'),
      'build',
      '-c',
      'web/vite.config.ts',
      '--logLevel',
      'warn',
    ],
  },
];

/** Builds what is older than what it is made from, or everything; returns an exit code. */
export async function build({ isForced }) {
  const codes = await Promise.all(parts.filter((part) => isForced || isStale(part)).map(buildPart));
  return codes.find((code) => code !== 0) ?? 0;
}

async function buildPart({ folder, clean, command }) {
  clean();
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(process.execPath, command(), { cwd: root, env, stdio: 'inherit' });
  const code = await new Promise((resolve) => child.on('close', (status) => resolve(status ?? 1)));
  if (code === 0) writeFileSync(path.join(folder, '.built'), '');
  return code;
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

function findBin(name, file) {
  return path.join(path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file);
}

if (process.argv[1] === import.meta.filename) process.exitCode = await build({ isForced: true });
