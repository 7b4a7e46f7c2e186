import Sqlite from 'better-sqlite3';
import { takeTurn } from '../turns/take-turn.ts';

/** SQLite's default: the number of log pages after which a commit runs a checkpoint. */
const DEFAULT_PAGES = 1000;

/**
 * Runs the checkpoint of a database's log in a later turn of the event loop, so that the commit of a long content does
 * not run it in the same turn. A database that closes earlier runs it when it closes.
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
