import type { Database } from '../../src/store/database.ts';

/** The same database without caches: every read runs its statement. */
export function withoutCaches(database: Database): Database {
  return { ...database, createCache: () => ({ get: (_key, read) => read() }) };
}
