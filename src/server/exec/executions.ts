import { Type } from 'typebox';
import type { Executions } from '../../workspace/runs/executions.ts';
import { refuseReadOnly } from '../auth/refuse-read-only.ts';
import { listFailures, NoBodySchema, refusal } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { printExecution } from './print-execution.ts';
import { answerResult } from './result-response.ts';
import { AnswerSchema } from './schemas.ts';

const Time = Type.String({ format: 'date-time', examples: ['2026-03-01T12:00:00.000000000Z'] });

const NoTimeYet = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' });

const FailureSchema = Type.Object(
  { status: Type.Integer(), ...refusal },
  { title: 'Failure', description: 'The error of a client that had waited' },
);

/** What there is to say about an execution. */
export const ExecutionSchema = Type.Object(
  {
    id: Type.String(),
    user: Type.String({ description: 'User name' }),
    connection: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Null for scripts that are checked or compiled',
    }),
    name: Type.String({ description: 'The path of a script, a package and its block, or `sql`' }),
    state: Type.Enum(['queued', 'running', 'done', 'failed', 'cancelled']),
    requested_at: Time,
    started_at: NoTimeYet,
    ended_at: NoTimeYet,
    kept_until: NoTimeYet,
    rows: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Of the result' }),
    bytes: Type.Integer({ description: 'Of the answer, so far' }),
    error: Type.Union([FailureSchema, Type.Null()], { description: 'Why it failed or was cancelled' }),
    result: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Where the answer is when it has ended; null where somebody waits for it',
    }),
  },
  { title: 'Execution' },
);

const ListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(ExecutionSchema)) },
  { title: 'ExecutionList' },
);
const Params = Type.Object({ id: Type.String() });

/** The executions that run, wait or are kept: one's own, and those of everybody for administrators. */
export function addExecutions(app: App, executions: Executions): void {
  const list = {
    tags: ['executions'],
    summary: 'List the executions that run, wait or are kept',
    response: { 200: ListSchema },
  };
  app.get('/executions', { schema: list }, async ({ principal }) => ({
    data: executions.list(principal).map(printExecution),
  }));
  const get = {
    tags: ['executions'],
    summary: 'Look at an execution',
    params: Params,
    response: { 200: ExecutionSchema, ...listFailures(404) },
  };
  app.get('/executions/:id', { schema: get }, async ({ principal, params }) =>
    printExecution(executions.get(principal, params.id)),
  );
  const remove = {
    tags: ['executions'],
    summary: 'Cancel an execution, or forget one that has ended',
    params: Params,
    response: { 204: NoBodySchema, ...listFailures(403, 404) },
  };
  app.delete('/executions/:id', { schema: remove, onRequest: refuseReadOnly }, async (request, reply) => {
    executions.cancel(request.principal, request.params.id);
    return reply.code(204).send(undefined);
  });
}

/** The answer of an execution for which nobody waited, in the format that was asked for. */
export function addResults(app: App, executions: Executions): void {
  const schema = {
    tags: ['executions'],
    summary: 'Fetch what an execution came to that nobody waited for',
    params: Params,
    response: { 200: AnswerSchema, ...listFailures(400, 404, 409, 422, 502, 504) },
  };
  app.get('/executions/:id/result', { schema }, async (request, reply) => {
    await answerResult(executions, request, reply, request.params.id);
    return reply;
  });
}
