import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { codeOf } from '../../../invariants/narrow.ts';

/** A file that nobody has written to for so long, in ms, has been left behind, whoever it was. */
const MAX_PAUSE = 24 * 60 * 60 * 1000;
const NAME = /^\.quern-([0-9a-f]{8})-(\d+)-[0-9a-f-]{36}(?:\.\w+)?$/;

/**
 * Where a file is written before it takes its name: it says which process of which machine writes it. What is needed
 * for it may stand beside it, with an ending.
 */
export function nameUnfinished(folder: string): string {
  return path.join(folder, `.quern-${hashHost()}-${process.pid}-${randomUUID()}`);
}

/** Whether a file of this name is not finished, or never will be. */
export function isUnfinished(name: string): boolean {
  return NAME.test(name);
}

/** Removes what processes that were killed have left in a folder. */
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
    // Somebody else's process may not be asked.
    return codeOf(error) === 'EPERM';
  }
}

function hashHost(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}
