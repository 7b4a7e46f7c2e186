import { createClock } from '../../engine/run/outcome/clock.ts';
import { startStopwatch } from '../../engine/run/outcome/stopwatch.ts';
import { toStop } from '../contract/cancellation.ts';
import { failed, toExecutionError } from '../contract/execution-error.ts';
import type { ExecutionOutcome } from '../contract/outcome.ts';
import type { Outlet } from '../contract/outlet.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import type { CallConnection } from './call-client.ts';

/** The call for an execution; its final value is an ExecutionOutcome. */
export interface RunCall {
  readonly kind: 'run';
  readonly request: ExecutionRequest;
}

/**
 * Runs one request in the server at the other end of a connection. The server queues it and enforces its deadline;
 * otherwise it behaves like `run` of a host. An execution whose server is lost fails with the code `lost`.
 */
export async function runOnServer(
  connection: CallConnection,
  request: ExecutionRequest,
  outlet: Outlet,
  signal: AbortSignal,
): Promise<ExecutionOutcome> {
  const watch = startStopwatch(createClock());
  outlet.start(watch.startedAt);
  const call: RunCall = { kind: 'run', request };
  try {
    return (await connection.call(call, outlet, signal)) as ExecutionOutcome;
  } catch (error) {
    return failed(watch, toExecutionError(error, toStop(signal)));
  }
}
