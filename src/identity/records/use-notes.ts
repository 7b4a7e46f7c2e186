import type { Database } from '../../store/database.ts';
import { isTransientError } from '../transient-error.ts';

/** How long a recorded use counts as current. */
const NOTE_MS = 60_000;

/**
 * Records when something was last used, at most once a minute for each object
 * (docs/reference/tokens.md#form-and-storage).
 */
export interface UseNotes {
  /**
   * Calls `write` to record a use, unless one was recorded within a minute. If the home cannot be written, the use is
   * not recorded, and no attempt follows for a minute, so that requests do not wait for a lock.
   */
  note(lastUsedAt: string | null, now: Date, write: () => void): void;
}

/** The recorded uses in an open database. */
export function createUseNotes(database: Database): UseNotes {
  let pausedAt: Date | null = null;
  const isRecent = (then: Date | null, now: Date) =>
    then !== null && Math.abs(now.getTime() - then.getTime()) < NOTE_MS;
  return {
    note: (lastUsedAt, now, write) => {
      if (isRecent(lastUsedAt === null ? null : new Date(lastUsedAt), now) || isRecent(pausedAt, now)) return;
      try {
        database.write(write);
      } catch (error) {
        if (!isTransientError(error)) throw error;
        pausedAt = now;
      }
    },
  };
}
