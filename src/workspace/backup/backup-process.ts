import { rmSync } from 'node:fs';
import { HomeError } from '../../errors/home-error.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { printTrace } from '../../invariants/narrow.ts';
import { removeFolder } from '../home/home.ts';
import type { BackupCall, FromBackupProcess, ToBackupProcess } from './backup-calls.ts';
import { toBackupError, writeInPlace } from './backup-home.ts';

// The program of a process that writes one backup for a server: reading the catalog and the databases must not delay
// the requests of the server. It ends with its server, removes its files, and leaves signals to the server.

const leaving = new AbortController();
let held = Promise.withResolvers<void>();

process.on('message', (message: ToBackupProcess) => {
  if (message.kind === 'held') held.resolve();
  else void write(message);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

async function write(call: BackupCall): Promise<void> {
  process.once('disconnect', () => {
    leaving.abort();
    rmSync(call.aside, { force: true });
    removeFolder(call.stage);
    process.exit();
  });
  const request = { home: call.home, target: call.target, replace: false, withKey: false, holdFiles };
  try {
    await writeInPlace(request, call, leaving.signal);
    send({ kind: 'done' });
  } catch (thrown) {
    const error = toBackupError(thrown, call.target);
    send({ kind: 'failed', message: findMessage(error), trace: printTrace(error) });
  }
}

async function holdFiles(work: () => Promise<void>): Promise<void> {
  held = Promise.withResolvers();
  send({ kind: 'hold' });
  await held.promise;
  try {
    await work();
  } finally {
    send({ kind: 'release' });
  }
}

function send(message: FromBackupProcess): void {
  // A message that cannot be sent is to a server that ends.
  process.send?.(message, () => {});
}

function findMessage(error: unknown): string | null {
  if (error instanceof ServiceError) return error.detail;
  return error instanceof HomeError ? error.message : null;
}
