import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Executions, ServedRequest } from '../../workspace/runs/executions.ts';
import { printExecution, printLocation } from './print-execution.ts';
import { answerResult } from './result-response.ts';
import { toServiceError } from './to-service-error.ts';

/** Maximum seconds of the preference `wait`. */
const MAX_WAIT = 60;

/**
 * Starts an asynchronous execution and sends its location (RFC 7240, `respond-async`). When it ends within `wait`
 * seconds, sends the response of a synchronous request instead and deletes the execution.
 */
export async function answerLater(
  executions: Executions,
  request: FastifyRequest,
  reply: FastifyReply,
  served: ServedRequest,
  wait: number,
): Promise<void> {
  const { principal } = request;
  const started = await executions.start(principal, served);
  if (started.status === 'failed') throw toServiceError(started.error);
  const { id } = started;
  if (wait > 0) await executions.whenEnded(id, Math.min(wait, MAX_WAIT) * 1_000);
  const execution = executions.get(principal, id);
  if (wait > 0 && execution.ended_at !== null) {
    await answerResult(executions, request, reply, id).finally(() => executions.cancel(principal, id));
    return;
  }
  reply
    .code(202)
    .header('retry-after', 1)
    .header('location', printLocation(id))
    .header('preference-applied', 'respond-async')
    .send(printExecution(execution));
}
