import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { codegen, codegenQuery, SqlSchema } from './schemas.ts';

/** `POST /semantic-layer/codegen/sql` (docs/reference/semantic-http.md#sql-of-a-semantic-query). */
export function addCodegen(app: App, { semantic }: Instance): void {
  const schema = {
    tags: ['semantic layer'],
    summary: 'Generate SQL from a semantic query',
    operationId: 'generateSql',
    scope: 'read',
    description: 'Generates SQL for the connection’s platform from a semantic query. The SQL is not run.',
    example: {
      body: { connection_name: 'shop', query: { measures: [{ entity: 'orders', field: 'orders' }] } },
    },
    querystring: codegenQuery.schema,
    body: codegen.schema,
    response: { 200: SqlSchema, ...listFailures(400, 403, 413, 415, 422) },
  };
  app.post('/semantic-layer/codegen/sql', { schema }, async (request) => {
    const options = codegenQuery.read(request.query);
    const { connectionName: name, query } = codegen.read(request.body);
    const target = { kind: 'connection', name } as const;
    const answer = await semantic.codegen(request.principal, target, { query, ...options });
    return options.explain ? answer : { sql: answer.sql };
  });
}
