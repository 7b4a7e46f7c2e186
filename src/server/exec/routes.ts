import type { Executions } from '../../workspace/executions.ts';
import { keepDigits } from '../../workspace/keep-digits.ts';
import { refuseReadOnly } from '../auth/refuse-read-only.ts';
import { listFailures } from '../http/error-schema.ts';
import { parseJsonBody } from '../http/parse-json-body.ts';
import { requireJson } from '../http/require-json.ts';
import type { App } from '../http/typed-app.ts';
import { answerExecution } from './answer-execution.ts';
import { readBlockBody, readScriptBody, readSqlBody } from './body.ts';
import { addExecutions } from './executions.ts';
import { AnswerSchema, BlockSchema, ExecQuery, ScriptSchema, SqlSchema } from './schemas.ts';

/** How many bytes a body may have. */
const BODY_LIMIT = 16 * 1024 * 1024;

const ROUTES = [
  { url: '/exec/script', summary: 'Run a script', body: ScriptSchema, read: readScriptBody },
  {
    url: '/exec/block',
    summary: 'Run a block or a test of a package',
    body: BlockSchema,
    read: readBlockBody,
  },
  { url: '/exec/sql', summary: 'Run SQL', body: SqlSchema, read: readSqlBody },
];

/** The routes of interface 4.3, and those that show what runs. */
export function addExecRoutes(app: App, executions: Executions): void {
  app.register(async (scope: App) => addRunRoutes(scope, executions));
  app.register(async (scope: App) => {
    requireJson(scope);
    addExecutions(scope, executions);
  });
}

/** What runs may change data, so that none of it is for read-only tokens. */
function addRunRoutes(app: App, executions: Executions): void {
  app.addHook('onRequest', refuseReadOnly);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, bytes: Buffer) => parseJsonBody(bytes, keepDigits),
  );
  for (const { url, summary, body, read } of ROUTES) {
    const response = { 200: AnswerSchema, ...listFailures(400, 403, 404, 409, 413, 415, 422, 502, 504) };
    const schema = { tags: ['executions'], summary, querystring: ExecQuery, body, response };
    app.post(url, { schema, bodyLimit: BODY_LIMIT }, async (request, reply) => {
      await answerExecution(executions, request, reply, read(request.body));
      return reply;
    });
  }
}
