import type { ExecutionBody } from '../../workspace/runs/executions.ts';
import { toRefusalBody } from '../http/error-body.ts';
import { execErrors } from './errors.ts';
import { toRefusal } from './to-refusal.ts';

/** The URL path of an execution. */
export function printLocation(id: string): string {
  return `/api/v1/executions/${id}`;
}

/** An execution in responses; `error` is the error that a synchronous request would have returned. */
export function printExecution({ is_kept: isKept, fault, ...execution }: ExecutionBody) {
  const hasFailed = execution.state === 'failed' || execution.state === 'cancelled';
  const refusal = fault === null ? execErrors.broken() : toRefusal(fault);
  return {
    ...execution,
    error: hasFailed ? { status: refusal.status, ...toRefusalBody(refusal) } : null,
    result: isKept ? `${printLocation(execution.id)}/result` : null,
  };
}
