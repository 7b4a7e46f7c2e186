import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Executions, ServedRequest } from '../../workspace/runs/executions.ts';
import { printExecution, printLocation } from './print-execution.ts';
import { answerResult } from './result-response.ts';
import { toRefusal } from './to-refusal.ts';

/** How long an answer is waited for at most, in seconds, whatever a client prefers. */
const MAX_WAIT = 60;

/**
 * Starts what is asked for, and answers where it can be seen (RFC 7240, `respond-async`): it goes on without the client.
 * One that ends within `wait` seconds is answered as if it had been waited for, and forgotten.
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
  if (started.status === 'failed') throw toRefusal(started.fault);
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
