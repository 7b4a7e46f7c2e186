import type { Database } from '../../store/database.ts';
import { isTransientError } from '../transient-error.ts';

/** How long one note of a use is good enough. */
const NOTE_MS = 60_000;

/** Notes of when something was last used, each at most once a minute (identity 1). */
export interface UseNotes {
  /**
   * Has `write` note a use, unless it was noted lately. A home that cannot be written loses the note, and nothing is
   * noted for a minute, lest every request wait for a lock.
   */
  note(lastUsedAt: string | null, now: Date, write: () => void): void;
}

/** The notes of what an open database keeps. */
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
