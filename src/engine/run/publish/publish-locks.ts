import { DatabaseError } from '../../connection/contract/connection.ts';

/** Lets one at a time publish a target (language 5). */
export interface PublishLocks {
  /** Does some work when nobody else does some under the same name. Rejects when `signal` ends the waiting. */
  hold<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Locks for all executions of this process. */
export function createPublishLocks(): PublishLocks {
  const last = new Map<string, Promise<unknown>>();
  return {
    async hold(name, signal, work) {
      const before = last.get(name) ?? Promise.resolve();
      const released = Promise.withResolvers<void>();
      const own = before.then(() => released.promise);
      last.set(name, own);
      try {
        await waitFor(before, signal);
        return await work();
      } finally {
        released.resolve();
        if (last.get(name) === own) last.delete(name);
      }
    },
  };
}

function waitFor(before: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new DatabaseError('cancelled', 'The statement was cancelled.'));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([before, promise]).finally(() => signal.removeEventListener('abort', stop));
}
