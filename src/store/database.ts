// The home's SQLite database. Writers wait for each other, readers do not wait. A write is one transaction of
// synchronous code: nothing else can run between its statements. Values that depend on the database alone are cached
// until the next commit of any process.

import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { present } from '../invariants/must.ts';
import { takeTurn } from '../turns/take-turn.ts';
import { syncFolder, toBackupFile, writeBackup } from './files/backup.ts';
import { checkFile, pause } from './files/check-file.ts';
import { createGuard, databaseFile, type Guard } from './files/file-errors.ts';
import { noteOpen } from './files/open-files.ts';
import {
  checkSchemaVersion,
  latestVersion,
  type Migration,
  migrate,
  readSchemaVersion,
} from './migrations/migrate.ts';
import { migrations as allMigrations } from './migrations/migrations.ts';
import { createReadCaches, type ReadCaches } from './read-cache.ts';
import { createTransactions, type Transactions } from './transaction.ts';
import type { Clock } from './values/clock.ts';
import { foldCase } from './values/fold-case.ts';
import { createStatements, type PreparedStatements } from './values/statements.ts';

const BUSY_TIMEOUT_MS = 5_000;
const LOG_ATTEMPTS = 100;
const LOG_PAUSE_MS = 10;
/** The page cache: enough for one transaction with the largest content, so that its pages are written once. */
const CACHE_KILOBYTES = 32 * 1024;

/** A home's open database. SQL may call `fold_case(text)`, which converts a name to the form that is compared. */
export interface Database extends Transactions, PreparedStatements, ReadCaches, Eraser {
  /**
   * A number that changes when another connection, of this process or another, has committed something. Commits
   * through this connection do not change it.
   */
  readChangeMark(): number;
  /** Runs the checkpoint of the log in a later turn, instead of in the commit of the current write. */
  checkpointLater(): void;
  /** Closes the database; the last process that closes it runs a checkpoint of the log. */
  close(): void;
}

/** The options of an open database. */
export interface DatabaseOptions {
  readonly clock: Clock;
  /** How long to wait for other writers, in milliseconds; 5,000 by default. */
  readonly busyTimeout?: number;
  /** The schema; tests append to it. */
  readonly migrations?: readonly Migration[];
  /** Refuses all writes; the guard has their error. */
  readonly readOnly?: Guard;
}

/**
 * Opens the database of a home, a folder, and brings it to the latest schema, after a backup. Throws
 * `HomeError` when it is missing, newer, corrupt, foreign, locked or unwritable, or its disk is full, and then has
 * changed nothing.
 */
