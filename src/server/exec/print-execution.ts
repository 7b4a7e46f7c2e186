import { toTargetEntry } from '../../engine/run/outcome/target-report.ts';
import type { ExecutionBody } from '../../workspace/api/execution-body.ts';
import { toErrorFields } from '../http/error-body.ts';
import { execErrors } from './errors.ts';
import { toServiceError } from './to-service-error.ts';

/** The URL path of an execution. */
export function printExecutionLocation(id: string): string {
  return `/api/v1/executions/${id}`;
}

/** An execution in responses, with its targets if there are any. */
export function printExecution(execution: ExecutionBody) {
  const { targets } = execution;
  return {
    ...printListed(execution),
    ...(targets.length > 0 && { targets: targets.map(toTargetEntry) }),
  };
}

/** An execution in lists; `error` is the error that a synchronous request would have returned. */
export function printListed({
  is_kept: isKept,
  is_recorded: isRecorded,
  error,
  targets: _,
  ...execution
}: ExecutionBody) {
  const hasFailed = execution.state === 'failed' || execution.state === 'cancelled';
  const serviceError = error === null ? execErrors.broken() : toServiceError(error);
  return {
    ...execution,
    error: hasFailed
      ? {
          status: serviceError.status,
          ...toErrorFields(serviceError),
          diagnostics: error?.diagnostics ?? [],
        }
      : null,
    result: isKept && !isRecorded ? `${printExecutionLocation(execution.id)}/result` : null,
    results: isRecorded ? `${printExecutionLocation(execution.id)}/results` : null,
  };
}
