import type { Client } from '../../support/http.ts';
import { waitUntil } from '../../support/waiting.ts';
import { TEAM } from './cast.ts';
import { CATALOG } from './catalog-matrix.ts';
import { listConnectionLines } from './connection-matrix.ts';
import { BUSY, listExecutions, runBlock, runScript, runSql } from './executing.ts';
import {
  ADMINISTRATORS,
  AUTHENTICATED,
  item,
  type Line,
  MANAGERS,
  READ_ONLY,
  statusesOf,
  VIEWERS,
} from './matrix-lines.ts';
import { listProviderLines } from './saml-matrix.ts';
import { codegen, codegenStatements, makeTeamModel, metadata } from './semantic-shop.ts';

const put = (admin: Client, target: string, body: unknown) => admin.send('PUT', target, { body });
const post = (admin: Client, target: string, body: unknown) => admin.send('POST', target, { body });
const makeUser = (admin: Client, id: string) => post(admin, '/manage/users', { user_name: id });
const makeGroup = (admin: Client, id: string) => post(admin, '/manage/groups', { name: id });
const adminOnly = (done: number) => statusesOf(ADMINISTRATORS, done, 403);
/** An administrator's setting that nothing changes. */
const adminLooks = (done: number) =>
  statusesOf([...ADMINISTRATORS, 'read-only token of the administrator'], done, 403);

