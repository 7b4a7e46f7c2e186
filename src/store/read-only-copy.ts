import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HomeError, type HomeErrorCode } from '../errors/home-error.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { createGuardOf, databaseFile, diskFull } from './files/file-errors.ts';

/** Codes of a home that cannot be written, but may be read. */
const UNWRITABLE: readonly HomeErrorCode[] = ['unwritable', 'full', 'failing'];
/** A larger catalog is not copied, in bytes. */
const MAX_BYTES = 1024 ** 3;
/** Folders for a copy: the temporary one of the system, and memory. */
const PLACES: readonly string[] = [tmpdir(), '/dev/shm'];
/** What the index of a log needs, in bytes. */
const LOG_BYTES = 64 * 1024;
/** Another process may write the catalog meanwhile. */
const ATTEMPTS = 10;

/**
 * As `openDatabase`, but a home that cannot be written is opened as a copy elsewhere, because a write-ahead log cannot be
 * read in a folder that is read-only. Writes throw HomeError `unwritable` or `full`. Throws HomeError also for a catalog
 * that is too large for a copy.
 */
export function openReadable(home: string, options: DatabaseOptions): Database {
  try {
    return openDatabase(home, options);
  } catch (error) {
    if (!(error instanceof HomeError && UNWRITABLE.includes(error.code))) throw error;
    return openCopy(home, error, options);
  }
}

function openCopy(home: string, cause: HomeError, options: DatabaseOptions): Database {
  const folder = copyCatalog(home, cause);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const guard = createGuardOf(() => refuseWrites(home, cause));
    const database = openDatabase(folder, { ...options, readOnly: guard });
    const close = () => {
      database.close();
      remove();
    };
    return { ...database, close };
  } catch (error) {
    remove();
    throw error;
  }
}

function refuseWrites(home: string, cause: HomeError): HomeError {
  if (cause.code === 'full' || hasNoSpace(home)) return diskFull(home, { cause });
  return new HomeError('unwritable', `the home ${home} is read-only. Nothing was changed`, { cause });
}

/** SQLite reports a disk without space as a file that it cannot open. */
function hasNoSpace(home: string): boolean {
  const { bavail, bsize } = statfsSync(home);
  try {
    accessSync(home, constants.W_OK);
    return bavail * bsize < LOG_BYTES;
  } catch {
    return false;
  }
}

/** Copies the catalog with its log; returns the folder of the copy, which only this user may read. */
function copyCatalog(home: string, cause: HomeError): string {
  const file = databaseFile(home);
  const size = sizeOf(file) + sizeOf(`${file}-wal`);
  if (size > MAX_BYTES) throw notCopied(home, 'its catalog is larger than 1 GB', cause);
  for (const place of PLACES) {
    let folder: string | null = null;
    try {
      folder = mkdtempSync(path.join(place, 'quern-read-'));
      copyQuiet(file, databaseFile(folder));
      return folder;
    } catch (error) {
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
      if (error instanceof HomeError) throw error;
    }
  }
  throw notCopied(home, `neither ${PLACES.join(' nor ')} has room for a copy of its catalog`, cause);
}

function notCopied(home: string, reason: string, cause: HomeError): HomeError {
  return new HomeError(cause.code, `the home ${home} cannot be written, and ${reason}`, { cause });
}

/** Copies a file and its log as they are at one time. */
function copyQuiet(file: string, copy: string): void {
  for (let attempt = 1; ; attempt += 1) {
    const before = stampOf(file);
    for (const suffix of ['', '-wal']) {
      rmSync(copy + suffix, { force: true });
      if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix, constants.COPYFILE_FICLONE);
    }
    if (attempt === ATTEMPTS || stampOf(file) === before) return;
  }
}

function stampOf(file: string): string {
  const parts = ['', '-wal'].map((suffix) =>
    statSync(file + suffix, { bigint: true, throwIfNoEntry: false }),
  );
  return parts.map((stats) => `${stats?.mtimeNs} ${stats?.size}`).join(' ');
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
