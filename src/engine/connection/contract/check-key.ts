import { DatabaseError } from './connection.ts';
import { type Run, readTexts } from './run-inner.ts';

/** The SQL of one platform for a check of keys. */
export interface KeyDialect {
  readonly quoteName: (name: string) => string;
  /** SQL for the value of a column as readable text, `NULL` for null. */
  readonly printValue: (column: string) => string;
  /** SQL for the value of a column such that only the same bytes are equal; undefined where the column is compared so. */
  readonly printBytes?: (column: string) => string;
}

/** New rows in the table `source`, as SQL, that are matched by a key in a table called `name`. */
export interface KeyedRows {
  readonly source: string;
  readonly name: string;
  readonly key: readonly string[];
}

/**
 * Checks that no two new rows have the same key; otherwise it would be random which of them is kept. Rejects with a
 * DatabaseError.
 */
export async function checkKey(
  run: Run,
  { quoteName, printValue, printBytes = quoteName }: KeyDialect,
  { source, name, key }: KeyedRows,
  signal: AbortSignal,
): Promise<void> {
  const columns = key.map(printBytes).join(', ');
  const values = `CONCAT_WS(', ', ${key.map(printValue).join(', ')})`;
  const statement = `SELECT MIN(${values}) FROM ${source} GROUP BY ${columns} HAVING COUNT(*) > 1 LIMIT 1`;
  const [row] = await readTexts(await run(statement, signal));
  if (row === undefined) return;
  const message = `The new rows of ${quoteName(name)} have the key ${row[0]} more than once (${key.join(', ')}).`;
  throw new DatabaseError('sql', message);
}

/** Checks that each new row has a value in each column of a key. Rejects with a DatabaseError. */
export async function checkNoNull(
  run: Run,
  { quoteName }: Pick<KeyDialect, 'quoteName'>,
  { source, name, key }: KeyedRows,
  kind: 'key' | 'primary key',
  signal: AbortSignal,
): Promise<void> {
  const isNull = key.map((column) => `${quoteName(column)} IS NULL`).join(' OR ');
  const rows = await readTexts(await run(`SELECT 'NULL' FROM ${source} WHERE ${isNull} LIMIT 1`, signal));
  if (rows.length === 0) return;
  const message = `The new rows of ${quoteName(name)} have no value in the ${kind} (${key.join(', ')}).`;
  throw new DatabaseError('sql', message);
}
