import Sqlite from 'better-sqlite3';
import { takeTurn } from '../turns/take-turn.ts';

/** SQLite's own: pages of the log after which a commit moves it into the file. */
const DEFAULT_PAGES = 1000;

/**
 * Moves the log of a database into its file in a later turn of the event loop, after it is called: the commit of a
 * long content then does not do it in the same turn. A database that closes earlier moves it when it closes.
 */
export function createCheckpointLater(connection: Sqlite.Database): () => void {
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
