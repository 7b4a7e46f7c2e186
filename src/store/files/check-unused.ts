import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { databaseFile, locked } from './file-errors.ts';

/**
 * Throws `HomeError` with `locked` while another process has the home's database open, at work or idle. A database that
 * is missing or damaged counts as unused.
 */
export function checkUnused(home: string): void {
  if (!existsSync(databaseFile(home))) return;
  let connection: Sqlite.Database | undefined;
  try {
    connection = new Sqlite(databaseFile(home), { fileMustExist: true, timeout: 0 });
    // Each process that has a database in WAL mode open holds a lock that conflicts with this one.
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.exec('BEGIN EXCLUSIVE; ROLLBACK');
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    if (error.code.startsWith('SQLITE_BUSY')) throw locked(home, { cause: error });
  } finally {
    connection?.close();
  }
}
