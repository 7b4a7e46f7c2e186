import { type Static, Type } from 'typebox';
import { KnownExecutionSchema } from '../../workspace/api/execution-body.ts';
import type { Executions } from '../../workspace/runs/executions.ts';
import { errorFields, listFailures, NoBodySchema } from '../http/error-schema.ts';
import { EXAMPLE_ID, inBody, linksTo } from '../http/operation.ts';
import type { App } from '../http/typed-app.ts';
import { printExecution, printListed } from './print-execution.ts';
import { answerResult } from './result-response.ts';
import { AnswerSchema, DiagnosticSchema, listRunFailures, Targets } from './schemas.ts';

const FailureSchema = Type.Object(
  {
    status: Type.Integer(),
    ...errorFields,
    diagnostics: Type.Immutable(
      Type.Array(DiagnosticSchema, { description: 'Positions in the source, if known' }),
    ),
  },
  { title: 'Failure', description: 'The error that a synchronous request would have returned' },
);

/** An execution in responses. */
export const ExecutionSchema = Type.Object(
  {
    ...KnownExecutionSchema.properties,
    error: Type.Union([FailureSchema, Type.Null()], {
      description: 'Error of a failed or cancelled execution',
    }),
    result: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'URL path of the result, once the execution has ended; null for a synchronous execution, and with `results=all`',
    }),
    results: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'URL path of the results of all statements; null without `results=all`',
    }),
    targets: Targets,
  },
  { title: 'Execution' },
);
export type ExecutionResponse = Static<typeof ExecutionSchema>;

const ListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(ExecutionSchema)) },
  { title: 'ExecutionList' },
);
export type ExecutionListResponse = Static<typeof ListSchema>;
const Params = Type.Object({ id: Type.String() });

/** `/executions`: those of the caller, or of all users for administrators. */
export function addExecutions(app: App, executions: Executions): void {
  const list = {
    tags: ['executions'],
    summary: 'List executions',
    operationId: 'listExecutions',
    scope: 'read',
    description:
      'Lists queued, running and stored executions: those of the caller, or of all users for administrators.',
    links: { 200: linksTo(inBody('id', 'data/0/id'), 'getExecution') },
    response: { 200: ListSchema },
  };
  app.get('/executions', { schema: list }, async ({ principal }) => ({
    data: executions.list(principal).map(printListed),
  }));
  const get = {
    tags: ['executions'],
    summary: 'Retrieve an execution',
    operationId: 'getExecution',
    scope: 'read',
    description: 'Retrieves the state of an execution.',
    example: { parameters: { id: EXAMPLE_ID } },
    params: Params,
    response: { 200: ExecutionSchema, ...listFailures(404) },
  };
  app.get('/executions/:id', { schema: get }, async ({ principal, params }) =>
    printExecution(executions.get(principal, params.id)),
  );
  const remove = {
    tags: ['executions'],
    summary: 'Cancel or delete an execution',
    operationId: 'deleteExecution',
    scope: 'query',
    description: 'Cancels a queued or running execution, or deletes one that has ended.',
    example: { parameters: { id: EXAMPLE_ID } },
    params: Params,
    response: { 204: NoBodySchema, ...listFailures(403, 404) },
  };
  app.delete('/executions/:id', { schema: remove }, async (request, reply) => {
    executions.cancel(request.principal, request.params.id);
    return reply.code(204).send(undefined);
  });
}

/** The result of an asynchronous execution, in the format of its request. */
export function addResults(app: App, executions: Executions): void {
  const schema = {
    tags: ['executions'],
    summary: 'Retrieve the result of an asynchronous execution',
    operationId: 'getExecutionResult',
    scope: 'read',
    description:
      'Retrieves the result of an asynchronous execution. Returns 409 while it is queued or running.',
    example: { parameters: { id: EXAMPLE_ID } },
    params: Params,
    response: { 200: AnswerSchema, ...listFailures(400, 404), ...listRunFailures(409, 422, 502, 504) },
  };
  app.get('/executions/:id/result', { schema }, async (request, reply) => {
    await answerResult(executions, request, reply, request.params.id);
    return reply;
  });
}
