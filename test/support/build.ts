import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A home as `quern init --empty` makes it, for tests to copy. */
    emptyHome: string;
    /** The same, with a token of its administrator. */
    adminHome: string;
    adminToken: string;
  }
}

/**
 * Builds once before the tests, unless the build is up to date: tests run the built command line as users do.
 */
export default function build(project: TestProject): () => void {
  const root = path.resolve(import.meta.dirname, '../..');
  execFileSync(process.execPath, [path.join(root, 'scripts/prepare.js')], { stdio: 'inherit' });
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-home-'));
  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, [path.join(root, 'bin/quern.js'), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
  const [emptyHome, adminHome] = [path.join(folder, 'empty'), path.join(folder, 'admin')];
  run('init', '--empty', '--home', emptyHome);
  cpSync(emptyHome, adminHome, { recursive: true });
  const adminToken = run('token', 'create', '--name', 'tests', '--user', 'admin', '--home', adminHome).trim();
  project.provide('emptyHome', emptyHome);
  project.provide('adminHome', adminHome);
  project.provide('adminToken', adminToken);
  return () => rmSync(folder, { recursive: true, force: true });
}
