import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A home as `quern init --empty` makes it, for tests to copy. */
    emptyHome: string;
  }
}

/** Builds once before the tests, unless the build is fresh: the command line is tested as users run it. */
export default function build(project: TestProject): () => void {
  const root = path.resolve(import.meta.dirname, '../..');
  execFileSync(process.execPath, [path.join(root, 'scripts/prepare.js')], { stdio: 'inherit' });
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-home-'));
  const home = path.join(folder, '.quern');
  const args = [path.join(root, 'bin/quern.js'), 'init', '--empty', '--home', home];
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  project.provide('emptyHome', home);
  return () => rmSync(folder, { recursive: true, force: true });
}
