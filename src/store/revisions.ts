import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { openDatabase } from './database.ts';
import { databaseFile } from './files/file-errors.ts';
import { REVISION_MARGIN, REVISIONS_VERSION } from './migrations/0007-catalog-revisions.ts';
import { readSchemaVersion } from './migrations/migrate.ts';
import type { Clock } from './values/clock.ts';

/**
 * Sets the counter of a restored home above all known revisions, including those of the replaced home (null: no home
 * was replaced), so that revisions used since the backup are not used again. Brings the catalog to the latest schema.
 */
export function raiseRevisions(home: string, replaced: string | null, clock: Clock): void {
  const known = Math.max(findLastRevision(home), replaced === null ? 0 : findLastRevision(replaced));
  const database = openDatabase(home, { clock });
  try {
    const raise = database.statement('UPDATE catalog_revisions SET last = max(last, ?)');
    database.write(() => raise.run(known + REVISION_MARGIN));
  } finally {
    database.close();
  }
}

/** The highest known revision of a home; 0 when its catalog is missing or damaged. */
function findLastRevision(home: string): number {
  if (!existsSync(databaseFile(home))) return 0;
  try {
    const connection = new Sqlite(databaseFile(home), { fileMustExist: true });
    try {
      connection.pragma('query_only = ON');
      connection.pragma('trusted_schema = OFF');
      const counts = readSchemaVersion(connection) >= REVISIONS_VERSION;
      const sql = counts
        ? 'SELECT last FROM catalog_revisions'
        : 'SELECT max(revision) AS last FROM catalog_items';
      return connection.prepare<[], { last: number | null }>(sql).get()?.last ?? 0;
    } finally {
      connection.close();
    }
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return 0;
    throw error;
  }
}