const ACCOUNTS: readonly Line[] = [
  {
    route: 'GET /manage/users',
    ask: (client) => client.send('GET', '/manage/users'),
    statuses: adminLooks(200),
  },
  {
    route: 'POST /manage/users',
    ask: (client, id) => makeUser(client, id),
    statuses: adminOnly(201),
  },
  {
    route: 'GET /manage/users/{user_name}',
    ask: (client) => client.send('GET', '/manage/users/viewer'),
    statuses: adminLooks(200),
  },
  {
    route: 'PUT /manage/users/{user_name}',
    prepare: makeUser,
    ask: (client, id) => put(client, `/manage/users/${id}`, { role: 'ADMIN' }),
    statuses: adminOnly(200),
  },
  {
    route: 'DELETE /manage/users/{user_name}',
    prepare: makeUser,
    ask: (client, id) => client.send('DELETE', `/manage/users/${id}`),
    statuses: adminOnly(204),
  },
  {
    route: 'GET /manage/users/{user_name}/sessions',
    ask: (client) => client.send('GET', '/manage/users/viewer/sessions'),
    statuses: adminLooks(200),
  },
  {
    route: 'DELETE /manage/users/{user_name}/sessions',
    prepare: makeUser,
    ask: (client, id) => client.send('DELETE', `/manage/users/${id}/sessions`),
    statuses: adminOnly(204),
  },
  {
    route: 'DELETE /manage/users/{user_name}/sessions/{session_id}',
    ask: (client) => client.send('DELETE', '/manage/users/viewer/sessions/missing'),
    statuses: adminOnly(404),
  },
  {
    route: 'POST /manage/users/changes',
    prepare: makeUser,
    ask: (client, id) => post(client, '/manage/users/changes', { users: [id], end_sessions: true }),
    statuses: adminOnly(200),
  },
  {
    route: 'POST /manage/users/{user_name}/stop',
    prepare: makeUser,
    ask: (client, id) => client.send('POST', `/manage/users/${id}/stop`),
    statuses: adminOnly(200),
  },
  {
    route: 'GET /manage/invitations',
    ask: (client) => client.send('GET', '/manage/invitations'),
    statuses: adminLooks(200),
  },
  {
    // The server has no base URL.
    route: 'POST /manage/invitations',
    ask: (client) => client.send('POST', '/manage/invitations', { body: { user: 'viewer' } }),
    statuses: adminOnly(409),
  },
  {
    route: 'DELETE /manage/invitations/{id}',
    ask: (client) => client.send('DELETE', '/manage/invitations/missing'),
    statuses: adminOnly(404),
  },
  {
    route: 'GET /manage/groups',
    ask: (client) => client.send('GET', '/manage/groups'),
    statuses: adminLooks(200),
  },
  { route: 'POST /manage/groups', ask: (client, id) => makeGroup(client, id), statuses: adminOnly(201) },
  {
    route: 'GET /manage/groups/{name}',
    prepare: makeGroup,
    ask: (client, id) => client.send('GET', `/manage/groups/${id}`),
    statuses: adminLooks(200),
  },
  {
    route: 'PUT /manage/groups/{name}',
    prepare: makeGroup,
    ask: (client, id) => put(client, `/manage/groups/${id}`, { display_name: 'Readers' }),
    statuses: adminOnly(200),
  },
  {
    route: 'GET /manage/groups/{name}/members',
    prepare: makeGroup,
    ask: (client, id) => client.send('GET', `/manage/groups/${id}/members`),
    statuses: adminLooks(200),
  },
  {
    route: 'DELETE /manage/groups/{name}',
    prepare: makeGroup,
    ask: (client, id) => client.send('DELETE', `/manage/groups/${id}`),
    statuses: adminOnly(204),
  },
  {
    route: 'POST /manage/groups/{name}/members',
    prepare: makeGroup,
    ask: (client, id) => post(client, `/manage/groups/${id}/members`, { members: ['viewer'] }),
    statuses: adminOnly(200),
  },
  {
    route: 'DELETE /manage/groups/{name}/members/{user_name}',
    prepare: async (admin, id) => {
      await makeGroup(admin, id);
      await post(admin, `/manage/groups/${id}/members`, { members: ['viewer'] });
    },
    ask: (client, id) => client.send('DELETE', `/manage/groups/${id}/members/viewer`),
    statuses: adminOnly(204),
  },
  {
    route: 'GET /manage/settings',
    ask: (client) => client.send('GET', '/manage/settings'),
    statuses: adminLooks(200),
  },
  {
    route: 'GET /manage/server',
    ask: (client) => client.send('GET', '/manage/server'),
    statuses: adminLooks(200),
  },
  {
    route: 'GET /manage/backups',
    ask: (client) => client.send('GET', '/manage/backups'),
    statuses: adminLooks(200),
  },
  {
    route: 'POST /manage/backups',
    ask: (client) => client.send('POST', '/manage/backups'),
    statuses: adminOnly(202),
  },
  {
    route: 'GET /manage/backups/{name}',
    ask: (client) => client.send('GET', '/manage/backups/missing'),
    statuses: adminOnly(404),
  },
  {
    route: 'DELETE /manage/backups/{name}',
    ask: (client) => client.send('DELETE', '/manage/backups/missing'),
    statuses: adminOnly(404),
  },
  {
    route: 'GET /manage/audit/actions',
    ask: (client) => client.send('GET', '/manage/audit/actions'),
    statuses: adminLooks(200),
  },
  {
    route: 'GET /manage/audit/export',
    ask: (client) => client.send('GET', '/manage/audit/export?action=none'),
    statuses: adminLooks(200),
  },
  {
    route: 'GET /manage/audit',
    ask: (client) => client.send('GET', '/manage/audit'),
    statuses: adminLooks(200),
  },
  {
    route: 'GET /manage/queries',
    ask: (client) => client.send('GET', '/manage/queries'),
    statuses: adminLooks(200),
  },
  {
    route: 'GET /manage/scim/requests',
    ask: (client) => client.send('GET', '/manage/scim/requests'),
    statuses: adminLooks(200),
  },
  {
    route: 'GET /manage/sso/failures',
    ask: (client) => client.send('GET', '/manage/sso/failures'),
    statuses: adminLooks(200),
  },
];

const readsOnly = Object.fromEntries(READ_ONLY.map((role) => [role, 403]));

const TOKENS: readonly Line[] = [
  {
    route: 'GET /me',
    ask: (client) => client.send('GET', '/me'),
    statuses: statusesOf(AUTHENTICATED, 200, 0),
  },
  {
    route: 'GET /manage/tokens',
    ask: (client) => client.send('GET', '/manage/tokens'),
    statuses: statusesOf(AUTHENTICATED, 200, 0),
  },
  {
    route: 'POST /manage/tokens',
    ask: (client, id) => post(client, '/manage/tokens', { name: id }),
    statuses: statusesOf(AUTHENTICATED, 201, 0, readsOnly),
  },
  {
    // Of another user: only administrators may.
    route: 'GET /manage/tokens/{id}',
    prepare: (admin, id) => post(admin, '/manage/tokens', { name: id, owner: 'viewer' }),
    ask: (client, id) => client.send('GET', `/manage/tokens/${id}?owner=viewer`),
    statuses: statusesOf([...ADMINISTRATORS, 'read-only token of the administrator', 'viewer'], 200, 403),
  },
  {
    // Of another user: only administrators may.
    route: 'DELETE /manage/tokens/{id}',
    prepare: (admin, id) => post(admin, '/manage/tokens', { name: id, owner: 'viewer' }),
    ask: (client, id) => client.send('DELETE', `/manage/tokens/${id}?owner=viewer`),
    statuses: statusesOf([...ADMINISTRATORS, 'viewer'], 204, 403),
  },
];

