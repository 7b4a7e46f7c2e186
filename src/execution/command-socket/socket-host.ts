import type { Sink } from '../../engine/result/columns/sink.ts';
import { createClock } from '../../engine/run/outcome/clock.ts';
import type { ExecutionOutcome } from '../contract/outcome.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import { createRegistry } from '../registry/registry.ts';
import { runInTurn } from '../registry/run-in-turn.ts';
import type { CallConnection } from './call-client.ts';

/** The call for an execution; what ends its answer is an ExecutionOutcome. */
export interface RunCall {
  readonly kind: 'run';
  readonly request: ExecutionRequest;
}

/**
 * Runs one request in the server at the other end of a connection, which keeps its deadline; for the rest as the `run` of
 * a host. The fault of an execution whose server is lost has the code `lost`.
 */
export function runOnServer(
  connection: CallConnection,
  request: ExecutionRequest,
  sink: Sink,
  signal: AbortSignal,
): Promise<ExecutionOutcome> {
  const turn = { clock: createClock(), registry: createRegistry(), grace: null };
  const untimed = { ...request, limits: { ...request.limits, timeoutMs: null } };
  return runInTurn(turn, untimed, sink, signal, async ({ sink, cancellation }) => {
    const call: RunCall = { kind: 'run', request };
    return (await connection.call(call, sink, cancellation.signal)) as ExecutionOutcome;
  });
}
