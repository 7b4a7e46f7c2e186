import { type Connection, DatabaseError } from '../../connection/contract/connection.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import type { SourceLocation } from '../../script/params/output.ts';
import { isReplacedOrigin, printParamText } from '../../script/params/params.ts';
import { createDiagnostic, type Diagnostic } from '../../text/diagnostic.ts';
import type { Interruptible } from '../../text/interruptible.ts';

/** An error of a database about one statement, with the position in the author's source. */
export class StatementError extends Error {
  override readonly cause: DatabaseError;
  readonly diagnostic: Diagnostic;
  /** The statement from the position of the error to its end; empty if the database gives no position. */
  readonly remainingSql: string;
  /** The value at the position, if it is that of a parameter. */
  readonly note: string | undefined;

  constructor(cause: DatabaseError, diagnostic: Diagnostic, remainingSql: string, note?: string) {
    super(cause.message, { cause });
    this.cause = cause;
    this.diagnostic = diagnostic;
    this.remainingSql = remainingSql;
    this.note = note;
  }
}

/** The position in the author's source of the error of a rendered statement; null without one. */
export function findErrorOrigin(
  error: DatabaseError,
  { sql, start, findOrigin }: Statement,
): SourceLocation | null {
  const at = Math.min(error.offset ?? start, sql.length);
  const word = /^[\w$]+/.exec(sql.slice(at, at + 200))?.[0] ?? '';
  return findOrigin({ start: at, end: Math.min(at + (error.length ?? word.length), sql.length) });
}

/** Adds the position in the author's source to the error of a rendered statement. */
function locateError(error: DatabaseError, statement: Statement): Error {
  const origin = findErrorOrigin(error, statement);
  if (origin === null) return error;
  return new StatementError(
    error,
    createDiagnostic(origin.rendered.source, origin.span, error.message, 'sql'),
    error.offset === undefined ? '' : statement.sql.slice(error.offset),
    error.offset === undefined ? undefined : describeParam(origin, error.message),
  );
}

/** Longer values are not shown. */
const MAX_VALUE = 60;

/** Names the parameter whose value is at the position of an error; undefined for none. */
function describeParam({ rendered, span }: SourceLocation, message: string): string | undefined {
  const [text, name] = /^'?\$\$?(\w+)/.exec(rendered.source.text.slice(span.start, span.end + 1)) ?? [];
  if (text === undefined || name === undefined) return describeQuoted(rendered, message);
  if (!isReplacedOrigin(rendered, span.start + (text.startsWith("'") ? 1 : 0))) return undefined;
  const given = rendered.values.get(name);
  const value = given === undefined ? null : printParamText(name, given);
  if (value === null || value.length > MAX_VALUE) return undefined;
  const advice = /\bcolumn\b/i.test(message) ? `; for a text, write '$${name}'` : '';
  return `\`$${name}\` is \`${value}\` here${advice}`;
}

/** Names the parameter whose value an error quotes, as one about a cast does. */
function describeQuoted({ values }: SourceLocation['rendered'], message: string): string | undefined {
  const [, quoted] = /'([^']+)'/.exec(message) ?? [];
  const found = [...values].find(([name, value]) => printParamText(name, value) === quoted);
  return found === undefined ? undefined : `\`$${found[0]}\` is \`${quoted}\` here`;
}

/** Adds the position in a script to an error of a database. Rejects with a StatementError. */
export async function locateStatement<T>(statement: Statement, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DatabaseError ? locateError(error, statement) : error;
  }
}

/** Rejects invalid semantic SQL before anything runs. Rejects with a StatementError. */
export async function checkMeaning(
  connection: Connection,
  statement: Statement,
  signal: AbortSignal,
): Promise<void> {
  if (connection.checkMeaning === undefined) return;
  await locateStatement(statement, async () => connection.checkMeaning?.(statement.sql, signal));
}

/** Rejects a statement before anything runs if the session would reject it. Throws a StatementError. */
export function* checkInSandbox(connection: Connection, statement: Statement): Interruptible<void> {
  try {
    if (connection.checkStatement !== undefined) yield* connection.checkStatement(statement.sql);
  } catch (error) {
    throw error instanceof DatabaseError ? locateError(error, statement) : error;
  }
}
