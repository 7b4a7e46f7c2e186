import { rm } from 'node:fs/promises';
import type { Column } from '../../result/columns/column.ts';
import { quoteName } from '../../text/sql-quote.ts';
import { DatabaseError, type FileFormat, type StatementResult } from '../contract/connection.ts';
import type { DuckDbSession } from './session.ts';

type Rows = Extract<StatementResult, { readonly kind: 'rows' }>;

/** What a written file may take; without a limit by default. */
export interface WriteLimits {
  readonly rows?: number;
  /** Bytes of the rows in memory and in temporary files. */
  readonly bytes?: number;
  /** Memory of DuckDB, such as `512MB`. */
  readonly memory?: string;
}

/** The rows of a result take more bytes than the limit allows. */
export class TooManyBytesError extends Error {}

const TABLE = 'quern_rows';

/**
 * Writes the rows of any database to a new file in the formats that DuckDB writes, through a table that can use
 * temporary files next to it. Resolves with the number of rows. Rejects with a DatabaseError, a TooManyBytesError, or a
 * file system error.
 */
export async function writeThroughDuckDb(
  result: StatementResult,
  file: string,
  format: FileFormat,
  signal: AbortSignal,
  limits: WriteLimits = {},
): Promise<number> {
  if (result.kind === 'done') throw new DatabaseError('sql', 'The statement has no rows to write.');
  const spillFolder = `${file}.spill`;
  try {
    const session = await openSession(spillFolder, limits.memory, signal);
    try {
      const count = await storeRows(session, result, format, limits, signal);
      await session.publishing.writeFile(printRead(result.columns), file, format, signal);
      return count;
    } finally {
      await session.close();
    }
  } finally {
    await rm(spillFolder, { force: true, recursive: true });
  }
}

async function openSession(
  spillFolder: string,
  memory: string | undefined,
  signal: AbortSignal,
): Promise<DuckDbSession> {
  const { connectDuckDb } = await import('./driver.ts');
  const options = {
    file: ':memory:',
    temp_directory: spillFolder,
    ...(memory === undefined ? {} : { memory_limit: memory }),
  };
  return connectDuckDb({ name: 'files', kind: 'duckdb', options, overrides: {} }, signal);
}

/** Resolves with the number of rows. */
async function storeRows(
  session: DuckDbSession,
  { columns, chunks }: Rows,
  format: FileFormat,
  limits: WriteLimits,
  signal: AbortSignal,
): Promise<number> {
  const { rows: maxRows = Number.POSITIVE_INFINITY, bytes: maxBytes = Number.POSITIVE_INFINITY } = limits;
  const { createPrintedType, createStoredType } = await import('./append/stored-types.ts');
  const toStored = format.type === 'csv' ? createPrintedType : createStoredType;
  const types = columns.map(({ name, type }) => toStored(type, name));
  await session.run(
    `CREATE TABLE ${TABLE} (${types.map(({ sql }, i) => `c${i} ${sql}`).join(', ')})`,
    signal,
  );
  const appender = session.createAppender(TABLE, types);
  let [count, bytes] = [0, 0];
  for await (const chunk of chunks) {
    const rowCount = Math.min(chunk.rows, maxRows - count);
    bytes += appender.append(chunk, rowCount);
    if (bytes > maxBytes) throw new TooManyBytesError();
    count += rowCount;
    if (count === maxRows) break;
  }
  appender.close();
  return count;
}

function printRead(columns: readonly Column[]): string {
  return `SELECT ${columns.map(({ name }, i) => `c${i} AS ${quoteName(name)}`).join(', ')} FROM ${TABLE}`;
}
