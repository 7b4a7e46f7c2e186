import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { HomeError } from '../../errors/home-error.ts';
import { corrupt, databaseFile, foreign, missing, newer } from './file-errors.ts';
import { isOpenHere } from './open-files.ts';

/** Marks a SQLite file as a file of Quern: "Qurn". */
export const APPLICATION_ID = 0x5175726e;

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;

/** Files up to this size are checked completely each time they are opened, at about a millisecond per megabyte. */
const WHOLE_CHECK_BYTES = 16 * 1024 * 1024;

const ATTEMPTS = 10;
const PAUSE_MS = 25;

/**
 * Checks a home's database before SQLite opens it, from the bytes alone, so that a refused file and its
 * folder stay exactly as they are (SQLite would add a `-wal` file). `latest` is the newest schema version
 * known here. Throws `HomeError`, and the file system's errors for a file or folder that cannot be read and
 * written.
 */
export function checkFile(home: string, latest: number): void {
  const stats = statSync(databaseFile(home), { throwIfNoEntry: false });
  if (stats === undefined) throw missing(home);
  if (!stats.isFile()) throw corrupt(home, 'is not a file');
  const file = realpathSync(databaseFile(home));
  accessSync(file, constants.R_OK | constants.W_OK);
  accessSync(dirname(file), constants.R_OK | constants.W_OK | constants.X_OK);
  if (isOpenHere(file)) return;
  checkQuietBytes(home, file, latest);
}

/**
 * Another process may be writing the file while we read it, so the bytes may look damaged: an error
 * counts only if the file did not change meanwhile.
 */
function checkQuietBytes(home: string, file: string, latest: number): void {
  for (let attempt = 1; ; attempt++) {
    const before = stampOf(file);
    const error = findError(home, file, latest);
    if (error === undefined) return;
    pause(PAUSE_MS);
    if (attempt === ATTEMPTS || stampOf(file) === before) throw error;
  }
}

function stampOf(file: string): string {
  const { mtimeNs, size } = statSync(file, { bigint: true });
  return `${mtimeNs} ${size} ${hasLog(file)}`;
}

/** Whether the write-ahead log contains commits that are not in the file yet. */
function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function findError(home: string, file: string, latest: number): HomeError | undefined {
  const logged = hasLog(file);
  const size = statSync(file).size;
  const whole = !logged && size <= WHOLE_CHECK_BYTES;
  const bytes = whole ? readFileSync(file) : readStart(file);
  if (bytes.length === 0) return corrupt(home, 'is empty');
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    return corrupt(home, 'is not a SQLite database');
  }
  if (bytes.readUInt32BE(68) !== APPLICATION_ID) return foreign(home);
  // SQLite undoes an interrupted change when it opens the file.
  if (existsSync(`${file}-journal`)) return undefined;
  const version = logged ? readLoggedVersion(file) : bytes.readUInt32BE(60);
  if (version > latest) return newer(databaseFile(home), version, latest);
  if (logged) return undefined;
  if (version === 0 || size < readLength(bytes)) return corrupt(home, 'is damaged');
  return whole && !isSound(bytes) ? corrupt(home, 'is damaged') : undefined;
}

function readStart(file: string): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const handle = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(handle, bytes));
  } finally {
    closeSync(handle);
  }
}

/** The length that the header promises: its page size (1 stands for 65,536) times its number of pages. */
function readLength(header: Buffer): number {
  const pageSize = header.readUInt16BE(16);
  return (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(28);
}

/** Through SQLite, which finds it in the log; a read-only connection does not move the log into the file. */
function readLoggedVersion(file: string): number {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    return connection.pragma('user_version', { simple: true }) as number;
  } finally {
    connection.close();
  }
}

/** Lets SQLite check a copy in memory, marked as one without a log: a copy in memory cannot have one. */
function isSound(bytes: Buffer): boolean {
  bytes[18] = 1;
  bytes[19] = 1;
  let copy: Sqlite.Database | undefined;
  try {
    copy = new Sqlite(bytes);
    return copy.pragma('quick_check', { simple: true }) === 'ok';
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return false;
    throw error;
  } finally {
    copy?.close();
  }
}

/** Waits without giving up the thread: for the short retries around files that other processes write. */
export function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
