import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { toTypeName } from '../../engine/result/columns/type-names.ts';
import type { Recording } from '../../execution/results/async-executions.ts';
import type { ExecutionBody } from '../../workspace/api/execution-body.ts';
import type { Executions } from '../../workspace/runs/executions.ts';
import { defineFields, type Field } from '../fields/define-fields.ts';
import { queryCount, querySwitch, text } from '../fields/kinds.ts';
import { requireJson } from '../http/accept.ts';
import { listFailures } from '../http/error-schema.ts';
import { EXAMPLE_ID } from '../http/operation.ts';
import type { App } from '../http/typed-app.ts';
import { addDownload } from './download.ts';
import { execErrors } from './errors.ts';
import { CONTENT_TYPES } from './formats.ts';
import { printExecution } from './print-execution.ts';
import { ResultParams, readIndex } from './result-params.ts';
import { RecordingSchema, ResultBytesSchema } from './result-schemas.ts';

/** Maximum seconds that a request waits for a change. */
const MAX_WAIT = 30;
/** How long a response waits for further changes after the first one, in milliseconds. */
const GATHER_MS = 50;
/** Maximum bytes of a response. */
const MAX_BYTES = 8 * 1024 ** 2;

const wait: Field<number> = {
  schema: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_WAIT,
      description: 'Maximum seconds to wait for a change. Defaults to 0',
    }),
  ),
  read(fields, key) {
    const seconds = queryCount('Wait', {}).read(fields, key) ?? 0;
    if (seconds > MAX_WAIT) throw execErrors.notBetween('Wait', 0, MAX_WAIT);
    return seconds;
  },
};

const listQuery = defineFields({
  wait,
  after: text(
    'After',
    Type.String({ description: '`version` of an earlier response; waits for a newer one' }),
  ),
  text: querySwitch('Text', 'Whether to return the text that runs'),
});

const bytesQuery = defineFields({
  from: queryCount('From', { minimum: 0, description: 'Offset of the first byte. Defaults to 0' }),
  wait,
});

const ListParams = Type.Object({ id: Type.String() });

/** `/executions/{id}/results`: the recorded results of an execution, readable while it runs. */
export function addRecordedResults(app: App, executions: Executions): void {
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  app.register(async (scope: App) => {
    requireJson(scope);
    addList(scope, executions, stopping.signal);
  });
  addBytes(app, executions, stopping.signal);
  addDownload(app, executions);
}

function addList(app: App, executions: Executions, stopping: AbortSignal): void {
  const schema = {
    tags: ['executions'],
    summary: 'List the results of an execution',
    operationId: 'listExecutionResults',
    scope: 'read',
    description:
      'Lists the result of every statement of an execution with `results=all`, also while it runs. `wait` and `after` wait for a change.',
    example: { parameters: { id: EXAMPLE_ID } },
    params: ListParams,
    querystring: listQuery.schema,
    response: { 200: RecordingSchema, ...listFailures(400, 404) },
  };
  app.get('/executions/:id/results', { schema }, async (request, reply) => {
    const { id } = request.params;
    const { wait: seconds, after, text: withText } = listQuery.read(request.query);
    const find = () => executions.findRecording(request.principal, id);
    const isNew = () => printVersion(find()) !== after;
    if (!isNew()) {
      await waitUntil(isNew, find, createEnd(reply, seconds, stopping));
      if (!hasEnded(find()) && isNew()) await sleep(GATHER_MS);
    }
    const recording = find();
    const body = printRecording(executions.get(request.principal, id), recording);
    return withText ? { ...body, text: recording.text } : body;
  });
}

function addBytes(app: App, executions: Executions, stopping: AbortSignal): void {
  const schema = {
    tags: ['executions'],
    summary: 'Retrieve bytes of a result',
    operationId: 'getExecutionResultBytes',
    scope: 'read',
    description:
      'Retrieves the bytes of the Arrow stream of one result, from an offset to what is there, at most 8 MB. `wait` waits for more bytes, or for the statement to begin.',
    example: { parameters: { id: EXAMPLE_ID, n: 0 } },
    params: ResultParams,
    querystring: bytesQuery.schema,
    response: { 200: ResultBytesSchema, ...listFailures(400, 404, 416) },
  };
  app.get('/executions/:id/results/:n', { schema }, async (request, reply) => {
    const { id, n } = request.params;
    const { from = 0, wait: seconds } = bytesQuery.read(request.query);
    const find = () => executions.findRecording(request.principal, id);
    const index = readIndex(String(n));
    const hasMore = () => {
      const recording = find();
      const result = recording.results.list()[index];
      return result === undefined ? hasEnded(recording) : result.bytes !== from || result.isComplete;
    };
    await waitUntil(hasMore, find, createEnd(reply, seconds, stopping));
    await sendBytes(request, reply, { recording: find(), index, from });
    return reply;
  });
}

function hasEnded({ state }: Recording): boolean {
  return state !== 'queued' && state !== 'running';
}

/** The bytes of a result from `from` on. */
interface Range {
  readonly recording: Recording;
  readonly index: number;
  readonly from: number;
}

/** Throws 404 and 416. */
async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { recording, index, from }: Range,
): Promise<void> {
  const result = recording.results.list()[index];
  if (result === undefined) throw execErrors.resultNotFound(String(index));
  const { bytes, isComplete } = result;
  if (from > bytes) throw execErrors.beyondEnd(from);
  const end = Math.min(bytes, from + MAX_BYTES);
  reply
    .header('content-type', CONTENT_TYPES.arrow)
    .header('content-length', end - from)
    .header('x-result-next', end)
    .header('x-result-complete', String(isComplete && end === bytes));
  const isEmpty = request.method === 'HEAD' || end === from;
  reply.send(isEmpty ? Buffer.alloc(0) : await recording.results.read(index, from, end));
}

/** The end of a request's waiting: its time is over, the client has disconnected, or the server stops. */
function createEnd(reply: FastifyReply, seconds: number, stopping: AbortSignal): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([AbortSignal.timeout(seconds * 1_000), gone.signal, stopping]);
}

/** Waits until `isReached`, at the latest until `end`. Rejects as `isReached` throws. */
async function waitUntil(isReached: () => boolean, find: () => Recording, end: AbortSignal): Promise<void> {
  while (!isReached() && !end.aborted) await find().results.whenChanged(end);
}

/** The version of a recording: it differs after each change. */
function printVersion({ results, state }: Recording): string {
  return `${results.version}-${state}`;
}

/** The recorded results of an execution in responses. */
function printRecording(execution: ExecutionBody, recording: Recording) {
  const { results, targets, schemas, warnings, tests } = recording;
  return {
    execution: printExecution(execution),
    version: printVersion(recording),
    observed_at: new Date().toISOString(),
    data: results.list().map((result, index) => ({
      index,
      kind: result.kind,
      statement: result.statement,
      columns: result.columns.map(({ name, type }) => ({ name, type: toTypeName(type) })),
      rows: result.rows,
      bytes: result.bytes,
      is_complete: result.isComplete,
      is_truncated: result.isTruncated,
      started_at: result.startedAt,
      ended_at: result.endedAt,
    })),
    omitted: results.omitted,
    targets,
    schemas,
    warnings,
    tests,
  };
}
