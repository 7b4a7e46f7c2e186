import type { DatabaseError } from '../connection/connection.ts';
import type { Statement } from '../script/steps.ts';
import { createDiagnostic, type Diagnostic } from '../text/diagnostic.ts';

/** What a database said about one statement of a text: its own error and the place in the author's text. */
export class StatementError extends Error {
  override readonly cause: DatabaseError;
  readonly diagnostic: Diagnostic;

  constructor(cause: DatabaseError, diagnostic: Diagnostic) {
    super(cause.message, { cause });
    this.cause = cause;
    this.diagnostic = diagnostic;
  }
}

/** The error of a rendered statement, placed where its author wrote what the database complains of. */
export function locateError(error: DatabaseError, { sql, findOrigin }: Statement): Error {
  const start = Math.min(error.offset ?? 0, sql.length);
  const word = /^[\w$]+/.exec(sql.slice(start, start + 200))?.[0] ?? '';
  const origin = findOrigin({ start, end: start + word.length });
  if (origin === null) return error;
  return new StatementError(error, createDiagnostic(origin.rendered.source, origin.span, error.message));
}
