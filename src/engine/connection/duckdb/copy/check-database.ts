import duckdb from '@duckdb/node-bindings';

import { openEngine } from '../instance/open-engine.ts';
import { readOptions } from '../instance/options.ts';

const LISTING = 'SELECT count(*) FROM duckdb_columns()';

/**
 * Opens a database file read-only and lists its tables; the file is unchanged. Rejects with a DatabaseError, `locked`
 * when another process has the file.
 */
export async function checkDatabase(file: string, signal: AbortSignal): Promise<void> {
  const engine = await openEngine({ ...readOptions({ file }), config: { access_mode: 'READ_ONLY' } });
  try {
    await engine.step(LISTING, signal, () => duckdb.query(engine.connection, LISTING));
  } finally {
    await engine.close();
  }
}
