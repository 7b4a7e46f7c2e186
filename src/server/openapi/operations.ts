import { EXAMPLE_ID, type OperationText } from './operation-text.ts';
import { SAML_OPERATIONS } from './saml-operations.ts';
import { SCIM_OPERATIONS } from './scim-operations.ts';

const duckdb = { name: 'duckdb' };
const folder = { path: '@Shared/reports' };
const script = { path: '@Shared/reports/monthly' };
const one = { id: EXAMPLE_ID };
const match = { 'if-match': '*' };

/** The operations by method and path. The examples run against a server in this order. */
export const OPERATIONS: Readonly<Record<string, OperationText>> = {
  'GET /health/live': {
    id: 'checkLiveness',
    description: 'Returns 200 while the process is running. No token is required.',
  },
  'GET /health/ready': {
    id: 'checkReadiness',
    description:
      'Returns 200 when the server accepts requests; `warnings` reports that the engine process is restarting, or that disk space is low. Returns 503 when the catalog cannot be read, the engine process does not start, or the server is stopping. No token is required.',
  },
  'GET /metrics': {
    id: 'getMetrics',
    description: 'Returns metrics of the process, its requests and its executions. For administrators.',
  },

  'GET /api/v1/me': {
    id: 'getMe',
    description:
      'Returns the user and the token of the request, and their rights. Works with any valid token.',
  },

  'GET /api/v1/catalog/list': {
    id: 'listNamespaces',
    description: 'Lists the namespaces of the catalog: `@Personal`, `@Shared` and `@Project Hub`.',
  },
  'POST /api/v1/catalog/folders': {
    id: 'createFolder',
    description: 'Creates a folder or a project folder. The response has its ETag.',
    body: { parent_path: '@Shared', name: 'reports' },
  },
  'POST /api/v1/catalog/assets': {
    id: 'createAsset',
    description:
      'Creates a script. Content with script-language blocks creates a `SERVICE_SCRIPT`; all other content creates a `SQL_SCRIPT`.',
    body: { parent_path: '@Shared/reports', name: 'monthly', content: "SELECT '$month' AS month" },
  },
  'GET /api/v1/catalog/list/{path}': {
    id: 'listFolder',
    description: 'Lists the direct children of a folder that the caller may view.',
    parameters: folder,
  },
  'GET /api/v1/catalog/by-path/{path}': {
    id: 'getAsset',
    description: 'Retrieves a folder, or an asset with its content. The response has its current ETag.',
    parameters: script,
  },
  'PUT /api/v1/catalog/folders/{path}': {
    id: 'updateFolder',
    description: 'Renames, moves or describes a folder. `If-Match` must name its current ETag.',
    parameters: { ...folder, ...match },
    body: { description: 'What the board reads' },
    hasOptionalBody: true,
  },
  'PUT /api/v1/catalog/assets/{path}': {
    id: 'updateAsset',
    description: 'Renames, moves, describes or rewrites an asset. `If-Match` must name its current ETag.',
    parameters: { ...script, ...match },
    body: { content: "SELECT '$month' AS month, 42 AS sales" },
  },

  'GET /api/v1/manage/connection-kinds': {
    id: 'listConnectionKinds',
    description: 'Lists the supported kinds of connections, with the options of each kind.',
  },
  'POST /api/v1/manage/connections': {
    id: 'createConnection',
    description: 'Creates a connection. Its secrets are stored encrypted and never returned.',
    body: {
      name: 'warehouse',
      kind: 'postgresql',
      options: { host: 'db.example.org', user: 'quern', database: 'shop' },
      secrets: { password: 'correct horse' },
    },
  },
  'GET /api/v1/manage/connections': {
    id: 'listConnections',
    description: 'Lists the connections that the caller may use. Secrets are not returned.',
  },
  'GET /api/v1/manage/connections/{name}': {
    id: 'getConnection',
    description: 'Retrieves a connection. Secrets are not returned.',
    parameters: { name: 'warehouse' },
  },
  'GET /api/v1/manage/connections/{name}/tables': {
    id: 'listTables',
    description:
      'Lists the tables and views of a connection with their columns, or the entities and fields of a semantic model, for example for completion. Lists at most 2,000 tables and 50,000 columns.',
    parameters: { name: 'duckdb' },
  },
  'PUT /api/v1/manage/connections/{name}': {
    id: 'putConnection',
    description: 'Replaces a connection with all of its secrets, or creates it.',
    parameters: { name: 'warehouse' },
    body: {
      kind: 'postgresql',
      options: { host: 'db.example.org', user: 'quern', database: 'shop' },
      secrets: { password: 'battery staple' },
    },
  },

  'POST /api/v1/manage/users': {
    id: 'createUser',
    description: 'Creates a user. For administrators.',
    body: { user_name: 'ada', email: 'ada@example.org', display_name: 'Ada Lovelace', role: 'EDITOR' },
  },
  'GET /api/v1/manage/users': {
    id: 'listUsers',
    description: 'Lists the users, sorted by user name. Use `after` for the next page. For administrators.',
    parameters: { limit: 10 },
  },
  'GET /api/v1/manage/users/{user_name}': {
    id: 'getUser',
    description: 'Retrieves a user. For administrators.',
    parameters: { user_name: 'ada' },
  },
  'PUT /api/v1/manage/users/{user_name}': {
    id: 'updateUser',
    description: 'Updates a user. Absent fields stay unchanged. For administrators.',
    parameters: { user_name: 'ada' },
    body: { display_name: 'Ada King', active: true },
  },
  'POST /api/v1/manage/groups': {
    id: 'createGroup',
    description: 'Creates a group. For administrators.',
    body: { name: 'analysts' },
  },
  'GET /api/v1/manage/groups': { id: 'listGroups', description: 'Lists the groups. For administrators.' },
  'GET /api/v1/manage/groups/{name}': {
    id: 'getGroup',
    description: 'Retrieves a group with its members. For administrators.',
    parameters: { name: 'analysts' },
  },
  'POST /api/v1/manage/groups/{name}/members': {
    id: 'addGroupMembers',
    description: 'Adds users to a group. If one user is unknown, none is added.',
    parameters: { name: 'analysts' },
    body: { members: ['ada'] },
  },
  'DELETE /api/v1/manage/groups/{name}/members/{user_name}': {
    id: 'removeGroupMember',
    description: 'Removes a user from a group.',
    parameters: { name: 'analysts', user_name: 'ada' },
  },
  'PUT /api/v1/manage/grants': {
    id: 'putGrant',
    description:
      'Grants a level on content or on a connection. Replaces the subject’s earlier grant on the same target.',
    body: { subject: 'group:analysts', level: 'VIEW', target: '@Shared/reports' },
  },
  'GET /api/v1/manage/grants': {
    id: 'listGrants',
    description: 'Lists the grants on a target. Without a target it lists all grants, for administrators.',
    parameters: { target: '@Shared/reports' },
  },
  'POST /api/v1/manage/grants/restrict': {
    id: 'restrictAsset',
    description:
      'Restricts an item, so that it no longer inherits grants from parent folders; `restricted: false` inherits them again.',
    body: { target: '@Shared/reports', restricted: false },
  },
  'GET /api/v1/manage/grants/explain': {
    id: 'explainGrant',
    description: 'Returns a user’s level on a target, with the reasons.',
    parameters: { user: 'ada', target: '@Shared/reports' },
  },
  'GET /api/v1/manage/grants/level': {
    id: 'getOwnLevel',
    description: 'Returns the caller’s own level on a folder or a script.',
    parameters: { target: '@Shared/reports' },
  },
  'GET /api/v1/manage/grants/access': {
    id: 'listAccess',
    description: 'Lists the active users with a level on a target, with the reasons for it.',
    parameters: { target: '@Shared/reports' },
  },
  'GET /api/v1/manage/search': {
    id: 'searchCatalog',
    description:
      'Searches the catalog by a part of a name, or of a line of a script, without regard to case. Finds only what the caller may view.',
    parameters: { name: 'month' },
  },
  'GET /api/v1/manage/folders/{path}': {
    id: 'countFolder',
    description: 'Counts the folders and scripts below a folder that the caller may view.',
    parameters: folder,
  },
  'GET /api/v1/manage/revisions/{path}': {
    id: 'listRevisions',
    description:
      'Lists the contents of an asset that the catalog keeps, the current one first. With `revision`, returns one of them with its content.',
    parameters: script,
  },
  'POST /api/v1/manage/revisions/{path}': {
    id: 'restoreRevision',
    description:
      'Stores the content of a revision as the next content of the asset. `If-Match` must name its current ETag.',
    parameters: { ...script, ...match },
    body: { revision: 4 },
  },
  'DELETE /api/v1/manage/grants': {
    id: 'deleteGrant',
    description: 'Revokes the grant of a subject on a target.',
    parameters: { subject: 'group:analysts', target: '@Shared/reports' },
  },
  'POST /api/v1/manage/tokens': {
    id: 'createToken',
    description: 'Creates a personal access token. Only this response contains the token value.',
    body: { name: 'dashboard', read_only: true },
  },
  'GET /api/v1/manage/tokens': {
    id: 'listTokens',
    description: 'Lists the caller’s tokens. Administrators may list those of another user.',
  },
  'DELETE /api/v1/manage/tokens/{id}': {
    id: 'deleteToken',
    description: 'Revokes a token by its id or name. Later requests with it return 401.',
    parameters: { id: 'dashboard' },
  },

  'POST /api/v1/exec/sql': {
    id: 'runSql',
    description:
      'Runs SQL on a connection, or Semantic SQL on a semantic connection. Returns the first result set as JSON, CSV, Arrow or NDJSON.',
    body: { sql: 'SELECT $n AS n', params: { n: 42 }, connection: duckdb },
  },
  'POST /api/v1/exec/script': {
    id: 'runScript',
    description: 'Runs a script of the catalog. Returns its first result set, or the results of its tests.',
    body: { ...script, params: { month: '2026-03' }, connection: duckdb },
  },
  'POST /api/v1/exec/block': {
    id: 'runBlock',
    description: 'Runs one block of a script package. Returns its rows, or the test result.',
    body: { package: '@Shared/shop', block_name: 'Orders', args: { min: 10 }, connection: duckdb },
  },
  'POST /api/v1/exec/bundle': {
    id: 'runBundle',
    description: 'Runs, tests, checks or compiles files of the request. The files are not stored.',
    body: { what: 'check', files: [{ path: 'a.sql', content: 'SELECT 1' }], connection: duckdb },
  },
  'GET /api/v1/executions': {
    id: 'listExecutions',
    description:
      'Lists queued, running and stored executions: those of the caller, or of all users for administrators.',
  },
  'GET /api/v1/executions/{id}': {
    id: 'getExecution',
    description: 'Retrieves the state of an execution.',
    parameters: one,
  },
  'GET /api/v1/executions/{id}/result': {
    id: 'getExecutionResult',
    description:
      'Retrieves the result of an asynchronous execution. Returns 409 while it is queued or running.',
    parameters: one,
  },
  'GET /api/v1/executions/{id}/results': {
    id: 'listExecutionResults',
    description:
      'Lists the result of every statement of an execution with `results=all`, also while it runs. `wait` and `after` wait for a change.',
    parameters: one,
  },
  'GET /api/v1/executions/{id}/results/{n}': {
    id: 'getExecutionResultBytes',
    description:
      'Retrieves the bytes of the Arrow stream of one result, from an offset to what is there, at most 8 MB. `wait` waits for more bytes, or for the statement to begin.',
    parameters: { ...one, n: 0 },
  },
  'GET /api/v1/executions/{id}/results/{n}/download': {
    id: 'downloadExecutionResult',
    description:
      'Downloads one complete result as a file. Nothing runs again. Returns 409 while the result is not complete.',
    parameters: { ...one, n: 0, format: 'csv' },
  },
  'DELETE /api/v1/executions/{id}': {
    id: 'deleteExecution',
    description: 'Cancels a queued or running execution, or deletes one that has ended.',
    parameters: one,
  },

  'GET /api/v1/semantic-layer/metadata/{connection_name}': {
    id: 'getSemanticModel',
    description: 'Retrieves the entities, dimensions, measures and relationships of a semantic connection.',
    parameters: { connection_name: 'shop' },
  },
  'POST /api/v1/semantic-layer/codegen/sql': {
    id: 'generateSql',
    description: 'Generates SQL for the connection’s platform from a semantic query. The SQL is not run.',
    body: { connection_name: 'shop', query: { measures: [{ entity: 'orders', field: 'orders' }] } },
  },
  'POST /api/v1/semantic-layer/codegen/statements': {
    id: 'generateStatements',
    description: 'Generates SQL for the connection’s platform from Semantic SQL. The SQL is not run.',
    body: { connection_name: 'shop', sql: 'SELECT MEASURE(orders) FROM orders' },
  },

  ...SAML_OPERATIONS,

  'GET /api/v1/manage/audit': {
    id: 'listAuditEntries',
    description: 'Lists the entries of the audit log, newest first. For administrators.',
    parameters: { limit: 10 },
  },
  'GET /api/v1/manage/queries': {
    id: 'listQueries',
    description: 'Lists the entries of the query log, newest first. For administrators.',
    parameters: { limit: 10 },
  },

  ...SCIM_OPERATIONS,

  'DELETE /api/v1/manage/revisions/{path}': {
    id: 'purgeRevision',
    description:
      'Removes a former content of an asset from the catalog permanently; its entry stays in the history. The current content cannot be purged.',
    parameters: { ...script, revision: 4 },
  },
  'DELETE /api/v1/catalog/assets/{path}': {
    id: 'deleteAsset',
    description: 'Deletes an asset. `If-Match` must name its current ETag.',
    parameters: { ...script, ...match },
  },
  'DELETE /api/v1/catalog/folders/{path}': {
    id: 'deleteFolder',
    description: 'Deletes an empty folder. `If-Match` must name its current ETag.',
    parameters: { ...folder, ...match },
  },
  'DELETE /api/v1/manage/folders/{path}': {
    id: 'deleteFolderTree',
    description:
      'Deletes a folder with everything in it. If one of the items may not be deleted, nothing is deleted.',
    parameters: { path: '@Shared/shop', ...match },
  },
  'DELETE /api/v1/manage/connections/{name}': {
    id: 'deleteConnection',
    description: 'Deletes a connection. Its database is not changed.',
    parameters: { name: 'warehouse' },
  },
  'DELETE /api/v1/manage/groups/{name}': {
    id: 'deleteGroup',
    description: 'Deletes a group. The users in it are not deleted.',
    parameters: { name: 'analysts' },
  },
  'DELETE /api/v1/manage/users/{user_name}': {
    id: 'deleteUser',
    description: 'Deletes a user with their tokens and their `@Personal` folder. For administrators.',
    parameters: { user_name: 'ada' },
  },
};
