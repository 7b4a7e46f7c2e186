import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The C program that measures the engine's own limit; null without a C compiler. */
export function buildLimit(): string | null {
  const source = path.join(import.meta.dirname, 'workers/limit.c');
  const program = path.join(tmpdir(), 'quern-bench-limit');
  if (existsSync(program) && statSync(program).mtimeMs > statSync(source).mtimeMs) return program;
  const bindings = createRequire(import.meta.url).resolve('@duckdb/node-bindings/package.json');
  const library = path.join(path.dirname(bindings), `../node-bindings-${process.platform}-${process.arch}`);
  const args = ['-O2', '-o', program, source, '-L', library, '-lduckdb', `-Wl,-rpath,${library}`];
  return spawnSync('cc', args, { stdio: 'inherit' }).status === 0 ? program : null;
}
