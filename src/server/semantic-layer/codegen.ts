import { readString, readSwitch, toFields } from '../../errors/fields.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { CodegenQuery, CodegenSchema, SqlSchema } from './schemas.ts';

/** `POST /semantic-layer/codegen/sql` (interface 4.4; semantic 1: strict, explain). */
export function addCodegen(app: App): void {
  const schema = {
    tags: ['semantic layer'],
    summary: 'Turn a question into SQL, which is not run',
    querystring: CodegenQuery,
    body: CodegenSchema,
    response: { 200: SqlSchema, ...listFailures(400, 403, 413, 415, 422) },
  };
  app.post('/semantic-layer/codegen/sql', { schema }, (request) => {
    const options = toFields(request.query);
    const strict = readSwitch(options, 'strict', 'Strict') ?? false;
    const explain = readSwitch(options, 'explain', 'Explain') ?? false;
    const body = toFields(request.body);
    const connection = readString(body, 'connection_name', 'Connection name') || undefined;
    return request.api.semantic.codegen({ connection, query: body.query, strict, explain });
  });
}
