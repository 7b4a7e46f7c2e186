import type { Client } from '../../support/http.ts';
import { AUTHENTICATED, type Line, statusesOf } from './matrix-lines.ts';

type Statuses = (done: number) => Line['statuses'];

const connection = { kind: 'postgresql', options: { host: 'localhost', database: 'x', user: 'x' } };
const makeConnection = (admin: Client, id: string) =>
  admin.send('POST', '/manage/connections', { body: { name: id, ...connection } });

/** The lines of the connections. */
export function listConnectionLines(adminOnly: Statuses, adminLooks: Statuses): readonly Line[] {
  return [
    {
      route: 'GET /manage/connections',
      ask: (client) => client.send('GET', '/manage/connections'),
      statuses: statusesOf(AUTHENTICATED, 200, 0),
    },
    {
      route: 'GET /manage/connection-kinds',
      ask: (client) => client.send('GET', '/manage/connection-kinds'),
      statuses: statusesOf(AUTHENTICATED, 200, 0),
    },
    {
      route: 'POST /manage/connections',
      ask: (client, id) => makeConnection(client, id),
      statuses: adminOnly(201),
    },
    {
      route: 'GET /manage/connections/{name}',
      prepare: makeConnection,
      ask: (client, id) => client.send('GET', `/manage/connections/${id}`),
      statuses: adminLooks(200),
    },
    {
      route: 'GET /manage/connections/{name}/functions',
      ask: (client) => client.send('GET', '/manage/connections/duckdb/functions'),
      statuses: statusesOf(AUTHENTICATED, 200, 0),
    },
    {
      route: 'GET /manage/connections/{name}/tables',
      ask: (client) => client.send('GET', '/manage/connections/duckdb/tables'),
      statuses: statusesOf(AUTHENTICATED, 200, 0),
    },
    {
      route: 'PUT /manage/connections/{name}',
      prepare: makeConnection,
      ask: (client, id) => client.send('PUT', `/manage/connections/${id}`, { body: connection }),
      statuses: adminOnly(200),
    },
    {
      route: 'PATCH /manage/connections/{name}',
      prepare: makeConnection,
      ask: (client, id) =>
        client.send('PATCH', `/manage/connections/${id}`, {
          body: { description: 'x' },
          headers: { 'if-match': '*' },
        }),
      statuses: adminOnly(200),
    },
    {
      route: 'POST /manage/connections/test',
      ask: (client, id) =>
        client.send('POST', '/manage/connections/test', {
          body: { name: id, kind: 'duckdb', options: { file: ':memory:' } },
        }),
      statuses: adminOnly(200),
    },
    {
      route: 'GET /manage/connections/{name}/users',
      prepare: makeConnection,
      ask: (client, id) => client.send('GET', `/manage/connections/${id}/users`),
      statuses: adminLooks(200),
    },
    {
      route: 'DELETE /manage/connections/{name}',
      prepare: makeConnection,
      ask: (client, id) => client.send('DELETE', `/manage/connections/${id}`),
      statuses: adminOnly(204),
    },
  ];
}
