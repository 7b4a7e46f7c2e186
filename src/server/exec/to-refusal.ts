import type { ServiceError } from '../../errors/service-error.ts';
import type { ExecutionFault } from '../../workspace/executions.ts';
import { execErrors } from './errors.ts';

const BY_CODE: Readonly<Record<ExecutionFault['code'], (detail: string) => ServiceError>> = {
  sql: execErrors.refused,
  script: execErrors.refused,
  selection: execErrors.refused,
  limit: execErrors.refused,
  gate: execErrors.refused,
  parameter: execErrors.badParameter,
  conflict: execErrors.conflict,
  cancelled: execErrors.conflict,
  // Nobody reads it: the client is gone.
  output: execErrors.conflict,
  timeout: execErrors.tooLate,
  unreachable: execErrors.connectionFailed,
  login: execErrors.connectionFailed,
  locked: execErrors.connectionFailed,
  full: execErrors.diskFull,
  busy: execErrors.busy,
  lost: execErrors.lost,
};

const BY_SUBJECT: Readonly<
  Record<NonNullable<ExecutionFault['subject']>['kind'], (name: string) => ServiceError>
> = {
  block: execErrors.blockNotFound,
  'missing argument': execErrors.missingArgument,
  'unknown argument': execErrors.unknownArgument,
};

/** What a failed execution is over HTTP; a fault in a text is told with its place and the lines around it. */
export function toRefusal({ code, message, diagnostics, subject }: ExecutionFault): ServiceError {
  if (subject !== undefined) return BY_SUBJECT[subject.kind](subject.name);
  const found = diagnostics.map(
    ({ file, line, column, severity, message: text, frame }) =>
      `${file}:${line}:${column}: ${severity}: ${text}\n${frame}`,
  );
  return BY_CODE[code](found.length === 0 ? message : found.join('\n'));
}
