import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { served } from './file-errors.ts';
import { findLockHolder } from './lock-holder.ts';

/**
 * Locks a home for this process to serve. Other processes cannot lock it until the returned function is called or the
 * process ends, however it ends. Throws HomeError `locked` when another process serves it.
 */
export function lockHome(home: string): () => void {
  const file = join(home, 'serve.lock');
  writeFileSync(file, '', { flag: 'a', mode: 0o600 });
  const connection = new Sqlite(file, { timeout: 0 });
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw served(home, findLockHolder(file));
    }
    throw error;
  }
  return () => connection.close();
}
