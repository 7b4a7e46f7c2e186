import { type TargetResult, toTargetEntry } from '../../engine/run/outcome/target-report.ts';
import type { ServiceError } from '../../errors/service-error.ts';
import type { ExecutionError } from '../../execution/contract/outcome.ts';
import { execErrors } from './errors.ts';

const BY_CODE: Readonly<
  Record<
    Exclude<ExecutionError['code'], 'level'>,
    (detail: string, retryAfter: number, note: string | undefined) => ServiceError
  >
> = {
  sql: execErrors.sqlError,
  script: execErrors.scriptError,
  selection: execErrors.selectionNotFound,
  limit: execErrors.limitExceeded,
  gate: execErrors.statementNotAllowed,
  parameter: execErrors.parameterInvalid,
  conflict: execErrors.publicationConflict,
  cancelled: execErrors.cancelled,
  // The client has disconnected.
  output: execErrors.clientLeft,
  timeout: execErrors.timeout,
  unreachable: execErrors.unreachable,
  login: execErrors.loginFailed,
  locked: execErrors.databaseLocked,
  full: execErrors.diskFull,
  quota: (detail, _, note) => execErrors.databaseFull(detail, note),
  busy: execErrors.busy,
  paused: execErrors.paused,
  lost: execErrors.lost,
};

const BY_SUBJECT: Readonly<
  Record<NonNullable<ExecutionError['subject']>['kind'], (name: string, explanation: string) => ServiceError>
> = {
  block: execErrors.blockNotFound,
  'missing argument': execErrors.missingArgument,
  'unknown argument': execErrors.unknownArgument,
};

/** The refusal of a statement with its place, in one line. */
function printRefusal(message: string, diagnostics: ExecutionError['diagnostics']): string {
  const places = diagnostics.map(({ file, line, column }) => `${file}:${line}:${column}: `);
  return `${places[0] ?? ''}${message}`;
}

/**
 * Maps a failed execution to an HTTP error, whose body has the targets that it has published or tried to publish, if any.
 * A diagnostic in a source shows its position and the lines around it.
 */
export function toServiceError(error: ExecutionError, targets: readonly TargetResult[] = []): ServiceError {
  const serviceError = chooseError(error);
  if (targets.length > 0) serviceError.fields = { targets: targets.map(toTargetEntry) };
  return serviceError;
}

function chooseError({
  code,
  message,
  diagnostics,
  subject,
  retryAfter = 1,
  note,
}: ExecutionError): ServiceError {
  if (code === 'level') return execErrors.statementNeedsUse(printRefusal(message, diagnostics));
  if (subject !== undefined) return BY_SUBJECT[subject.kind](subject.name, message);
  const texts = diagnostics.map(
    ({ file, line, column, severity, message: text, frame }) =>
      `${file}:${line}:${column}: ${severity}: ${text}\n${frame}`,
  );
  return BY_CODE[code](texts.length === 0 ? message : texts.join('\n'), retryAfter, note);
}
