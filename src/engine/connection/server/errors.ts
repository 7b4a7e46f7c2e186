import { DatabaseError } from '../contract/connection.ts';

/** The error of a statement that was cancelled on request. */
export function createCancelled(): DatabaseError {
  return new DatabaseError('cancelled', 'The statement was cancelled.');
}

/** The connection was closed during a statement. */
export function toLostError(cause: Error): DatabaseError {
  const message = `The connection to the server was lost: ${cause.message}.`;
  return new DatabaseError('unreachable', message, undefined, { cause });
}
