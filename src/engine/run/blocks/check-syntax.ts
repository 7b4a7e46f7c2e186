import { DatabaseError } from '../../connection/contract/connection.ts';
import { listKnownStatements } from '../../script/compile.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import type { LinkedFile, Package, Program } from '../../script/program/program.ts';
import { createDiagnostic, type Diagnostic, DiagnosticError, type Warn } from '../../text/diagnostic.ts';
import { finishInPieces } from '../../text/finish-in-pieces.ts';
import type { Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import type { SqlDialect } from '../../text/sql-dialect.ts';
import { findErrorOrigin } from '../outcome/statement-error.ts';
import { checkStatements } from './check-text.ts';

/** How long the statements of one check are parsed, in milliseconds. */
const PATIENCE_MS = 2_000;
/** Maximum errors of one check. */
const MAX_ERRORS = 200;

interface SyntaxOptions {
  readonly dialect: SqlDialect;
  readonly lexicalRules: LexicalRules;
  /** Maximum SQL to parse, in bytes. */
  readonly maxBytes: number;
  /** Parses one statement. Rejects with a DatabaseError of code `sql` for a statement that cannot be parsed. */
  readonly parse: (statement: string, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  readonly warn: Warn;
}

/**
 * Finds the statements that cannot be parsed among those to which scripts compile (docs/reference/exec-bundle.md#sql),
 * one by one, so that each error is found. Nothing runs. A statement that needs a value is not parsed. Rejects with the
 * reason of `signal`, and with errors of `parse` that are not about a statement.
 */
export async function findSyntaxErrors(
  program: Program,
  files: readonly (readonly [Package, LinkedFile])[],
  { dialect, lexicalRules, maxBytes, parse, signal, warn }: SyntaxOptions,
): Promise<readonly Diagnostic[]> {
  const end = performance.now() + PATIENCE_MS;
  const statements = listKnownStatements(program, files, { dialect, lexicalRules, now: Date.now() });
  const errors = new Map<string, Diagnostic>();
  let bytes = 0;
  while (errors.size < MAX_ERRORS) {
    const statement = await finishInPieces(takeComplete(statements, lexicalRules, end), signal);
    if (statement === null) break;
    bytes += statement === 'late' ? 0 : Buffer.byteLength(statement.sql);
    if (statement === 'late' || bytes > maxBytes) {
      warn(createUnfinished(statement === 'late' ? `${PATIENCE_MS / 1_000} s` : printSize(maxBytes)));
      break;
    }
    const error = await findError(statement, parse, signal);
    if (error !== null) errors.set(`${error.file}:${error.line}:${error.column}`, error);
  }
  return [...errors.values()];
}

/** The next statement without missing values; null after the last one, `late` if there is no time for it. */
function* takeComplete(
  statements: Iterator<Statement, void, undefined>,
  lexicalRules: LexicalRules,
  end: number,
): Interruptible<Statement | 'late' | null> {
  for (;;) {
    yield;
    const next = statements.next();
    if (next.done === true) return null;
    if (performance.now() >= end) return 'late';
    if (yield* isComplete(next.value, lexicalRules)) return next.value;
  }
}

/** Whether a run would send a statement to the database as it is. */
function* isComplete(statement: Statement, lexicalRules: LexicalRules): Interruptible<boolean> {
  try {
    yield* checkStatements([statement], lexicalRules, () => undefined);
    return true;
  } catch (error) {
    if (error instanceof DiagnosticError) return false;
    throw error;
  }
}

async function findError(
  statement: Statement,
  parse: SyntaxOptions['parse'],
  signal: AbortSignal,
): Promise<Diagnostic | null> {
  try {
    await parse(statement.sql, signal);
    return null;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== 'sql') throw error;
    const origin = findErrorOrigin(error, statement);
    if (origin === null) return null;
    return createDiagnostic(origin.rendered.source, origin.span, error.message, 'sql-syntax');
  }
}

function createUnfinished(limit: string) {
  const message = `the syntax of SQL was checked only for the first ${limit}`;
  return { severity: 'warning', code: 'sql-syntax', message, suggestion: null } as const;
}

function printSize(bytes: number): string {
  return `${bytes / 1024 ** 2} MB`;
}
