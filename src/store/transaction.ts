import type Sqlite from 'better-sqlite3';
import type { Guard } from './files/file-errors.ts';

/** Units of work on one connection. */
export interface Transactions {
  /** Runs `work` on one snapshot. Joins the current transaction, if there is one. */
  read<T>(work: () => T): T;
  /**
   * Runs `work` as the only writer, and commits; rolls back when `work` throws. Joins the current write, if there is
   * one. Throws `HomeError` with `locked` when other writers take too long, and with `full` when the disk is full.
   */
  write<T>(work: () => T): T;
  /** Calls `tell` after the current write is committed, and never after a rollback. */
  afterCommit(tell: () => void): void;
}

type Mode = 'read' | 'write';

/**
 * `check` runs first in each transaction, and refuses a database that this version cannot use any longer. `findMode`
 * returns the kind of the current transaction.
 */
export function createTransactions(
  connection: Sqlite.Database,
  guard: Guard,
  check: () => void,
): Transactions & { findMode(): Mode | undefined } {
  let mode: Mode | undefined;
  let waiting: (() => void)[] = [];
  const begin = { read: connection.prepare('BEGIN'), write: connection.prepare('BEGIN IMMEDIATE') };
  const commit = connection.prepare('COMMIT');

  function run<T>(wanted: Mode, work: () => T): T {
    guard(() => begin[wanted].run());
    mode = wanted;
    waiting = [];
    try {
      check();
      const result = work();
      guard(() => commit.run());
      return result;
    } catch (error) {
      // SQLite itself rolls back after some failures, such as a full disk.
      if (connection.inTransaction) connection.exec('ROLLBACK');
      throw error;
    } finally {
      mode = undefined;
    }
  }

  function runAndTell<T>(work: () => T): T {
    const result = run('write', work);
    for (const tell of waiting) tell();
    return result;
  }

  return {
    read: (work) => (mode === undefined ? run('read', work) : work()),
    write: (work) => {
      if (mode === 'read') throw new Error('a write within a read transaction');
      return mode === 'write' ? work() : runAndTell(work);
    },
    afterCommit: (tell) => {
      if (mode !== 'write') throw new Error('nothing is being written');
      waiting.push(tell);
    },
    findMode: () => mode,
  };
}
