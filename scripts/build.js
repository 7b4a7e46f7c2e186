// Compiles src/ into dist/ and leaves a stamp whose time says how fresh the build is.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';

export const root = path.resolve(import.meta.dirname, '..');
export const stamp = path.join(root, 'dist', '.built');

/** Runs the compiler; returns its exit code. */
export function build() {
  const compiler = path.join(
    path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status === 0) writeFileSync(stamp, '');
  return status ?? 1;
}

if (process.argv[1] === import.meta.filename) process.exitCode = build();
