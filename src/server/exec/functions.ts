import { type Static, Type } from 'typebox';
import { FunctionSchema } from '../../workspace/functions/database-function.ts';
import { FunctionLists } from '../../workspace/functions/function-lists.ts';
import type { FunctionRow } from '../../workspace/functions/function-queries.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import type { Executions } from '../../workspace/runs/executions.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { askDatabase } from './ask-database.ts';

const FunctionsSchema = Type.Object(
  { data: Type.Immutable(Type.Array(FunctionSchema)) },
  { title: 'FunctionList' },
);
export type FunctionListResponse = Static<typeof FunctionsSchema>;

/** `GET /manage/connections/{name}/functions`: for the completion of editors; needs READ on the connection. */
export function addFunctions(app: App, { connections }: Instance, executions: Executions): void {
  const lists = new FunctionLists(() => new Date());
  const schema = {
    tags: ['connections'],
    summary: 'List the functions of a connection',
    operationId: 'listFunctions',
    scope: 'read',
    description:
      'Lists the functions that SQL on a connection can call, with their signatures and descriptions where the database has them; of a semantic connection, those of Semantic SQL. The list of a database is kept for ten minutes.',
    example: { parameters: { name: 'duckdb' } },
    params: Type.Object({ name: Type.String() }),
    response: { 200: FunctionsSchema, ...listFailures(403, 404, 422, 502, 504) },
  };
  app.get('/manage/connections/:name/functions', { schema }, async (request, reply) => {
    const { name } = request.params;
    const connection = connections.get(request.principal, name);
    const data = await lists.list(connection, (text) =>
      askDatabase<FunctionRow>(executions, request, reply, { connection: name, name: 'functions', text }),
    );
    return { data };
  });
}
