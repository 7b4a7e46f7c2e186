import type { FastifyRequest } from 'fastify';
import { checkScope } from '../../identity/context/account-context.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import type { Executions } from '../../workspace/runs/executions.ts';
import { requireJson } from '../http/accept.ts';
import { listFailures } from '../http/error-schema.ts';
import { inBody, linksTo } from '../http/operation.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { bundleBody, bundleUse, readBundleBody } from './bundle-body.ts';
import { BundleAnswerSchema } from './bundle-schemas.ts';
import { answerExecution } from './execution-response.ts';
import { addExecutions, addResults, ExecutionSchema } from './executions.ts';
import {
  blockBody,
  execQuery,
  readBlockBody,
  readScriptBody,
  readSqlBody,
  scriptBody,
  sqlBody,
} from './fields.ts';
import { addFunctions } from './functions.ts';
import { addRecordedResults } from './results.ts';
import { AnswerSchema, ExecHeaders, listRunFailures } from './schemas.ts';
import { addTables } from './tables.ts';

/** Maximum bytes of a body. */
const BODY_LIMIT = 16 * 1024 * 1024;

const COMMON = {
  tags: ['executions'],
  querystring: execQuery.schema,
  headers: ExecHeaders,
  links: { 202: linksTo(inBody('id'), 'getExecution', 'getExecutionResult', 'deleteExecution') },
};

/** The response to `Prefer: respond-async`. */
const LaterSchema = withHeaders(ExecutionSchema, 'location', 'retry-after', 'preference-applied');

const ROUTES = [
  {
    url: '/exec/script',
    summary: 'Run a script',
    operationId: 'runScript',
    scope: 'query',
    description: 'Runs a script of the catalog. Returns its first result set, or the results of its tests.',
    example: {
      body: { path: '@Shared/reports/monthly', params: { month: '2026-03' }, connection: { name: 'duckdb' } },
    },
    body: scriptBody.schema,
    read: readScriptBody,
  },
  {
    url: '/exec/block',
    summary: 'Run a block or a test of a package',
    operationId: 'runBlock',
    scope: 'query',
    description: 'Runs one block of a script package. Returns its rows, or the test result.',
    example: {
      body: {
        package: '@Shared/shop',
        block_name: 'Orders',
        args: { min: 10 },
        connection: { name: 'duckdb' },
      },
    },
    body: blockBody.schema,
    read: readBlockBody,
  },
  {
    url: '/exec/sql',
    summary: 'Run SQL',
    operationId: 'runSql',
    scope: 'query',
    description:
      'Runs SQL on a connection, or Semantic SQL on a semantic connection. Returns the first result set as JSON, CSV, Arrow or NDJSON.',
    example: { body: { sql: 'SELECT $n AS n', params: { n: 42 }, connection: { name: 'duckdb' } } },
    body: sqlBody.schema,
    read: readSqlBody,
  },
];

/** The error statuses of each route. */
const FAILURES = { ...listFailures(400, 404, 413, 415), ...listRunFailures(403, 409, 422, 502, 504) };

/** The routes that run something (docs/reference/exec.md), and those of executions; none where execution is disabled. */
export function addExecRoutes(app: App, instance: Instance): void {
  const { executions } = instance;
  if (executions === null) return;
  app.register(async (scope: App) => {
    parseExactly(scope);
    scope.register(async (runScope: App) => addRunRoutes(runScope, executions));
    addBundleRoute(scope, executions);
  });
  addResults(app, executions);
  app.register(async (scope: App) => addRecordedResults(scope, executions));
  app.register(async (scope: App) => {
    requireJson(scope);
    addExecutions(scope, executions);
    addTables(scope, instance, executions);
    addFunctions(scope, instance, executions);
  });
}

/** Makes the body parser keep all digits of numbers. */
function parseExactly(app: App): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', (request: FastifyRequest) =>
    app.parseJson(request, { isExact: true }),
  );
}

function addRunRoutes(app: App, executions: Executions): void {
  for (const { url, read, ...described } of ROUTES) {
    const response = { 200: AnswerSchema, 202: LaterSchema, ...FAILURES };
    const schema = { ...COMMON, ...described, response };
    app.post(url, { schema, bodyLimit: BODY_LIMIT }, async (request, reply) => {
      await answerExecution(executions, request, reply, read(request.body));
      return reply;
    });
  }
}

/** Every token with the scope `read` may check and compile. */
function addBundleRoute(app: App, executions: Executions): void {
  const response = { 200: BundleAnswerSchema, 202: LaterSchema, ...FAILURES };
  const schema = {
    ...COMMON,
    summary: 'Run, test, check or compile files',
    operationId: 'runBundle',
    scope: 'read',
    description: 'Runs, tests, checks or compiles files of the request. The files are not stored.',
    example: {
      body: {
        what: 'check',
        files: [{ path: 'a.sql', content: 'SELECT 1' }],
        connection: { name: 'duckdb' },
      },
    },
    body: bundleBody.schema,
    response,
  };
  app.post('/exec/bundle', { schema, bodyLimit: BODY_LIMIT }, async (request, reply) => {
    const { what } = bundleUse.read(request.body);
    const isRun = what === 'run' || what === 'tests';
    if (isRun) checkScope(request.principal, 'query');
    const asked = readBundleBody(request.body);
    await answerExecution(executions, request, reply, asked, isRun ? undefined : ['json']);
    return reply;
  });
}
