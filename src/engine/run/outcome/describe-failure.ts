import { DatabaseError } from '../../connection/contract/connection.ts';
import { type Diagnostic, DiagnosticError } from '../../text/diagnostic.ts';
import { StatementError } from './statement-error.ts';

/** What reports say of a test that could not run, or of a target that could not be published. */
export interface Failure {
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** As `findFailure`, but throws errors that end the whole run. */
export function describeFailure(error: unknown): Failure {
  const failure = findFailure(error);
  if (failure === null) throw error;
  return failure;
}

/**
 * Describes an error, with only the database's message (docs/reference/testing.md#results-as-json). Returns null for
 * errors that are not about one test or target: a cancellation or an internal error.
 */
export function findFailure(error: unknown): Failure | null {
  const cause = error instanceof StatementError ? error.cause : error;
  if (cause instanceof DatabaseError && cause.code === 'cancelled') return null;
  if (error instanceof StatementError) return { message: error.message, diagnostics: [error.diagnostic] };
  if (error instanceof DatabaseError) return { message: error.message, diagnostics: [] };
  if (!(error instanceof DiagnosticError)) return null;
  return { message: error.diagnostics[0]?.message ?? error.message, diagnostics: error.diagnostics };
}
