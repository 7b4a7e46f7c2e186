import type { OperationText } from './operation-text.ts';
import { SAML_OPERATIONS } from './saml-operations.ts';

const SCIM_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const SCIM_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const SCIM_PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const SCIM_SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

const duckdb = { name: 'duckdb' };
const folder = { path: '@Shared/reports' };
const script = { path: '@Shared/reports/monthly' };
const ID = '0195f6a2-0000-7000-8000-000000000000';
const one = { id: ID };
const match = { 'if-match': '*' };

/** The operations by method and path, each with an example that runs against a server, in this order. */
export const OPERATIONS: Readonly<Record<string, OperationText>> = {
  'GET /health/live': {
    id: 'checkLiveness',
    description: 'Answers 200 while the process answers at all. It needs no token.',
  },
  'GET /health/ready': {
    id: 'checkReadiness',
    description:
      'Answers 200 when requests are served; `warnings` says that the engine process starts again, or that disk space is low. Answers 503 when the catalog cannot be read, the engine process does not start, or the server stops. It needs no token.',
  },
  'GET /metrics': {
    id: 'getMetrics',
    description: 'Answers figures of the process, its requests and its executions, for administrators.',
  },

  'GET /api/v1/me': {
    id: 'getMe',
    description: 'Says whose token the request carries, and what it may do. Any token may ask.',
  },

  'GET /api/v1/catalog/list': {
    id: 'listNamespaces',
    description:
      'Lists `@Personal`, `@Shared` and `@Project Hub`, under which everything in the catalog lies.',
  },
  'POST /api/v1/catalog/folders': {
    id: 'createFolder',
    description: 'Creates a folder, or the folder of a project. The answer has its ETag.',
    body: { parent_path: '@Shared', name: 'reports' },
  },
  'POST /api/v1/catalog/assets': {
    id: 'createAsset',
    description:
      'Creates a script. Content with blocks of the script language becomes a `SERVICE_SCRIPT`, any other a `SQL_SCRIPT`.',
    body: { parent_path: '@Shared/reports', name: 'monthly', content: "SELECT '$month' AS month" },
  },
  'GET /api/v1/catalog/list/{path}': {
    id: 'listFolder',
    description: 'Lists the direct children of a folder, as far as the caller may view them.',
    parameters: folder,
  },
  'GET /api/v1/catalog/by-path/{path}': {
    id: 'getAsset',
    description: 'Reads a folder or an asset with its content. The answer has its ETag, which changes need.',
    parameters: script,
  },
  'PUT /api/v1/catalog/folders/{path}': {
    id: 'updateFolder',
    description: 'Renames, moves or describes a folder, if `If-Match` names its current ETag.',
    parameters: { ...folder, ...match },
    body: { description: 'What the board reads' },
    hasOptionalBody: true,
  },
  'PUT /api/v1/catalog/assets/{path}': {
    id: 'updateAsset',
    description: 'Renames, moves, describes or rewrites an asset, if `If-Match` names its current ETag.',
    parameters: { ...script, ...match },
    body: { content: "SELECT '$month' AS month, 42 AS sales" },
  },

  'GET /api/v1/manage/connection-kinds': {
    id: 'listConnectionKinds',
    description: 'Lists the kinds of databases that connections may have, with the options of each.',
  },
  'POST /api/v1/manage/connections': {
    id: 'createConnection',
    description: 'Creates a connection under a new name. Its secrets are kept encrypted and never answered.',
    body: {
      name: 'warehouse',
      kind: 'postgresql',
      options: { host: 'db.example.org', user: 'quern', database: 'shop' },
      secrets: { password: 'correct horse' },
    },
  },
  'GET /api/v1/manage/connections': {
    id: 'listConnections',
    description: 'Lists the connections that the caller may use, without their secrets.',
  },
  'GET /api/v1/manage/connections/{name}': {
    id: 'getConnection',
    description: 'Reads a connection, without its secrets.',
    parameters: { name: 'warehouse' },
  },
  'PUT /api/v1/manage/connections/{name}': {
    id: 'putConnection',
    description: 'Replaces a connection and all of its secrets, or creates it.',
    parameters: { name: 'warehouse' },
    body: {
      kind: 'postgresql',
      options: { host: 'db.example.org', user: 'quern', database: 'shop' },
      secrets: { password: 'battery staple' },
    },
  },

  'POST /api/v1/manage/users': {
    id: 'createUser',
    description: 'Creates a user, for administrators.',
    body: { user_name: 'ada', email: 'ada@example.org', display_name: 'Ada Lovelace', role: 'EDITOR' },
  },
  'GET /api/v1/manage/users': {
    id: 'listUsers',
    description: 'Lists the users by user name, for administrators. `after` continues a list.',
    parameters: { limit: 10 },
  },
  'GET /api/v1/manage/users/{user_name}': {
    id: 'getUser',
    description: 'Reads a user, for administrators.',
    parameters: { user_name: 'ada' },
  },
  'PUT /api/v1/manage/users/{user_name}': {
    id: 'updateUser',
    description: 'Changes the fields of a user that are given, for administrators.',
    parameters: { user_name: 'ada' },
    body: { display_name: 'Ada King', active: true },
  },
  'POST /api/v1/manage/groups': {
    id: 'createGroup',
    description: 'Creates a group, for administrators.',
    body: { name: 'analysts' },
  },
  'GET /api/v1/manage/groups': { id: 'listGroups', description: 'Lists the groups, for administrators.' },
  'GET /api/v1/manage/groups/{name}': {
    id: 'getGroup',
    description: 'Reads a group with its members, for administrators.',
    parameters: { name: 'analysts' },
  },
  'POST /api/v1/manage/groups/{name}/members': {
    id: 'addGroupMembers',
    description: 'Adds users to a group: all of them, or none if one is unknown.',
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
      'Grants a level on content or on a connection, in place of the one that the subject has there.',
    body: { subject: 'group:analysts', level: 'VIEW', target: '@Shared/reports' },
  },
  'GET /api/v1/manage/grants': {
    id: 'listGrants',
    description: 'Lists the grants on a target, or all of them for administrators.',
    parameters: { target: '@Shared/reports' },
  },
  'POST /api/v1/manage/grants/restrict': {
    id: 'restrictAsset',
    description:
      'Has only the grants at or below an item count, or with `restricted: false` those above it again.',
    body: { target: '@Shared/reports', restricted: false },
  },
  'GET /api/v1/manage/grants/explain': {
    id: 'explainGrant',
    description: 'Says what a user may do with a target, and for what reasons.',
    parameters: { user: 'ada', target: '@Shared/reports' },
  },
  'DELETE /api/v1/manage/grants': {
    id: 'deleteGrant',
    description: 'Deletes a grant.',
    parameters: { subject: 'group:analysts', target: '@Shared/reports' },
  },
  'POST /api/v1/manage/tokens': {
    id: 'createToken',
    description: 'Creates a personal access token. Only this answer has the token itself.',
    body: { name: 'dashboard', read_only: true },
  },
  'GET /api/v1/manage/tokens': {
    id: 'listTokens',
    description: 'Lists the caller’s tokens, or for administrators those of another user.',
  },
  'DELETE /api/v1/manage/tokens/{id}': {
    id: 'deleteToken',
    description: 'Deletes a token by its id or name. Requests with it are 401 from then on.',
    parameters: { id: 'dashboard' },
  },

  'POST /api/v1/exec/sql': {
    id: 'runSql',
    description:
      'Runs SQL on a connection, Semantic SQL on a semantic one, and answers its first result set, as JSON, CSV, Arrow or NDJSON.',
    body: { sql: 'SELECT $n AS n', params: { n: 42 }, connection: duckdb },
  },
  'POST /api/v1/exec/script': {
    id: 'runScript',
    description:
      'Runs a script of the catalog and answers its first result set, or the results of its tests.',
    body: { ...script, params: { month: '2026-03' }, connection: duckdb },
  },
  'POST /api/v1/exec/block': {
    id: 'runBlock',
    description: 'Runs one block of a package and answers its rows, or the results of its tests.',
    body: { package: '@Shared/shop', block_name: 'Orders', args: { least: 10 }, connection: duckdb },
  },
  'POST /api/v1/exec/bundle': {
    id: 'runBundle',
    description: 'Runs, tests, checks or compiles files that are sent with the request and stored nowhere.',
    body: { what: 'check', files: [{ path: 'a.sql', content: 'SELECT 1' }], connection: duckdb },
  },
  'GET /api/v1/executions': {
    id: 'listExecutions',
    description: 'Lists the executions that run, wait or are kept: the caller’s, or for administrators all.',
  },
  'GET /api/v1/executions/{id}': {
    id: 'getExecution',
    description: 'Reads the state of an execution.',
    parameters: one,
  },
  'GET /api/v1/executions/{id}/result': {
    id: 'getExecutionResult',
    description: 'Reads the answer of an asynchronous execution that has ended; 409 before that.',
    parameters: one,
  },
  'DELETE /api/v1/executions/{id}': {
    id: 'deleteExecution',
    description: 'Cancels an execution that runs or waits, and forgets one that has ended.',
    parameters: one,
  },

  'GET /api/v1/semantic-layer/metadata/{connection_name}': {
    id: 'getSemanticModel',
    description: 'Reads the entities, dimensions, measures and relationships of a semantic connection.',
    parameters: { connection_name: 'shop' },
  },
  'POST /api/v1/semantic-layer/codegen/sql': {
    id: 'generateSql',
    description: 'Turns a semantic query into SQL of the connection’s platform. The SQL is not run.',
    body: { connection_name: 'shop', query: { measures: [{ entity: 'orders', field: 'orders' }] } },
  },
  'POST /api/v1/semantic-layer/codegen/statements': {
    id: 'generateStatements',
    description: 'Turns Semantic SQL into SQL of the connection’s platform. The SQL is not run.',
    body: { connection_name: 'shop', sql: 'SELECT MEASURE(orders) FROM orders' },
  },

  ...SAML_OPERATIONS,

  'GET /api/v1/manage/audit': {
    id: 'listAuditEntries',
    description: 'Lists what was changed and by whom, newest first, for administrators.',
    parameters: { limit: 10 },
  },
  'GET /api/v1/manage/queries': {
    id: 'listQueries',
    description: 'Lists what was run and how it ended, newest first, for administrators.',
    parameters: { limit: 10 },
  },

  'POST /api/v1/scim/v2/Users': {
    id: 'createScimUser',
    description: 'Creates a user, for identity providers.',
    body: {
      schemas: [SCIM_USER],
      userName: 'grace',
      emails: [{ value: 'grace@example.org', primary: true }],
    },
  },
  'GET /api/v1/scim/v2/Users': {
    id: 'listScimUsers',
    description: 'Lists users, by page. A filter other than `userName eq` is ignored.',
    parameters: { filter: 'userName eq "grace"' },
  },
  'GET /api/v1/scim/v2/Users/{id}': {
    id: 'getScimUser',
    description: 'Reads a user.',
    parameters: one,
  },
  'PUT /api/v1/scim/v2/Users/{id}': {
    id: 'replaceScimUser',
    description: 'Replaces a user.',
    parameters: one,
    body: { schemas: [SCIM_USER], userName: 'grace', displayName: 'Grace Hopper' },
  },
  'PATCH /api/v1/scim/v2/Users/{id}': {
    id: 'patchScimUser',
    description: 'Changes attributes of a user: all of the operations, or none.',
    parameters: one,
    body: { schemas: [SCIM_PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] },
  },
  'POST /api/v1/scim/v2/Users/.search': {
    id: 'searchScimUsers',
    description: 'Lists users as a filter in the body asks.',
    body: { schemas: [SCIM_SEARCH], filter: 'userName eq "grace"' },
  },
  'POST /api/v1/scim/v2/Groups': {
    id: 'createScimGroup',
    description: 'Creates a group, for identity providers.',
    body: { schemas: [SCIM_GROUP], displayName: 'Engineers' },
  },
  'GET /api/v1/scim/v2/Groups': {
    id: 'listScimGroups',
    description: 'Lists groups, by page.',
    parameters: { filter: 'displayName eq "Engineers"' },
  },
  'GET /api/v1/scim/v2/Groups/{id}': {
    id: 'getScimGroup',
    description: 'Reads a group with its members.',
    parameters: one,
  },
  'PUT /api/v1/scim/v2/Groups/{id}': {
    id: 'replaceScimGroup',
    description: 'Replaces a group and its members.',
    parameters: one,
    body: { schemas: [SCIM_GROUP], displayName: 'Engineering' },
  },
  'PATCH /api/v1/scim/v2/Groups/{id}': {
    id: 'patchScimGroup',
    description: 'Changes attributes or members of a group: all of the operations, or none.',
    parameters: one,
    body: { schemas: [SCIM_PATCH], Operations: [{ op: 'replace', path: 'displayName', value: 'Engineers' }] },
  },
  'POST /api/v1/scim/v2/Groups/.search': {
    id: 'searchScimGroups',
    description: 'Lists groups as a filter in the body asks.',
    body: { schemas: [SCIM_SEARCH], filter: 'displayName eq "Engineers"' },
  },
  'POST /api/v1/scim/v2/.search': {
    id: 'searchScimResources',
    description: 'Lists users and groups as the body asks.',
    body: { schemas: [SCIM_SEARCH], count: 10 },
  },
  'GET /api/v1/scim/v2/ServiceProviderConfig': {
    id: 'getScimConfiguration',
    description: 'Says which parts of SCIM 2.0 the server has.',
  },
  'GET /api/v1/scim/v2/ResourceTypes': {
    id: 'listScimResourceTypes',
    description: 'Lists the types of resources: users and groups.',
  },
  'GET /api/v1/scim/v2/ResourceTypes/{id}': {
    id: 'getScimResourceType',
    description: 'Reads a type of resources.',
    parameters: { id: 'User' },
  },
  'GET /api/v1/scim/v2/Schemas': {
    id: 'listScimSchemas',
    description: 'Lists the schemas of users and groups.',
  },
  'GET /api/v1/scim/v2/Schemas/{id}': {
    id: 'getScimSchema',
    description: 'Reads a schema.',
    parameters: { id: SCIM_USER },
  },
  'DELETE /api/v1/scim/v2/Users/{id}': {
    id: 'deleteScimUser',
    description: 'Deletes a user with its tokens and its `@Personal`.',
    parameters: one,
  },
  'DELETE /api/v1/scim/v2/Groups/{id}': {
    id: 'deleteScimGroup',
    description: 'Deletes a group; its members stay.',
    parameters: one,
  },

  'DELETE /api/v1/catalog/assets/{path}': {
    id: 'deleteAsset',
    description: 'Deletes an asset, if `If-Match` names its current ETag.',
    parameters: { ...script, ...match },
  },
  'DELETE /api/v1/catalog/folders/{path}': {
    id: 'deleteFolder',
    description: 'Deletes an empty folder, if `If-Match` names its current ETag.',
    parameters: { ...folder, ...match },
  },
  'DELETE /api/v1/manage/connections/{name}': {
    id: 'deleteConnection',
    description: 'Deletes a connection. Its database stays as it is.',
    parameters: { name: 'warehouse' },
  },
  'DELETE /api/v1/manage/groups/{name}': {
    id: 'deleteGroup',
    description: 'Deletes a group; its members stay.',
    parameters: { name: 'analysts' },
  },
  'DELETE /api/v1/manage/users/{user_name}': {
    id: 'deleteUser',
    description: 'Deletes a user with its tokens and all of its `@Personal`.',
    parameters: { user_name: 'ada' },
  },
};
