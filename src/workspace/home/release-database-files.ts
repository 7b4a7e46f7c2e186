import type { ProcessHost } from '../../execution/engine-process/process-host.ts';
import type { ExecutionRegistry } from '../../execution/registry/registry.ts';

/** Lets others have the DuckDB files of a server for a while. */
export type ReleaseDatabaseFiles = (
  waitMs: number,
  /** Called when no process of the server has one open. */
  onHeld: () => void,
  /** Ends the hold, or the waiting for it. */
  signal: AbortSignal,
) => Promise<number>;

/**
 * Holds of one host, one after another. While one waits and lasts, executions that come wait; those that run may end
 * within `waitMs`. Resolves at the end of a hold, or when there is none: with how many still ran.
 */
export function createDatabaseFileRelease(
  registry: ExecutionRegistry,
  host: Pick<ProcessHost, 'release'>,
): ReleaseDatabaseFiles {
  let last: Promise<void> = Promise.resolve();

  async function pauseAndHold(onHeld: () => void, signal: AbortSignal, soon: AbortSignal): Promise<number> {
    const { idle, resume } = registry.pause();
    try {
      if (!(await isFirst(idle, soon))) {
        return registry.list().filter(({ state }) => state === 'running').length;
      }
      await host.release();
      onHeld();
      await untilAborted(signal);
      return 0;
    } finally {
      resume();
    }
  }

  return async (waitMs, onHeld, signal) => {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    const before = last;
    const over = Promise.withResolvers<void>();
    last = before.then(() => over.promise);
    try {
      return (await isFirst(before, soon)) ? await pauseAndHold(onHeld, signal, soon) : 0;
    } finally {
      over.resolve();
    }
  };
}

/** Whether `work` is done before `signal` is aborted. */
function isFirst(work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  return Promise.race([work.then(() => true), untilAborted(signal).then(() => false)]);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
