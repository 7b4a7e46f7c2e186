import { DatabaseError, type DatabaseErrorCode } from '../../engine/connection/contract/connection.ts';
import { ArrowLimitError } from '../../engine/result/arrow/column-writer.ts';
import { SheetLimitError } from '../../engine/result/xlsx/sheet-limits.ts';
import { NoQueryError } from '../../engine/run/outcome/answer.ts';
import type { Stopwatch } from '../../engine/run/outcome/clock.ts';
import {
  BlockArgumentError,
  PublicationRaceError,
  UnknownBlockError,
} from '../../engine/run/outcome/errors.ts';
import { SpoolLimitError } from '../../engine/run/outcome/spool.ts';
import { StatementError } from '../../engine/run/outcome/statement-error.ts';
import type { TargetResult } from '../../engine/run/outcome/target-report.ts';
import { SelectionError } from '../../engine/script/graph/select.ts';
import { ParamError } from '../../engine/script/params/params.ts';
import { type Diagnostic, DiagnosticError } from '../../engine/text/diagnostic.ts';
import { toError } from '../../invariants/narrow.ts';
import { flagOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { Stop } from './cancellation.ts';
import { BusyError, LimitError, LostError, PausedError } from './errors.ts';
import type { ExecutionError, ExecutionErrorCode, ExecutionOutcome } from './outcome.ts';
import { SinkError } from './outlet.ts';

const CODE_OF_DATABASE: Readonly<Record<DatabaseErrorCode, ExecutionErrorCode>> = {
  sql: 'sql',
  late: 'sql',
  cancelled: 'cancelled',
  unreachable: 'unreachable',
  locked: 'locked',
  login: 'login',
  full: 'full',
  quota: 'quota',
  // For a statement; a publication reports more details.
  conflict: 'sql',
  gate: 'gate',
  level: 'level',
  refused: 'script',
};

const CODE_OF_ERROR: readonly (readonly [type: new (...args: never[]) => Error, code: ExecutionErrorCode])[] =
  [
    [ArrowLimitError, 'sql'],
    [SheetLimitError, 'sql'],
    [SpoolLimitError, 'limit'],
    [NoQueryError, 'limit'],
    [LimitError, 'limit'],
    [SelectionError, 'selection'],
    [BusyError, 'busy'],
    [LostError, 'lost'],
  ];

type FailedOutcome = Extract<ExecutionOutcome, { readonly status: 'failed' }>;

/** Builds the outcome of an execution that fails now; `targets` are those of the publications that have ended. */
export function failed(
  watch: Stopwatch,
  error: ExecutionError,
  targets: readonly TargetResult[] = [],
): FailedOutcome {
  return { status: 'failed', stats: watch.read(), error, ...(targets.length > 0 && { targets }) };
}

/**
 * Converts an error into the form that the caller of the execution receives. Throws unknown errors again, as internal
 * errors.
 */
export function toExecutionError(error: unknown, stop: Pick<Stop, 'reason'>): ExecutionError {
  const reason = stop.reason();
  if (error instanceof SinkError) return createError('output', error.message);
  if (reason !== null) return createError(reason.code, reason.message);
  if (isQuota(error)) return { ...createError('quota', error.message), note: FULL_NOTE };
  if (error instanceof StatementError) {
    const { note } = error;
    const located = createError(CODE_OF_DATABASE[error.cause.code], error.message, [error.diagnostic]);
    return note === undefined ? located : { ...located, note };
  }
  if (error instanceof DatabaseError) return createError(CODE_OF_DATABASE[error.code], error.message);
  if (error instanceof DiagnosticError || error instanceof ParamError) return toScriptError(error);
  const known = CODE_OF_ERROR.find(([type]) => error instanceof type);
  if (known !== undefined) return createError(known[1], toError(error).message);
  if (error instanceof UnknownBlockError) {
    return { ...createError('selection', error.message), subject: error.subject };
  }
  if (error instanceof BlockArgumentError) {
    return { ...createError('parameter', error.message), subject: error.subject };
  }
  if (error instanceof PausedError) {
    return { ...createError('paused', error.message), retryAfter: error.retryAfter };
  }
  if (isDiskFull(error)) return createError('full', 'no space is left for temporary files');
  throw error;
}

/** Converts the error of a script that cannot run. */
export function toScriptError(error: DiagnosticError | ParamError): ExecutionError {
  if (error instanceof ParamError) return createError('parameter', error.message);
  const code = error instanceof PublicationRaceError ? 'conflict' : 'script';
  return createError(code, error.message, error.diagnostics);
}

function createError(
  code: ExecutionErrorCode,
  message: string,
  diagnostics: readonly Diagnostic[] = [],
): ExecutionError {
  return { code, message, diagnostics, stuck: false };
}

/** Advice for a full database. */
const FULL_NOTE = `Delete rows or drop tables; an administrator can run \`quern admin compact\`, or start the server with a greater \`${flagOf(SETTINGS.execDisk)}\``;

function isQuota(error: unknown): error is Error {
  const cause = error instanceof StatementError ? error.cause : error;
  return cause instanceof DatabaseError && cause.code === 'quota';
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC';
}
