import { type Connection, DatabaseError } from '../../connection/contract/connection.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import { createDiagnostic, type Diagnostic } from '../../text/diagnostic.ts';
import type { Interruptible } from '../../text/interruptible.ts';

/** What a database said about one statement of a text: its own error and the place in the author's text. */
export class StatementError extends Error {
  override readonly cause: DatabaseError;
  readonly diagnostic: Diagnostic;
  /** The statement's text from where the database complains of it; empty where it says no place. */
  readonly rest: string;

  constructor(cause: DatabaseError, diagnostic: Diagnostic, rest: string) {
    super(cause.message, { cause });
    this.cause = cause;
    this.diagnostic = diagnostic;
    this.rest = rest;
  }
}

/** The error of a rendered statement, placed where its author wrote what the database complains of. */
function locateError(error: DatabaseError, { sql, start, findOrigin }: Statement): Error {
  const at = Math.min(error.offset ?? start, sql.length);
  const word = /^[\w$]+/.exec(sql.slice(at, at + 200))?.[0] ?? '';
  const origin = findOrigin({ start: at, end: Math.min(at + (error.length ?? word.length), sql.length) });
  if (origin === null) return error;
  return new StatementError(
    error,
    createDiagnostic(origin.rendered.source, origin.span, error.message, 'sql'),
    error.offset === undefined ? '' : sql.slice(at),
  );
}

/** Puts the place in a script to what a database finds wrong with a statement. Rejects with a StatementError. */
export async function locate<T>(statement: Statement, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DatabaseError ? locateError(error, statement) : error;
  }
}

/** Refuses a statement before anything runs, where it is not SQL of the model. Rejects with a StatementError. */
export async function checkMeaning(
  connection: Connection,
  statement: Statement,
  signal: AbortSignal,
): Promise<void> {
  if (connection.checkMeaning === undefined) return;
  await locate(statement, async () => connection.checkMeaning?.(statement.sql, signal));
}

/** Refuses a statement before anything runs, where the session would refuse it. Throws a StatementError. */
export function* checkInSandbox(connection: Connection, statement: Statement): Interruptible<void> {
  try {
    if (connection.checkStatement !== undefined) yield* connection.checkStatement(statement.sql);
  } catch (error) {
    throw error instanceof DatabaseError ? locateError(error, statement) : error;
  }
}
