import Sqlite from 'better-sqlite3';
import { present } from '../invariants/must.ts';
import type { Guard } from './files/file-errors.ts';

/** The size up to which a database is rewritten, in bytes: that takes a few hundredths of a second. */
const MAX_REWRITTEN = 4 * 1024 ** 2;

/** Removes deleted data from the files of a database. */
export interface Eraser {
  /** Runs `work`; data that it deletes or replaces is overwritten in the file, not only released. */
  erase<T>(work: () => T): T;
  /**
   * Rewrites a small database, so that its unused space has no remains of deleted data. Call these two outside of a
   * transaction; they return false, without waiting, while another process prevents it.
   */
  rewriteIfSmall(): boolean;
  /** Moves the log into the file and empties it. */
  emptyLog(): boolean;
}

/** The eraser of a connection, whose other statements wait `busyTimeout` milliseconds for other processes. */
export function createEraser(connection: Sqlite.Database, guard: Guard, busyTimeout: number): Eraser {
  /** Without further input and output: overwrites deleted rows in pages that are written anyway. */
  const relax = () => connection.pragma('secure_delete = FAST');
  relax();

  function attempt(work: () => boolean): boolean {
    connection.pragma('busy_timeout = 0');
    try {
      return guard(() => {
        try {
          return work();
        } catch (error) {
          if (isBusy(error)) return false;
          throw error;
        }
      });
    } finally {
      connection.pragma(`busy_timeout = ${busyTimeout}`);
    }
  }

  const readNumber = (name: string) => Number(connection.pragma(name, { simple: true }));
  return {
    erase(work) {
      connection.pragma('secure_delete = ON');
      try {
        return work();
      } finally {
        relax();
      }
    },
    rewriteIfSmall: () =>
      attempt(() => {
        if (readNumber('page_count') * readNumber('page_size') > MAX_REWRITTEN) return true;
        connection.pragma('temp_store = MEMORY');
        connection.exec('VACUUM');
        return true;
      }),
    emptyLog: () =>
      attempt(() => {
        const [result] = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
        return present(result).busy === 0;
      }),
  };
}

/** Whether another process prevented a statement. */
export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
