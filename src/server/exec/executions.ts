import { Type } from 'typebox';
import type { Executions } from '../../workspace/executions.ts';
import { refuseReadOnly } from '../auth/refuse-read-only.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';

const Time = Type.String({ format: 'date-time', examples: ['2026-03-01T12:00:00.000000000Z'] });

const ExecutionSchema = Type.Object(
  {
    id: Type.String(),
    user: Type.String({ description: 'User name' }),
    connection: Type.String(),
    name: Type.String({ description: 'The path of a script, a package and its block, or `sql`' }),
    state: Type.Enum(['queued', 'running']),
    requested_at: Time,
    started_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
    bytes: Type.Integer({ description: 'Of the answer, so far' }),
  },
  { title: 'Execution' },
);

const ListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(ExecutionSchema)) },
  { title: 'ExecutionList' },
);
const Params = Type.Object({ id: Type.String() });

/** What runs and waits now: one's own executions, and those of everybody for super-users. */
export function addExecutions(app: App, executions: Executions): void {
  const list = {
    tags: ['executions'],
    summary: 'List the executions that run or wait',
    response: { 200: ListSchema },
  };
  app.get('/executions', { schema: list }, async ({ principal }) => ({ data: executions.list(principal) }));
  const get = {
    tags: ['executions'],
    summary: 'Look at an execution that runs or waits',
    params: Params,
    response: { 200: ExecutionSchema, ...listFailures(404) },
  };
  app.get('/executions/:id', { schema: get }, async ({ principal, params }) =>
    executions.get(principal, params.id),
  );
  const remove = {
    tags: ['executions'],
    summary: 'Cancel an execution',
    params: Params,
    response: { 204: NoBodySchema, ...listFailures(403, 404) },
  };
  app.delete('/executions/:id', { schema: remove, onRequest: refuseReadOnly }, async (request, reply) => {
    executions.cancel(request.principal, request.params.id);
    return reply.code(204).send(undefined);
  });
}
