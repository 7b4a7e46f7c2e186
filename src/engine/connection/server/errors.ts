import { DatabaseError } from '../contract/connection.ts';

/** The error of a statement that was stopped on request. */
export function createCancelled(): DatabaseError {
  return new DatabaseError('cancelled', 'The statement was cancelled.');
}

/** A connection that is no more, in the middle of its work. */
export function toLostError(cause: Error): DatabaseError {
  const message = `The connection to the server was lost: ${cause.message}.`;
  return new DatabaseError('unreachable', message, undefined, { cause });
}
