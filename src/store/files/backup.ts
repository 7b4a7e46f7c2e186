import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';

/** Where a home keeps the copies of its database. */
function backupFolder(home: string): string {
  return join(home, 'backups');
}

/**
 * Writes a consistent copy of the database `file` to `target`, a new file with mode 0600, while others read
 * and write it. Throws what SQLite and the file system throw, and then leaves no target behind.
 */
export function writeBackup(file: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  closeSync(openSync(target, 'wx', 0o600));
  try {
    const source = new Sqlite(file, { readonly: true, fileMustExist: true });
    try {
      source.prepare('VACUUM INTO ?').run(target);
    } finally {
      source.close();
    }
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  }
}

/** The name of a copy made at `timestamp` of a database with this schema version; never one that exists. */
export function toBackupFile(home: string, version: number, timestamp: string): string {
  const base = join(backupFolder(home), `catalog-v${version}-${timestamp.replaceAll(/[:.]/g, '-')}`);
  let file = `${base}.db`;
  for (let number = 2; existsSync(file); number++) file = `${base}-${number}.db`;
  return file;
}

/** The full path of the home's newest backup, undefined without a backup. Never throws. */
export function findNewestBackup(home: string): string | undefined {
  const folder = backupFolder(home);
  try {
    const files = readdirSync(folder)
      .filter((name) => /^catalog-.*\.db$/.test(name))
      .map((name) => join(folder, name))
      .map((file) => ({ file, written: statSync(file).mtimeMs }));
    return files.sort((a, b) => b.written - a.written)[0]?.file;
  } catch {
    return undefined;
  }
}

/** Makes new names in a folder last through a power failure, as far as the system can sync a folder. */
export function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Not every system opens or syncs folders; the files themselves are synced by SQLite.
  }
}
