import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { countBeforeKill } from '../spent/uncounted.ts';

/** A program with the processes that it has started. */
export interface ProcessGroup {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Ends all of them, and waits. */
  stop(): Promise<void>;
}

/**
 * Runs "$@", and ends its process group as soon as either that program or the process at the other end of
 * standard input has ended.
 */
const SCRIPT = '("$@"; kill -9 0) < /dev/null & cat > /dev/null; kill -9 0';

/**
 * Starts a program that does not forward signals to its children; all end with this process in every case.
 */
export function spawnGroup(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
): ProcessGroup {
  const child = spawn('sh', ['-c', SCRIPT, 'sh', program, ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    cwd,
  });
  const closed = once(child, 'close');
  return {
    child,
    async stop() {
      countBeforeKill(child.pid!);
      child.stdin.end();
      await closed;
    },
  };
}
