import {
  closeSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { inject, onTestFinished } from 'vitest';
import type { Interrupts } from '../../src/cli/interrupt.ts';
import { COMMAND_MS } from './patience.ts';

const root = path.resolve(import.meta.dirname, '../..');
const bin = path.join(root, 'bin/quern.js');

/** Loads the program of the bundle, which users get. */
function loadCommandLine(): Promise<typeof import('../../src/cli/command-line.ts')> {
  return import(path.join(root, 'dist/command-line.js'));
}

export interface QuernOptions {
  readonly cwd: string;
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** How long the command may run, in milliseconds. */
  readonly limitMs?: number;
}

/** What a command has printed. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const toEnvironment = ({ cwd, env }: QuernOptions) => ({ HOME: cwd, QUERN_HOME: '', ...env });

/**
 * Runs a command of the built command line in this process, without a terminal; throws only if it exceeds its time. The
 * process of a command takes ten times as long to start as most commands need. `quernProcess` is for what depends on a
 * process: its signals, locks, memory and end, relative paths in SQL, and variables that Node or libraries read.
 */
export async function quern(args: readonly string[], options: QuernOptions): Promise<Ran> {
  const { runCommandLine } = await loadCommandLine();
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-command-'));
  const open = (name: string, flags: string) => openSync(path.join(folder, name), flags);
  writeFileSync(path.join(folder, 'stdin'), options.input ?? '');
  const fds = { stdin: open('stdin', 'r'), stdout: open('stdout', 'w'), stderr: open('stderr', 'w') };
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  const { finish, ...interrupts } = createInterrupts();
  const stdin = createReadStream('', { fd: fds.stdin, autoClose: false });
  const limit = setTimeout(interrupts.interrupt, options.limitMs ?? COMMAND_MS);
  try {
    const exitCode = await runCommandLine(args, {
      env: { ...process.env, ...toEnvironment(options) },
      cwd: options.cwd,
      userHome: options.cwd,
      stdin: Object.assign(stdin as unknown as NodeJS.ReadStream, { fd: fds.stdin }),
      outputs: fds,
      interrupts,
    });
    if (interrupts.signal.aborted) throw new Error(`quern ${args.join(' ')}: interrupted by its time limit`);
    return { exitCode, stdout: read('stdout'), stderr: read('stderr') };
  } finally {
    clearTimeout(limit);
    finish();
    for (const fd of Object.values(fds)) closeSync(fd);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Interrupts that come from the test, not from signals of the process. */
function createInterrupts(): Interrupts {
  const controller = new AbortController();
  const undos = new Set<() => void>();
  return {
    signal: controller.signal,
    interrupt: () => controller.abort(),
    onExit(undo) {
      undos.add(undo);
      return () => undos.delete(undo);
    },
    endAtSignal() {},
    endStuck() {
      throw new Error('a thread of the database still runs: this test needs quernProcess');
    },
    finish() {
      for (const undo of undos) undo();
    },
  };
}

/** Starts the command line as a user's shell does, without a terminal; never rejects. */
export function quernProcess(
  args: readonly string[],
  { uid, ...options }: QuernOptions & { /** User and group id to run as. */ readonly uid?: number },
) {
  return execa({
    cwd: options.cwd,
    input: options.input ?? '',
    reject: false,
    stripFinalNewline: false,
    timeout: options.limitMs ?? COMMAND_MS,
    env: toEnvironment(options),
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
