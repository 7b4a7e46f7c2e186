import { DatabaseError, type DatabaseErrorCode } from '../contract/connection.ts';
import type { ErrorResponse } from './messages.ts';

/** The statement was cancelled by a request, or by the server's own time limit. */
const CANCELLED = '57014';
/** SQLSTATEs or their prefixes that are not a mistake in a statement. */
const CODES: readonly (readonly [start: string, code: DatabaseErrorCode])[] = [
  ['53100', 'full'],
  // A statement with parameters, which have no values.
  ['08P01', 'sql'],
  ['28', 'login'],
  // A serialization failure, and a deadlock.
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['3D000', 'unreachable'],
  ['57P', 'unreachable'],
  ['53', 'unreachable'],
  ['08', 'unreachable'],
];

/** Converts a server error for a statement. */
export function toDatabaseError(error: ErrorResponse, statement: string, isLate = false): DatabaseError {
  const { code, position } = error;
  const mappedCode = CODES.find(([start]) => code.startsWith(start))?.[1] ?? 'sql';
  const errorCode = isLate && (mappedCode === 'sql' || mappedCode === 'conflict') ? 'late' : mappedCode;
  return new DatabaseError(errorCode, describe(error), findOffset(statement, position), { cause: error });
}

/** Whether the server stopped a statement because of a cancel request. */
export function isCancelled({ code, message }: ErrorResponse): boolean {
  return code === CANCELLED && !/timeout/.test(message);
}

/** Whether an error has this SQLSTATE. */
export function hasState(error: unknown, state: string): boolean {
  return error instanceof DatabaseError && isErrorResponse(error.cause) && error.cause.code === state;
}

function isErrorResponse(cause: unknown): cause is ErrorResponse {
  return typeof cause === 'object' && cause !== null && 'position' in cause && 'hint' in cause;
}

function describe({ message, detail, hint }: ErrorResponse): string {
  return [message, detail, hint].filter((part) => part !== null).join('\n');
}

/** Converts characters from 1 to UTF-16 units from 0. */
function findOffset(statement: string, position: number | null): number | undefined {
  if (position === null || position < 1) return undefined;
  let offset = 0;
  for (let left = position - 1; left > 0; left -= 1) {
    if (offset >= statement.length) return undefined;
    offset += statement.codePointAt(offset)! > 0xffff ? 2 : 1;
  }
  return offset;
}
