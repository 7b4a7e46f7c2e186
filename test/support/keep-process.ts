import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { atProcessEnd, listLeftRunning } from './processes.ts';
import { waitUntil } from './waiting.ts';

// Tests share their process with other tests, and with the commands that they run in it. A file that changes the process
// for the others, or leaves a process running, fails with the name of what it has changed or left.

/** The working folder of all tests: a relative path finds no file of the repository there, and creates none. */
const KEY = Symbol.for('quern.test.folder');
const worker = globalThis as { [KEY]?: string };
worker[KEY] ??= makeFolder();
const folder = worker[KEY];

function makeFolder(): string {
  const created = mkdtempSync(path.join(tmpdir(), 'quern-nowhere-'));
  atProcessEnd(() => rmSync(created, { recursive: true, force: true }));
  return created;
}

process.chdir(folder);
const env = { ...process.env };
const globals = new Set(Object.getOwnPropertyNames(globalThis));

function listChanges(): readonly string[] {
  const names = new Set([...Object.keys(env), ...Object.keys(process.env)]);
  return [
    ...[...names].filter((name) => env[name] !== process.env[name]).map((name) => `process.env.${name}`),
    // Libraries that were compiled from TypeScript keep its helpers, such as `__extends`, there.
    ...Object.getOwnPropertyNames(globalThis)
      .filter((name) => !globals.has(name) && !name.startsWith('__'))
      .map((name) => `globalThis.${name}`),
    ...(process.cwd() === folder ? [] : ['the working folder']),
    ...readdirSync(folder).map((name) => `the file ${name} in the working folder`),
  ];
}

afterAll(async () => {
  const changed = listChanges();
  if (changed.length > 0) throw new Error(`the tests of this file have changed ${changed.join(', ')}`);
  await waitUntil(() => listLeftRunning().length === 0).catch(() => {
    throw new Error(`the tests of this file have left running: ${listLeftRunning().join(', ')}`);
  });
});
