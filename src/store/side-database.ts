import { existsSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { createSideGuard } from './files/file-errors.ts';
import {
  checkSchemaVersion,
  latestVersion,
  type Migration,
  migrate,
  readSchemaVersion,
} from './migrations/migrate.ts';
import { createTransactions, type Transactions } from './transaction.ts';
import type { Clock } from './values/clock.ts';
import { createStatements, type PreparedStatements } from './values/statements.ts';

/** How long a reader waits for a checkpoint of the log, in milliseconds. */
const READ_TIMEOUT_MS = 1_000;

/** An open database file of a home next to its catalog. It can be deleted without harm. */
export interface SideDatabase extends PreparedStatements, Pick<Transactions, 'write'> {
  close(): void;
}

/**
 * Opens such a file for the only process that writes it, and creates it (0600) if it is missing. It never waits for a
 * lock. Its commits survive the end of the process, but not always a power failure. Throws a `HomeError` as
 * `openDatabase` does; its message names the file.
 */
export function openSideDatabase(
  file: string,
  { migrations, clock }: { readonly migrations: readonly Migration[]; readonly clock: Clock },
): SideDatabase {
  const guard = createSideGuard(file);
  return guard(() => {
    // Closing a handle on the file outside of SQLite would drop the locks that this process has on it.
    if (!existsSync(file)) writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
    const connection = new Sqlite(file, { fileMustExist: true, timeout: 0 });
    try {
      connection.pragma('trusted_schema = OFF');
      connection.pragma('synchronous = NORMAL');
      checkSchemaVersion(file, readSchemaVersion(connection), latestVersion(migrations));
      connection.pragma('journal_mode = WAL');
      migrate(connection, { migrations, clock, save: () => undefined });
      return {
        ...createStatements(connection, guard),
        write: createTransactions(connection, guard, () => undefined).write,
        close: () => connection.close(),
      };
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}

/**
 * Reads such a file, even while another process writes it. Null if it is missing or empty. Throws as
 * `openSideDatabase` does.
 */
export function readSideDatabase<T>(
  file: string,
  migrations: readonly Migration[],
  read: (database: PreparedStatements) => T,
): T | null {
  if (!existsSync(file)) return null;
  const guard = createSideGuard(file);
  return guard(() => {
    // A read-only connection would leave the log when it closes last, so this one can write.
    const connection = new Sqlite(file, { fileMustExist: true, timeout: READ_TIMEOUT_MS });
    try {
      connection.pragma('query_only = ON');
      connection.pragma('trusted_schema = OFF');
      const version = readSchemaVersion(connection);
      checkSchemaVersion(file, version, latestVersion(migrations));
      return version === 0 ? null : read(createStatements(connection, guard));
    } finally {
      connection.close();
    }
  });
}
