import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { HomeError } from '../errors/home-error.ts';
import { findNewestBackup } from './backup.ts';
import { findLockHolder } from './lock-holder.ts';

/** The home's SQLite file. */
export function databaseFile(home: string): string {
  return join(home, 'catalog.db');
}

/** There is no database in this folder. */
export function missing(home: string, options?: ErrorOptions): HomeError {
  return new HomeError('missing', `${databaseFile(home)} does not exist: run \`quern init\``, options);
}

/** A newer version has migrated the database. */
export function newer(home: string, found: number, known: number): HomeError {
  return new HomeError(
    'newer',
    `${databaseFile(home)} has schema version ${found}, and this version of Quern knows versions up to ` +
      `${known}: use the newer Quern that wrote it`,
  );
}

/** `reason` completes a sentence whose subject is the file, as in "is empty". */
export function corrupt(home: string, reason: string, options?: ErrorOptions): HomeError {
  const file = databaseFile(home);
  const backup = findNewestBackup(home);
  const advice =
    backup === undefined
      ? 'there is no backup of it in the home; restore one of your own'
      : `move it aside, with catalog.db-wal and catalog.db-shm if they are there, and copy the newest backup in its place: ${backup}`;
  return new HomeError('corrupt', `${file} ${reason}: ${advice}`, options);
}

/** A sound SQLite database of some other program. */
export function foreign(home: string): HomeError {
  return new HomeError(
    'foreign',
    `${databaseFile(home)} is a SQLite database of another program: choose another home`,
  );
}

/** Another process kept the database locked for as long as we are willing to wait. */
export function locked(home: string, options?: ErrorOptions): HomeError {
  const pid = findLockHolder(databaseFile(home));
  const holder = pid === undefined ? 'another process' : `process ${pid}`;
  return new HomeError(
    'locked',
    `${databaseFile(home)} is locked by ${holder}: wait until it has finished`,
    options,
  );
}

/** Another process serves the home; `pid` is undefined where the system does not tell. */
export function served(home: string, pid: number | undefined): HomeError {
  const holder = pid === undefined ? 'another process' : `process ${pid}`;
  return new HomeError('locked', `${home} is served by ${holder} already: one server at a time can do so`);
}

/** The file or its folder cannot be written; `reason` is the system's. */
function unwritable(home: string, reason: string, options?: ErrorOptions): HomeError {
  return new HomeError(
    'unwritable',
    `${databaseFile(home)} or its folder cannot be written (${reason}): give yourself the right to write both`,
    options,
  );
}

function diskFull(home: string, options: ErrorOptions): HomeError {
  return new HomeError(
    'full',
    `The disk that holds ${home} is full. Nothing was changed; free some space and try again`,
    options,
  );
}

function diskFailure(home: string, reason: string, options: ErrorOptions): HomeError {
  return new HomeError(
    'failing',
    `The disk that holds ${home} failed (${reason}). Nothing was changed`,
    options,
  );
}

type ToError = (home: string, cause: Error) => Error;

const full: ToError = (home, cause) => diskFull(home, { cause });
const failed: ToError = (home, cause) => diskFailure(home, cause.message, { cause });
const refused: ToError = (home, cause) => unwritable(home, cause.message, { cause });
const held: ToError = (home, cause) => locked(home, { cause });
const damaged: ToError = (home, cause) => corrupt(home, 'is damaged', { cause });

/** By SQLite's primary result code. */
const SQLITE_ERRORS: Readonly<Record<string, ToError>> = {
  SQLITE_FULL: full,
  SQLITE_IOERR: failed,
  SQLITE_BUSY: held,
  SQLITE_LOCKED: held,
  SQLITE_PROTOCOL: held,
  SQLITE_READONLY: refused,
  SQLITE_CANTOPEN: refused,
  SQLITE_PERM: refused,
  SQLITE_CORRUPT: damaged,
  SQLITE_NOTADB: damaged,
};

/** By the system's error code. */
const SYSTEM_ERRORS: Readonly<Record<string, ToError>> = {
  ENOSPC: full,
  EDQUOT: full,
  EIO: failed,
  EACCES: refused,
  EPERM: refused,
  EROFS: refused,
  ENOENT: (home, cause) => missing(home, { cause }),
};

/**
 * What SQLite or the file system said, in terms of the home: a `HomeError`. Anything else comes back as it is.
 */
function toStoreError(error: unknown, home: string): unknown {
  if (error instanceof Sqlite.SqliteError) {
    const primary = error.code.split('_', 2).join('_');
    return SQLITE_ERRORS[primary]?.(home, error) ?? error;
  }
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    return SYSTEM_ERRORS[String(error.code)]?.(home, error) ?? error;
  }
  return error;
}

/** Runs `work`, and has its failures said in terms of the home. */
export type Guard = <T>(work: () => T) => T;

/** The guard of one home. */
export function createGuard(home: string): Guard {
  return (work) => {
    try {
      return work();
    } catch (error) {
      throw toStoreError(error, home);
    }
  };
}
