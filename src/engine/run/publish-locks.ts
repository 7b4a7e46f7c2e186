/** Lets one at a time publish a target (language 5). */
export interface PublishLocks {
  /** Does some work when nobody else does some under the same name. */
  hold<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Locks for all executions of this process. */
export function createPublishLocks(): PublishLocks {
  const last = new Map<string, Promise<unknown>>();
  return {
    async hold(name, work) {
      const before = last.get(name) ?? Promise.resolve();
      const own = before.then(work, work);
      last.set(name, own);
      try {
        return await own;
      } finally {
        if (last.get(name) === own) last.delete(name);
      }
    },
  };
}