const target = encodeURIComponent(TEAM);
/** A user who sees the target and does not manage it gets 403; the others get 404. */
const managersOnly = (done: number) => statusesOf(MANAGERS, done, 403, { outsider: 404 });
const managersLook = statusesOf([...MANAGERS, 'read-only token of the administrator'], 200, 403, {
  outsider: 404,
});

const GRANTS: readonly Line[] = [
  {
    route: 'GET /manage/grants',
    ask: (client) => client.send('GET', `/manage/grants?target=${target}`),
    statuses: managersLook,
  },
  {
    route: 'PUT /manage/grants',
    ask: (client) =>
      put(client, '/manage/grants', { subject: 'everyone', level: 'VIEW', target: `${TEAM}/open` }),
    prepare: (admin) => admin.create('folders', { parent_path: TEAM, name: 'open' }),
    statuses: managersOnly(200),
  },
  {
    route: 'DELETE /manage/grants',
    prepare: (admin, id) =>
      makeUser(admin, id).then(() =>
        put(admin, '/manage/grants', { subject: `user:${id}`, level: 'VIEW', target: TEAM }),
      ),
    ask: (client, id) => client.send('DELETE', `/manage/grants?subject=user:${id}&target=${target}`),
    statuses: managersOnly(204),
  },
  {
    route: 'POST /manage/grants/restrict',
    prepare: (admin, id) => admin.make('folders', item(id)),
    ask: (client, id) => post(client, '/manage/grants/restrict', { target: item(id) }),
    statuses: managersOnly(200),
  },
  {
    route: 'GET /manage/grants/explain',
    ask: (client) => client.send('GET', `/manage/grants/explain?user=viewer&target=${target}`),
    statuses: managersLook,
  },
  {
    route: 'GET /manage/grants/level',
    ask: (client) => client.send('GET', `/manage/grants/level?target=${target}`),
    statuses: statusesOf(VIEWERS, 200, 404),
  },
  {
    route: 'GET /manage/grants/access',
    ask: (client) => client.send('GET', `/manage/grants/access?target=${target}`),
    statuses: managersLook,
  },
  {
    route: 'GET /manage/grants/levels',
    ask: (client) => client.send('GET', `/manage/grants/levels?subject=everyone&under=${target}`),
    statuses: managersLook,
  },
  {
    route: 'POST /manage/grants/changes',
    prepare: (admin, id) => admin.make('folders', item(id)),
    ask: (client, id) =>
      post(client, '/manage/grants/changes', {
        changes: [{ subject: 'everyone', level: 'VIEW', target: item(id) }],
      }),
    statuses: managersOnly(200),
  },
];

/** Executions that run during their requests, by the ids of requests. */
const executions = new Map<string, string>();

/** Starts a long execution as the administrator, unless one is running. */
async function keepRunning(admin: Client, id: string): Promise<void> {
  const isIdle = (await listExecutions(admin)).length === 0;
  // The server may end before the execution does.
  if (isIdle) runSql(admin, BUSY).catch(() => undefined);
  const { id: running } = await waitUntil(async () => (await listExecutions(admin))[0]);
  executions.set(id, running);
}

/** Starts an asynchronous execution as the administrator, and waits until it has ended. */
async function keepEnded(admin: Client, id: string, query = ''): Promise<void> {
  const { headers } = await admin.send('POST', `/exec/sql${query}`, {
    headers: { prefer: 'respond-async' },
    body: { sql: 'SELECT 1', connection: { name: 'duckdb' } },
  });
  const at = headers.location!.replace('/api/v1', '');
  const isDone = async () => ((await admin.send('GET', at)).body as { state: string }).state === 'done';
  await waitUntil(isDone);
  executions.set(id, at.split('/').at(-1)!);
}

