import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { HomeError, type HomeErrorCode } from '../../errors/home-error.ts';
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
export function newer(file: string, version: number, known: number): HomeError {
  return new HomeError(
    'newer',
    `${file} has schema version ${version}, and this version of Quern knows versions up to ` +
      `${known}: use the newer Quern that wrote it`,
  );
}

/** `reason` completes a sentence whose subject is the file, as in "is empty". */
export function corrupt(home: string, reason: string, options?: ErrorOptions): HomeError {
  const file = databaseFile(home);
  const backup = findNewestBackup(home);
  const advice =
    backup === undefined
      ? 'there is no backup of it in the home; restore your own backup'
      : `move it aside, with catalog.db-wal and catalog.db-shm if they are there, and copy the newest backup in its place: ${backup}`;
  return new HomeError('corrupt', `${file} ${reason}: ${advice}`, options);
}

/** An intact SQLite database of another program. */
export function foreign(home: string): HomeError {
  return new HomeError(
    'foreign',
    `${databaseFile(home)} is a SQLite database of another program: choose another home`,
  );
}

/** Another process kept the database locked for longer than the busy timeout. */
export function locked(home: string, options?: ErrorOptions): HomeError {
  const pid = findLockHolder(databaseFile(home));
  const holder = pid === undefined ? 'another process' : `process ${pid}`;
  return new HomeError(
    'locked',
    `${databaseFile(home)} is locked by ${holder}: wait until it has finished`,
    options,
  );
}

/** Another process serves the home; `pid` is undefined when the system does not report it. */
export function served(home: string, pid: number | undefined): HomeError {
  const holder = pid === undefined ? 'another process' : `process ${pid}`;
  return new HomeError('locked', `${home} is served by ${holder} already: one server at a time can do so`);
}

/** SQLite's codes for a file whose last change a read-only connection would have to undo or complete first. */
const INTERRUPTED: readonly string[] = ['SQLITE_READONLY_ROLLBACK', 'SQLITE_READONLY_RECOVERY'];

/** The file or its folder cannot be written, or not by this connection. */
function unwritable(home: string, cause: Error): HomeError {
  const file = databaseFile(home);
  const text =
    cause instanceof Sqlite.SqliteError && INTERRUPTED.includes(cause.code)
      ? `a change of ${file} was interrupted, for example a migration by a kill: run another command, such as \`quern user ls\`, which undoes it`
      : `${file} or its folder cannot be written (${cause.message}): give yourself the right to write both`;
  return new HomeError('unwritable', text, { cause });
}

/** No space is left for a change. */
export function diskFull(home: string, options: ErrorOptions): HomeError {
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

/** A file next to the catalog that cannot be read or written. */
function unusable(file: string, code: FileErrorCode, cause: Error): HomeError {
  const advice = code === 'corrupt' ? ': move it aside; a new one is created in its place' : '';
  return new HomeError(code, `${file} cannot be used (${cause.message})${advice}`, { cause });
}

/** The codes of errors that occur after a database was opened. */
type FileErrorCode = Extract<
  HomeErrorCode,
  'missing' | 'corrupt' | 'locked' | 'unwritable' | 'full' | 'failing'
>;

const ERRORS: Readonly<Record<FileErrorCode, (home: string, cause: Error) => HomeError>> = {
  full: (home, cause) => diskFull(home, { cause }),
  failing: (home, cause) => diskFailure(home, cause.message, { cause }),
  unwritable,
  locked: (home, cause) => locked(home, { cause }),
  corrupt: (home, cause) => corrupt(home, 'is damaged', { cause }),
  missing: (home, cause) => missing(home, { cause }),
};

/** By SQLite's primary result code. */
const SQLITE_CODES: Readonly<Record<string, FileErrorCode>> = {
  SQLITE_FULL: 'full',
  SQLITE_IOERR: 'failing',
  SQLITE_BUSY: 'locked',
  SQLITE_LOCKED: 'locked',
  SQLITE_PROTOCOL: 'locked',
  SQLITE_READONLY: 'unwritable',
  SQLITE_CANTOPEN: 'unwritable',
  SQLITE_PERM: 'unwritable',
  SQLITE_CORRUPT: 'corrupt',
  SQLITE_NOTADB: 'corrupt',
};

/** By the system's error code. */
const SYSTEM_CODES: Readonly<Record<string, FileErrorCode>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EIO: 'failing',
  EACCES: 'unwritable',
  EPERM: 'unwritable',
  EROFS: 'unwritable',
  ENOENT: 'missing',
};

/** The code of an error of SQLite or the file system; undefined for any other error. */
function findErrorCode(error: Error): FileErrorCode | undefined {
  if (error instanceof Sqlite.SqliteError) return SQLITE_CODES[error.code.split('_', 2).join('_')];
  return 'syscall' in error && 'code' in error ? SYSTEM_CODES[String(error.code)] : undefined;
}

/** Runs `work`, and converts its errors. */
export type Guard = <T>(work: () => T) => T;

/** The guard of one home: converts errors of SQLite and the file system to a `HomeError`. */
export function createGuard(home: string): Guard {
  return createGuardOf((code, cause) => ERRORS[code](home, cause));
}

/** As `createGuard`, for a file of a home that can be deleted without harm. */
export function createSideGuard(file: string): Guard {
  return createGuardOf((code, cause) => unusable(file, code, cause));
}

/** A guard whose errors `toError` creates. */
export function createGuardOf(toError: (code: FileErrorCode, cause: Error) => HomeError): Guard {
  return (work) => {
    try {
      return work();
    } catch (error) {
      const code = error instanceof Error ? findErrorCode(error) : undefined;
      throw code === undefined ? error : toError(code, error as Error);
    }
  };
}
