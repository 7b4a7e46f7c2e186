import type { FastifyReply, FastifyRequest } from 'fastify';
import { printTestBody } from '../../engine/run/outcome/test-report.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { elementAt, entryOf } from '../../invariants/must.ts';
import type { ServedTarget } from '../../workspace/api/target.ts';
import type { RunRequest, WorkRequest } from '../../workspace/api/workspace-api.ts';
import type { Executions } from '../../workspace/runs/executions.ts';
import { serverErrors } from '../http/errors.ts';
import { readPreferences } from '../http/prefer.ts';
import { execErrors } from './errors.ts';
import { execQuery } from './fields.ts';
import { type AnswerFormat, CONTENT_TYPES } from './formats.ts';
import { printExecution, printExecutionLocation } from './print-execution.ts';
import { beginAnswer, type ResponseBody } from './response.ts';
import { answerResult } from './result-response.ts';
import { toServiceError } from './to-service-error.ts';

const FORMATS = Object.keys(CONTENT_TYPES) as readonly AnswerFormat[];

/** The format of each media type, in order of preference. */
const FORMAT_OF_TYPE: ReadonlyMap<string, AnswerFormat> = new Map(
  FORMATS.map((format) => [toMediaType(format), format] as const),
);

/**
 * Runs what a body asks for and sends its result in one of the formats `offered` (default: all), either synchronously or
 * asynchronously, as the header `Prefer` says (docs/reference/exec-async.md).
 */
export async function answerExecution(
  executions: Executions,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: WorkRequest<ServedTarget>,
  offered?: readonly AnswerFormat[],
): Promise<void> {
  const { numbers, results } = execQuery.read(request.query);
  const { respondAsync, wait } = readPreferences(request);
  const encoder = numbers === undefined ? {} : { numbers };
  if (results === 'all') {
    if (!respondAsync || offered !== undefined) throw execErrors.onlyAsync();
    const recorded = { ...asked, format: 'arrow', encoder, recordsAll: true } as const;
    await answerLater(executions, request, reply, recorded, 0);
    return;
  }
  const run = { ...asked, format: chooseFormat(request, offered), encoder };
  if (respondAsync) await answerLater(executions, request, reply, run, wait);
  else await answerAtOnce(executions, request, reply, run);
}

/**
 * Chooses the format that a request's `Accept` prefers; JSON without a preference (docs/reference/exec.md#responses).
 * Throws 406.
 */
function chooseFormat(request: FastifyRequest, offered = FORMATS): AnswerFormat {
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*') return 'json';
  const named = FORMAT_OF_TYPE.get(accept);
  if (named !== undefined && offered.includes(named)) return named;
  const types = [...FORMAT_OF_TYPE.keys()].filter((type) => offered.includes(entryOf(FORMAT_OF_TYPE, type)));
  const type = request.accepts().type(types);
  const format = typeof type === 'string' ? FORMAT_OF_TYPE.get(type) : undefined;
  if (format === undefined) throw serverErrors.notAcceptable(offered.map(toMediaType).join(', '));
  return format;
}

function toMediaType(format: AnswerFormat): string {
  return elementAt(CONTENT_TYPES[format].split(';', 1), 0);
}

/**
 * Streams rows, or sends test results. When the client disconnects, the execution is cancelled. An error becomes an
 * error response as long as no byte was sent; later, it closes the connection.
 */
async function answerAtOnce(
  executions: Executions,
  request: FastifyRequest,
  reply: FastifyReply,
  run: RunRequest<ServedTarget> & { readonly format: AnswerFormat },
): Promise<void> {
  const { format } = run;
  const gone = new AbortController();
  reply.raw.once('close', () => reply.raw.writableFinished || gone.abort());
  let answer: ResponseBody | undefined;
  const open = (startedAt: string) => {
    answer = beginAnswer(request, reply, { format, startedAt });
    return answer;
  };
  try {
    const outcome = await executions.run(request.principal, run, open, gone.signal);
    if (outcome.status === 'failed') throw toServiceError(outcome.error, outcome.targets);
    (answer ?? beginEmpty(request, reply, outcome, format)).end();
  } catch (error) {
    answer?.breakOff();
    const { aborted } = gone.signal;
    if (answer?.hasBegun !== true && !aborted) throw error;
    const reason = error instanceof ServiceError ? { refusal: error.status } : { err: error };
    if (!aborted || 'err' in reason)
      request.log.warn({ request_id: request.id, ...reason }, 'the response was cut off');
    // The connection is closed: no response is possible.
    if (answer?.hasBegun !== true) reply.hijack();
  }
}

/** The response of an execution that has sent nothing: without a result set, or with tests in another format than JSON. */
function beginEmpty(
  request: FastifyRequest,
  reply: FastifyReply,
  { tests, stats, ...findings }: Extract<ExecutionOutcome, { status: 'done' }>,
  format: AnswerFormat,
): ResponseBody {
  const startedAt = stats.started_at;
  if (tests === null) return beginAnswer(request, reply, { format, startedAt });
  const body = beginAnswer(request, reply, { format: 'json', startedAt });
  body.write(Buffer.from(printTestBody(tests, stats, findings)));
  return body;
}

/** Maximum seconds of the preference `wait`. */
const MAX_WAIT = 60;

/**
 * Starts an asynchronous execution and sends its location (RFC 7240, `respond-async`). When it ends within `wait`
 * seconds, sends the response of a synchronous request instead and deletes the execution.
 */
async function answerLater(
  executions: Executions,
  request: FastifyRequest,
  reply: FastifyReply,
  run: RunRequest<ServedTarget>,
  wait: number,
): Promise<void> {
  const { principal } = request;
  const started = await executions.start(principal, run);
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
    .header('location', printExecutionLocation(id))
    .header(
      'preference-applied',
      [reply.getHeader('preference-applied') ?? [], 'respond-async'].flat().join(', '),
    )
    .send(printExecution(execution));
}