const EXECUTIONS: readonly Line[] = [
  {
    route: 'POST /exec/sql',
    ask: (client) => runSql(client, 'SELECT 1'),
    statuses: statusesOf(AUTHENTICATED, 200, 0, readsOnly),
  },
  {
    route: 'POST /exec/script',
    prepare: (admin, id) => admin.make('assets', item(id)),
    ask: (client, id) => runScript(client, item(id)),
    statuses: statusesOf(VIEWERS, 200, 404, readsOnly),
  },
  {
    route: 'POST /exec/block',
    prepare: async (admin, id) => {
      await admin.make('folders', item(id));
      await admin.make('assets', `${item(id)}/x`, { content: '#+src sql One() #+begin SELECT 1 #+end' });
    },
    ask: (client, id) => runBlock(client, item(id), 'One'),
    statuses: statusesOf(VIEWERS, 200, 404, readsOnly),
  },
  {
    route: 'GET /executions',
    ask: (client) => client.send('GET', '/executions'),
    statuses: statusesOf(AUTHENTICATED, 200, 0),
  },
  {
    // Of another user: only administrators may.
    route: 'GET /executions/{id}',
    prepare: keepRunning,
    ask: (client, id) => client.send('GET', `/executions/${executions.get(id)}`),
    statuses: statusesOf([...ADMINISTRATORS, 'read-only token of the administrator'], 200, 404),
  },
  {
    // Of another user.
    route: 'GET /executions/{id}/result',
    prepare: keepEnded,
    ask: (client, id) => client.send('GET', `/executions/${executions.get(id)}/result`),
    statuses: statusesOf([...ADMINISTRATORS, 'read-only token of the administrator'], 200, 404),
  },
  {
    // Of another user.
    route: 'GET /executions/{id}/results',
    prepare: (admin, id) => keepEnded(admin, id, '?results=all'),
    ask: (client, id) => client.send('GET', `/executions/${executions.get(id)}/results`),
    statuses: statusesOf([...ADMINISTRATORS, 'read-only token of the administrator'], 200, 404),
  },
  {
    // Of another user.
    route: 'GET /executions/{id}/results/{n}',
    prepare: (admin, id) => keepEnded(admin, id, '?results=all'),
    ask: (client, id) => client.send('GET', `/executions/${executions.get(id)}/results/0`),
    statuses: statusesOf([...ADMINISTRATORS, 'read-only token of the administrator'], 200, 404),
  },
  {
    // Of another user.
    route: 'GET /executions/{id}/results/{n}/download',
    prepare: (admin, id) => keepEnded(admin, id, '?results=all'),
    ask: (client, id) =>
      client.send('GET', `/executions/${executions.get(id)}/results/0/download?format=csv`),
    statuses: statusesOf([...ADMINISTRATORS, 'read-only token of the administrator'], 200, 404),
  },
  {
    route: 'POST /exec/bundle',
    ask: (client) => {
      const files = [{ path: 'a.sql', content: 'SELECT 1' }];
      const connection = { name: 'duckdb' };
      return client.send('POST', '/exec/bundle', { body: { what: 'run', path: 'a.sql', files, connection } });
    },
    statuses: statusesOf(AUTHENTICATED, 200, 0, readsOnly),
  },
  {
    route: 'DELETE /executions/{id}',
    prepare: keepRunning,
    ask: (client, id) => client.send('DELETE', `/executions/${executions.get(id)}`),
    statuses: statusesOf(ADMINISTRATORS, 204, 404, readsOnly),
  },
];

const SEMANTIC: readonly Line[] = [
  {
    route: 'GET /semantic-layer/metadata/{connection_name}',
    prepare: makeTeamModel,
    ask: (client) => metadata(client, 'sales'),
    statuses: statusesOf(VIEWERS, 200, 403),
  },
  {
    route: 'POST /semantic-layer/codegen/sql',
    prepare: makeTeamModel,
    ask: (client) => codegen(client, { measures: [{ entity: 'orders', field: 'revenue' }] }),
    statuses: statusesOf(VIEWERS, 200, 403),
  },
  {
    route: 'POST /semantic-layer/codegen/statements',
    prepare: makeTeamModel,
    ask: (client) => codegenStatements(client, 'SELECT revenue FROM orders'),
    statuses: statusesOf(VIEWERS, 200, 403),
  },
];

/** Every route below `/api/v1` and who may use it (docs/reference/permissions.md#what-is-not-permitted). */
export const MATRIX: readonly Line[] = [
  ...CATALOG,
  ...ACCOUNTS,
  ...TOKENS,
  ...listConnectionLines(adminOnly, adminLooks),
  ...GRANTS,
  ...EXECUTIONS,
  ...SEMANTIC,
  ...listProviderLines(adminOnly, adminLooks),
];
