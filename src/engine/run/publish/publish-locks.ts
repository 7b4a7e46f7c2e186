import { DatabaseError } from '../../connection/contract/connection.ts';

/** Serializes publications to the same target (docs/reference/publishing.md#concurrent-runs). */
export interface PublishLocks {
  /** Runs work under an exclusive lock for the name. Rejects if `signal` is aborted during the wait. */
  hold<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Locks for all executions of this process. */
export function createPublishLocks(): PublishLocks {
  const last = new Map<string, Promise<unknown>>();
  return {
    async hold(name, signal, work) {
      const before = last.get(name);
      const released = Promise.withResolvers<void>();
      const turn = before?.then(() => released.promise) ?? released.promise;
      last.set(name, turn);
      try {
        if (signal.aborted) throw createCancelled();
        if (before !== undefined) await waitFor(before, signal);
        return await work();
      } finally {
        released.resolve();
        if (last.get(name) === turn) last.delete(name);
      }
    },
  };
}

function waitFor(before: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(createCancelled());
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([before, promise]).finally(() => signal.removeEventListener('abort', stop));
}

function createCancelled(): DatabaseError {
  return new DatabaseError('cancelled', 'The statement was cancelled.');
}
