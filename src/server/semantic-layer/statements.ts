import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { codegenQuery, GeneratedStatementsSchema, statementsBody } from './schemas.ts';

/**
 * `POST /semantic-layer/codegen/statements`: SQL from Semantic SQL (docs/reference/semantic-http.md#sql-of-statements).
 */
export function addStatements(app: App, { semantic }: Instance): void {
  const schema = {
    tags: ['semantic layer'],
    summary: 'Generate SQL from Semantic SQL',
    operationId: 'generateStatements',
    scope: 'read',
    description: 'Generates SQL for the connection’s platform from Semantic SQL. The SQL is not run.',
    example: { body: { connection_name: 'shop', sql: 'SELECT MEASURE(orders) FROM orders' } },
    querystring: codegenQuery.schema,
    body: statementsBody.schema,
    response: { 200: GeneratedStatementsSchema, ...listFailures(400, 403, 413, 415, 422) },
  };
  app.post('/semantic-layer/codegen/statements', { schema }, async (request) => {
    const { strict, explain } = codegenQuery.read(request.query);
    const { connectionName: name, sql } = statementsBody.read(request.body);
    const target = { kind: 'connection', name } as const;
    const text = { source: { name: 'sql', text: sql }, params: {}, strict };
    const statements = await semantic.codegenSql(request.principal, target, text);
    return { statements: explain ? statements : statements.map((statement) => ({ sql: statement.sql })) };
  });
}
