import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { inject, onTestFinished } from 'vitest';

const bin = path.resolve(import.meta.dirname, '../../bin/quern.js');

export interface QuernOptions {
  readonly cwd: string;
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** User and group id to run as. */
  readonly uid?: number;
}

/** Starts the command line as a user's shell does, without a terminal; never rejects. */
export function quern(args: readonly string[], { cwd, input, env, uid }: QuernOptions) {
  return execa({
    cwd,
    input: input ?? '',
    reject: false,
    stripFinalNewline: false,
    env: { HOME: cwd, QUERN_HOME: '', ...env },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })(process.execPath, [bin, ...args]);
}

/** A new folder that is removed when the test ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files by their paths below a folder, and creates their folders. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** A new folder with an empty home, as `quern init --empty` makes one. */
export async function makeHome(): Promise<string> {
  const cwd = makeFolder();
  await copyHome('emptyHome', cwd);
  return cwd;
}

/**
 * Creates an empty home in a folder without one; `adminHome` creates one whose administrator has
 * `adminToken`.
 */
export function copyHome(kind: 'emptyHome' | 'adminHome', cwd: string): Promise<void> {
  return cp(inject(kind), path.join(cwd, '.quern'), { recursive: true });
}
