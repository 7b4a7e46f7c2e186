import { DatabaseError, type DatabaseErrorCode } from '../contract/connection.ts';
import { placeError } from './error-place.ts';
import type { ServerError } from './messages.ts';

/** The statement was cancelled on request. */
export const INTERRUPTED = 1317;
/** The statement is empty, or has only comments. */
const EMPTY = 1065;
/** Error numbers that are not a mistake in a statement. */
const CODES: ReadonlyMap<number, DatabaseErrorCode> = new Map<number, DatabaseErrorCode>([
  [1021, 'full'],
  [1114, 'full'],
  [1045, 'login'],
  // A lock timeout, and a deadlock.
  [1205, 'conflict'],
  [1213, 'conflict'],
  [1698, 'login'],
  [1820, 'login'],
  [1862, 'login'],
  [1040, 'unreachable'],
  [1053, 'unreachable'],
  [1129, 'unreachable'],
  [1130, 'unreachable'],
  [1203, 'unreachable'],
  [1226, 'unreachable'],
  [1927, 'unreachable'],
  [4031, 'unreachable'],
]);

/** Converts a server error for a statement. */
export function toDatabaseError(error: ServerError, statement: string, isLate = false): DatabaseError {
  const known = CODES.get(error.errno) ?? 'sql';
  const found = isLate && (known === 'sql' || known === 'conflict') ? 'late' : known;
  const { message, offset } = placeError(error, statement);
  return new DatabaseError(found, message, offset, { cause: error });
}

/** Whether the statement was empty. */
export function isEmptyStatement(error: unknown): boolean {
  return hasNumber(error, EMPTY);
}

/** Whether an error is the server's error of this number. */
export function hasNumber(error: unknown, errno: number): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return (error.cause as ServerError | undefined)?.errno === errno;
}
