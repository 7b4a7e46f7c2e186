import duckdb from '@duckdb/node-bindings';

/**
 * Optimizers that are disabled in every database of this process. `common_subplan` confuses the columns of two scans of
 * one table, so that sums are wrong: in DuckDB 1.5.0 to 1.5.5, fixed in 1.5.6.
 */
export const FAULTY_OPTIMIZERS = 'common_subplan';

/** Adds them to the current list; the engine removes duplicates. */
const DISABLE = `SET GLOBAL disabled_optimizers =
  concat_ws(',', nullif(current_setting('disabled_optimizers'), ''), '${FAULTY_OPTIMIZERS}')`;

/** Statements that can change a setting. */
const SETTERS: readonly duckdb.StatementType[] = [
  duckdb.StatementType.SET,
  duckdb.StatementType.VARIABLE_SET,
  duckdb.StatementType.PRAGMA,
  duckdb.StatementType.CALL,
  duckdb.StatementType.EXPLAIN,
  duckdb.StatementType.EXECUTE,
  duckdb.StatementType.MULTI,
];

/** Whether a statement of this type can change a setting. */
export function canChangeSettings(type: duckdb.StatementType): boolean {
  return SETTERS.includes(type);
}

const LOCKED = /the configuration has been locked/;

/**
 * Disables the faulty optimizers again, independent of the session's open transaction. If settings are locked, the list
 * cannot have changed. Rejects with errors of the engine.
 */
export async function disableFaultyOptimizers(database: duckdb.Database): Promise<void> {
  const connection = await duckdb.connect(database);
  try {
    await duckdb.query(connection, DISABLE);
  } catch (error) {
    if (!LOCKED.test(String(error))) throw error;
  } finally {
    duckdb.disconnect_sync(connection);
  }
}
