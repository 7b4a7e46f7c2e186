import { DatabaseError, type DatabaseErrorCode } from '../contract/connection.ts';
import type { QueryError } from './page.ts';

/** The statement was cancelled on request. */
const CANCELLED = 'USER_CANCELED';
/** Names of errors that are not a mistake in a statement: those of the cluster and of concurrent writers. */
const CODES: ReadonlyMap<string, DatabaseErrorCode> = new Map<string, DatabaseErrorCode>([
  ['ABANDONED_QUERY', 'unreachable'],
  ['ABANDONED_TASK', 'unreachable'],
  ['CLUSTER_HAS_TOO_MANY_RUNNING_QUERIES', 'unreachable'],
  ['NO_NODES_AVAILABLE', 'unreachable'],
  ['PAGE_TRANSPORT_ERROR', 'unreachable'],
  ['PAGE_TRANSPORT_TIMEOUT', 'unreachable'],
  ['QUERY_QUEUE_FULL', 'unreachable'],
  ['REMOTE_HOST_GONE', 'unreachable'],
  ['REMOTE_TASK_ERROR', 'unreachable'],
  ['REMOTE_TASK_MISMATCH', 'unreachable'],
  ['SERVER_SHUTTING_DOWN', 'unreachable'],
  ['SERVER_STARTING_UP', 'unreachable'],
  ['TOO_MANY_REQUESTS_FAILED', 'unreachable'],
  ['ICEBERG_COMMIT_ERROR', 'conflict'],
  ['TRANSACTION_CONFLICT', 'conflict'],
]);
/** The server's rendering of a position. */
const POSITION = /^line \d+:\d+: /;

/** Converts a server error for a statement; the server counts positions from the text `before` it, if any. */
export function toDatabaseError(
  error: QueryError,
  { before, statement }: { readonly before: string; readonly statement: string },
  isLate: boolean,
): DatabaseError {
  const { message, errorName = '', errorLocation } = error;
  const mappedCode = CODES.get(errorName) ?? 'sql';
  const errorCode = isLate && (mappedCode === 'sql' || mappedCode === 'conflict') ? 'late' : mappedCode;
  const place = errorLocation && findOffset(before + statement, errorLocation);
  const offset = place === undefined || place < before.length ? undefined : place - before.length;
  const text = offset === undefined ? message : message.replace(POSITION, '');
  return new DatabaseError(errorCode, text, offset, { cause: error });
}

/** Whether the server stopped a statement because of a cancel request. */
export function isCancelled({ errorName }: QueryError): boolean {
  return errorName === CANCELLED;
}

/** Converts line and column, in characters from 1, to UTF-16 units from 0; undefined outside of the statement. */
function findOffset(
  statement: string,
  { lineNumber, columnNumber }: { readonly lineNumber: number; readonly columnNumber: number },
): number | undefined {
  let offset = 0;
  for (let left = lineNumber - 1; left > 0; left -= 1) {
    const end = statement.indexOf('\n', offset);
    if (end === -1) return undefined;
    offset = end + 1;
  }
  for (let left = columnNumber - 1; left > 0; left -= 1) {
    if (offset >= statement.length) return undefined;
    offset += statement.codePointAt(offset)! > 0xffff ? 2 : 1;
  }
  return offset;
}
