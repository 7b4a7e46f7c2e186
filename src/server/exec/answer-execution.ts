import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors/service-error.ts';
import type { ExecutionOutcome, Executions, ServedRequest } from '../../workspace/executions.ts';
import { printTestBody } from '../../workspace/test-body.ts';
import { readString, toFields } from '../http/fields.ts';
import { type Answer, beginAnswer } from './answer.ts';
import { execErrors } from './errors.ts';
import { type AnswerFormat, chooseFormat } from './formats.ts';
import { toRefusal } from './to-refusal.ts';

/** What a body asks for; the rest of a request is in its headers and its query. */
export type Asked = Omit<ServedRequest, 'format' | 'numbers'>;

/**
 * Runs what a body asks for and answers its rows as they come, or the results of its tests (interface 4.3). A client
 * that goes stops the execution. A fault is a refusal as long as nothing has been sent; later, the connection is cut.
 */
export async function answerExecution(
  executions: Executions,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Asked,
): Promise<void> {
  const format = chooseFormat(request);
  const numbers = readNumbers(request.query);
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  let answer: Answer | undefined;
  const open = (startedAt: string) => {
    answer = beginAnswer(request, reply, { format, startedAt });
    return answer;
  };
  try {
    const outcome = await executions.run(request.principal, { ...asked, format, numbers }, open, gone.signal);
    finish(request, reply, outcome, format, answer);
  } catch (error) {
    answer?.breakOff();
    const { aborted } = gone.signal;
    if (answer?.hasBegun !== true && !aborted) throw error;
    const reason = error instanceof ServiceError ? { refusal: error.status } : { err: error };
    if (!aborted || 'err' in reason)
      request.log.warn({ request_id: request.id, ...reason }, 'the answer broke off');
    // Nobody is there any more who could be answered.
    if (answer?.hasBegun !== true) reply.hijack();
  }
}

function finish(
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: ExecutionOutcome,
  format: AnswerFormat,
  answer: Answer | undefined,
): void {
  if (outcome.status === 'failed') throw toRefusal(outcome.fault);
  const { started_at: startedAt } = outcome.stats;
  if (outcome.tests === null) {
    (answer ?? beginAnswer(request, reply, { format, startedAt })).end();
    return;
  }
  const tests = answer ?? beginAnswer(request, reply, { format: 'json', startedAt });
  if (answer === undefined) tests.write(Buffer.from(printTestBody(outcome.tests, outcome.stats)));
  tests.end();
}

function readNumbers(query: unknown): 'number' | 'string' {
  const numbers = readString(toFields(query), 'numbers', 'Numbers') ?? 'number';
  if (numbers !== 'number' && numbers !== 'string') throw execErrors.notNumbers();
  return numbers;
}
