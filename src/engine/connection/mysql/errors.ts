import { DatabaseError, type DatabaseErrorCode } from '../contract/connection.ts';
import { placeError } from './error-place.ts';
import type { ServerError } from './messages.ts';

/** The statement was stopped by a request. */
export const INTERRUPTED = 1317;
/** The statement is empty, or nothing but comments. */
const EMPTY = 1065;
/** Errors by their numbers that are more than a fault of a statement. */
const CODES: ReadonlyMap<number, DatabaseErrorCode> = new Map<number, DatabaseErrorCode>([
  [1021, 'full'],
  [1114, 'full'],
  [1045, 'login'],
  // A lock that did not come in time, and a deadlock.
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

/** What the server says is wrong with a statement. */
export function toDatabaseError(error: ServerError, statement: string, isLate = false): DatabaseError {
  const known = CODES.get(error.errno) ?? 'sql';
  const found = isLate && (known === 'sql' || known === 'conflict') ? 'late' : known;
  const { message, offset } = placeError(error, statement);
  return new DatabaseError(found, message, offset, { cause: error });
}

/** Whether the server had nothing to run. */
export function isEmptyStatement(error: unknown): boolean {
  return hasNumber(error, EMPTY);
}

/** Whether an error is the server's with this number. */
export function hasNumber(error: unknown, errno: number): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return (error.cause as ServerError | undefined)?.errno === errno;
}
