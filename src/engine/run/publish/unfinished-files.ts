import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { codeOf } from '../../../invariants/narrow.ts';

/** Milliseconds without a write after which an unfinished file counts as abandoned. */
const MAX_PAUSE = 24 * 60 * 60 * 1000;
const NAME = /^\.quern-([0-9a-f]{8})-(\d+)-[0-9a-f-]{36}(?:\.\w+)?$/;

/**
 * The temporary path of a file that is being written. The name identifies the machine and the process. Auxiliary files
 * have the same name with an extension.
 */
export function nameUnfinished(folder: string): string {
  return path.join(folder, `.quern-${hashHost()}-${process.pid}-${randomUUID()}`);
}

/** Whether a name is that of an unfinished or abandoned file. */
export function isUnfinished(name: string): boolean {
  return NAME.test(name);
}

/** Removes the files that killed processes have left in a folder. */
export function sweepUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, host, pid] = NAME.exec(name) ?? [];
    if (host === undefined) continue;
    const file = path.join(folder, name);
    if (isAbandoned(file, host, Number(pid))) rmSync(file, { force: true, recursive: true });
  }
}

function isAbandoned(file: string, host: string, pid: number): boolean {
  if (host === hashHost() && !isRunning(pid)) return true;
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > MAX_PAUSE;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return codeOf(error) === 'EPERM';
  }
}

function hashHost(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}
