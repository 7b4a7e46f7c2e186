import type { ProcessHost } from '../../execution/engine-process/process-host.ts';
import type { ExecutionRegistry } from '../../execution/registry/registry.ts';

/** Releases the DuckDB files of a server to another process for a while. */
export type ReleaseDatabaseFiles = (
  waitMs: number,
  /** Called when no process of the server has a DuckDB file open. */
  onHeld: () => void,
  /** Ends the hold, or the wait for it. */
  signal: AbortSignal,
) => Promise<number>;

/**
 * Holds of one host run one after another. During a hold and its wait, new executions wait; running ones may end within
 * `waitMs`. Resolves at the end of the hold, or without a hold, with the number of executions that still run.
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

/** Whether `work` resolves before `signal` is aborted. */
function isFirst(work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  return Promise.race([work.then(() => true), untilAborted(signal).then(() => false)]);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
