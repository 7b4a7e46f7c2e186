import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createRunFolder, type Home, removeFolder } from '../home/home.ts';
import type { ReleaseDatabaseFiles } from '../home/release-database-files.ts';
import type { FromBackupProcess, ToBackupProcess } from './backup-calls.ts';
import { BackupFailure, servedBackupErrors } from './served-errors.ts';

/** How long executions may take to end before a database is copied, in milliseconds. */
const WAIT_MS = 60_000;
/** How long a process may take to end when it is no longer needed, in milliseconds. */
const LEAVE_MS = 10_000;

/** The backup to write. Paths are absolute. */
interface BackupRun {
  readonly home: Home;
  readonly target: string;
  /** The file to write, next to the target. */
  readonly aside: string;
  /** Releases the DuckDB files of this server. */
  readonly holdFiles: ReleaseDatabaseFiles;
  /** Ends the process. */
  readonly signal: AbortSignal;
}

/**
 * Writes a backup of a served home in a separate process. Rejects with a BackupFailure for administrators, and with an
 * Error for an internal error; then there is no target, and nothing else is left.
 */
export async function runBackup(run: BackupRun): Promise<void> {
  const { home, target, aside } = run;
  const stage = createRunFolder(home);
  const child = startProcess();
  const ended = new Promise<void>(
    (resolve) => void child.once('exit', () => resolve()).once('error', resolve),
  );
  try {
    const done = follow(child, run);
    send(child, { kind: 'write', home: home.folder, target, stage, aside });
    await done;
  } finally {
    await leave(child, ended);
    rmSync(aside, { force: true });
    removeFolder(stage);
  }
}

function startProcess(): ChildProcess {
  const program = new URL(`./backup-process${path.extname(import.meta.filename)}`, import.meta.url);
  const { NODE_COMPILE_CACHE: cache, TMPDIR } = process.env;
  return fork(program, {
    env: {
      ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: path.resolve(cache) }),
      ...(TMPDIR === undefined ? {} : { TMPDIR }),
    },
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function send(child: ChildProcess, message: ToBackupProcess): void {
  // A message that cannot be sent is to a process that ends.
  child.send(message, () => {});
}

/** Disconnects a process, which then removes its files and ends. */
async function leave(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.connected) child.disconnect();
  const timer = setTimeout(() => child.kill('SIGKILL'), LEAVE_MS);
  await ended;
  clearTimeout(timer);
}

/** Resolves when the process has written its backup; releases the databases when it asks. */
function follow(child: ChildProcess, { holdFiles, signal }: BackupRun): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let holding = new AbortController();

  async function hold(): Promise<void> {
    holding = new AbortController();
    let isHeld = false;
    const onHeld = () => {
      isHeld = true;
      send(child, { kind: 'held' });
    };
    const running = await holdFiles(WAIT_MS, onHeld, AbortSignal.any([signal, holding.signal]));
    if (!isHeld) reject(servedBackupErrors.notHeld(running, WAIT_MS / 1_000));
  }

  child.on('message', (message: FromBackupProcess) => {
    if (message.kind === 'hold') hold().catch(reject);
    else if (message.kind === 'release') holding.abort();
    else if (message.kind === 'done') resolve();
    else reject(message.message === null ? new Error(message.trace) : new BackupFailure(message.message));
  });
  child.once('error', reject);
  child.once('exit', () => reject(servedBackupErrors.processLost()));
  const stop = () => reject(servedBackupErrors.stopped());
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return promise.finally(() => {
    holding.abort();
    signal.removeEventListener('abort', stop);
  });
}
