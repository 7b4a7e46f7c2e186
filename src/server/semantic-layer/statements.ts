import { getString, readString, readSwitch, toFields } from '../../errors/fields.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { CodegenQuery, GeneratedStatementsSchema, StatementsSchema } from './schemas.ts';

/** `POST /semantic-layer/codegen/statements`: the SQL of a text of Semantic SQL (semantic SQL 4; strict, explain). */
export function addStatements(app: App): void {
  const schema = {
    tags: ['semantic layer'],
    summary: 'Turn Semantic SQL into SQL, which is not run',
    querystring: CodegenQuery,
    body: StatementsSchema,
    response: { 200: GeneratedStatementsSchema, ...listFailures(400, 403, 413, 415, 422) },
  };
  app.post('/semantic-layer/codegen/statements', { schema }, async (request) => {
    const options = toFields(request.query);
    const strict = readSwitch(options, 'strict', 'Strict') ?? false;
    const explain = readSwitch(options, 'explain', 'Explain') ?? false;
    const body = toFields(request.body);
    const connection = readString(body, 'connection_name', 'Connection name') || undefined;
    const sql = getString(body, 'sql', 'SQL query');
    const text = { source: { name: 'sql', text: sql }, params: {} };
    const statements = await request.api.semantic.codegenSql({ connection, text, strict });
    return { statements: explain ? statements : statements.map((own) => ({ sql: own.sql })) };
  });
}
