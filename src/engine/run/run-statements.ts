import { type Connection, DatabaseError } from '../connection/connection.ts';
import { type Rendered, toOriginalSpan } from '../script/params.ts';
import { createDiagnostic, type Diagnostic } from '../text/diagnostic.ts';
import type { Span } from '../text/span.ts';
import type { SqlLexis } from '../text/sql-lexis.ts';
import { splitStatements } from '../text/sql-scanner.ts';
import type { Answer } from './answer.ts';
import { checkText } from './check-text.ts';
import { isQuery } from './is-query.ts';

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

export interface StatementsJob {
  readonly connection: Connection;
  readonly rendered: Rendered;
  readonly lexis: SqlLexis;
  readonly answer: Answer;
  readonly signal: AbortSignal;
}

/**
 * Runs every statement of a text, in order; the first result set is the answer (language 9). Throws a
 * DiagnosticError, before anything runs, for a text that `checkText` refuses, and a StatementError at the
 * first statement that the database refuses.
 */
export async function runStatements(job: StatementsJob): Promise<void> {
  const { rendered, lexis } = job;
  const statements = splitStatements(rendered.text, lexis);
  checkText(rendered, statements, lexis);
  const last = statements.at(-1);
  for (const statement of statements) {
    try {
      await runStatement(job, rendered.text.slice(statement.start, statement.end), statement === last);
    } catch (error) {
      throw error instanceof DatabaseError ? locate(error, rendered, statement) : error;
    }
  }
}

async function runStatement(job: StatementsJob, text: string, isLast: boolean): Promise<void> {
  const { connection, answer, lexis, signal } = job;
  if (answer.wantsFile && answer.rows === null && connection.exportParquet && isQuery(text, lexis)) {
    const exportParquet = connection.exportParquet.bind(connection);
    return answer.takeFile((file, maxRows) => exportParquet(text, file, maxRows, signal));
  }
  const result = await connection.run(text, signal);
  if (result.kind === 'done') return;
  if (answer.rows === null) return answer.take(result.columns, result.chunks, isLast);
  for await (const _ of result.chunks);
}

function locate(error: DatabaseError, rendered: Rendered, statement: Span): StatementError {
  const at = statement.start + Math.min(error.offset ?? 0, statement.end - statement.start);
  const word = /^[\w$]+/.exec(rendered.text.slice(at, at + 200))?.[0] ?? '';
  const span = toOriginalSpan(rendered, { start: at, end: Math.min(at + word.length, statement.end) });
  return new StatementError(error, createDiagnostic(rendered.source, span, error.message));
}