export function openDatabase(home: string, options: DatabaseOptions): Database {
  const migrations = options.migrations ?? allMigrations;
  const latest = latestVersion(migrations);
  const { readOnly } = options;
  const guard = readOnly ?? createGuard(home);
  return createGuard(home)(() => {
    checkFile(home, latest);
    const file = realpathSync(databaseFile(home));
    const connection = connect(file, options.busyTimeout);
    try {
      checkSchemaVersion(file, readSchemaVersion(connection), latest);
      useLog(connection);
      migrate(connection, {
        migrations,
        clock: options.clock,
        save: (version, now) => writeBackup(file, toBackupFile(home, version, now)),
      });
      if (readOnly !== undefined) connection.pragma('query_only = ON');
      const eraser = createEraser(connection, guard, options.busyTimeout ?? BUSY_TIMEOUT_MS);
      return toDatabase(connection, { home, latest, guard, eraser, noteClosed: noteOpen(file) });
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}

/**
 * As `openDatabase`, but creates the database first if it is missing. The complete file appears under its name
 * atomically, so that of several processes that do this together, one creates it and all open it.
 */
export function createDatabase(home: string, options: DatabaseOptions): Database {
  const file = databaseFile(home);
  if (!existsSync(file)) createGuard(home)(() => createFile(home, file, options));
  return openDatabase(home, options);
}

function createFile(home: string, file: string, options: DatabaseOptions): void {
  const draft = `${file}.${randomUUID()}.new`;
  writeFileSync(draft, '', { flag: 'wx', mode: 0o600 });
  try {
    const connection = connect(draft, options.busyTimeout);
    try {
      useLog(connection);
      migrate(connection, {
        migrations: options.migrations ?? allMigrations,
        clock: options.clock,
        save: () => undefined,
      });
    } finally {
      connection.close();
    }
    linkUnlessThere(draft, file);
    syncFolder(home);
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(draft + suffix, { force: true });
  }
}

function linkUnlessThere(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function connect(file: string, busyTimeout = BUSY_TIMEOUT_MS): Sqlite.Database {
  const connection = new Sqlite(file, { fileMustExist: true, timeout: busyTimeout });
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('trusted_schema = OFF');
  connection.pragma(`cache_size = -${CACHE_KILOBYTES}`);
  connection.function('fold_case', { deterministic: true, directOnly: true }, (text) =>
    foldCase(String(text)),
  );
  return connection;
}

/**
 * Switches a new file to a write-ahead log, for example after a restore. SQLite does not wait when several processes do
 * this at once, so this function retries.
 */
function useLog(connection: Sqlite.Database): void {
  for (let attempt = 1; ; attempt++) {
    try {
      if (connection.pragma('journal_mode', { simple: true }) !== 'wal')
        connection.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (attempt === LOG_ATTEMPTS || !isBusy(error)) throw error;
      pause(LOG_PAUSE_MS);
    }
  }
}

/** What an open database consists of, besides its connection. */
interface Opened {
  readonly home: string;
  readonly latest: number;
  readonly guard: Guard;
  readonly eraser: Eraser;
  readonly noteClosed: () => void;
}

function toDatabase(
  connection: Sqlite.Database,
  { home, latest, guard, eraser, noteClosed }: Opened,
): Database {
  const { statement, countWrites } = createStatements(connection, guard);
  const file = databaseFile(home);
  const readNumber = (sql: string) => {
    const prepared = connection.prepare<[], number>(sql).pluck();
    return () => guard(() => present(prepared.get()));
  };
  const readChangeMark = readNumber('PRAGMA data_version');
  const readSchemaVersion = readNumber('PRAGMA user_version');
  let [seenMark, seenWrites] = [-1, -1];

  /** Another connection may have committed, and a newer version of Quern may have migrated the file. */
  function look(): void {
    const [mark, writes] = [readChangeMark(), countWrites()];
    if (mark === seenMark && writes === seenWrites) return;
    caches.forget();
    if (mark !== seenMark) checkSchemaVersion(file, readSchemaVersion(), latest);
    [seenMark, seenWrites] = [mark, writes];
  }

  const { findMode, ...transactions } = createTransactions(connection, guard, look);
  const caches = createReadCaches({ findMode, look });
  return {
    statement,
    readChangeMark,
    ...transactions,
    ...eraser,
    createCache: caches.createCache,
    checkpointLater: createCheckpointLater(connection),
    close: () => {
      connection.close();
      noteClosed();
    },
  };
}

/** SQLite's default: the number of log pages after which a commit runs a checkpoint. */
const DEFAULT_PAGES = 1000;

/**
 * Runs the checkpoint of a database's log in a later turn of the event loop, so that the commit of a long content does
 * not run it in the same turn. A database that closes earlier runs it when it closes.
 */
function createCheckpointLater(connection: Sqlite.Database): () => void {
  let isExpected = false;
  function checkpoint(): void {
    isExpected = false;
    if (!connection.open) return;
    try {
      connection.pragma(`wal_autocheckpoint = ${DEFAULT_PAGES}`);
      connection.pragma('wal_checkpoint(PASSIVE)');
    } catch (error) {
      // A later commit does it, or says what is wrong with the disk.
      if (!(error instanceof Sqlite.SqliteError)) throw error;
    }
  }
  return () => {
    if (isExpected) return;
    isExpected = true;
    connection.pragma('wal_autocheckpoint = 0');
    void takeTurn().then(checkpoint);
  };
}

/** The size up to which a database is rewritten, in bytes: that takes a few hundredths of a second. */
const MAX_REWRITTEN = 4 * 1024 ** 2;

/** Removes deleted data from the files of a database. */
interface Eraser {
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
function createEraser(connection: Sqlite.Database, guard: Guard, busyTimeout: number): Eraser {
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
function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
