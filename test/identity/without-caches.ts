import type { Database } from '../../src/store/database.ts';

/** The same database, where every answer is read anew. */
export function withoutCaches(database: Database): Database {
  return { ...database, createCache: () => ({ get: (_key, read) => read() }) };
}
