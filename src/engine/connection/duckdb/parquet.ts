import { quoteText } from '../../text/sql-quote.ts';
import { DatabaseError } from '../connection.ts';

const COPY = 'COPY (';

/** The statement that writes a query's rows to a parquet file. */
export function printParquetCopy(query: string, file: string, maxRows: number): string {
  // The line end keeps what follows out of a comment that may end the query.
  const rows = Number.isFinite(maxRows) ? `FROM (${query}\n) LIMIT ${maxRows}` : `${query}\n`;
  return `${COPY}${rows}) TO ${quoteText(file)} (FORMAT parquet)`;
}

/** An error about that statement as one about the query in it. */
export function toQueryError(error: DatabaseError, query: string, maxRows: number): DatabaseError {
  if (error.offset === undefined) return error;
  const before = COPY.length + (Number.isFinite(maxRows) ? 'FROM ('.length : 0);
  const offset = Math.min(Math.max(error.offset - before, 0), query.length);
  return new DatabaseError(error.code, error.message, offset, { cause: error });
}
