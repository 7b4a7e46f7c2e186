import type { Client } from '../../support/http.ts';
import { TEAM } from './cast.ts';
import {
  ADMINISTRATORS,
  AUTHENTICATED,
  EDITORS,
  item,
  type Line,
  MANAGERS,
  statusesOf,
  VIEWERS,
} from './matrix-lines.ts';

/** Revisions of former contents, by the ids of requests. */
const FORMER = new Map<string, number>();

/** Makes an asset with a former content. */
async function makeFormer(admin: Client, id: string): Promise<void> {
  await admin.make('assets', item(id));
  const { headers } = await admin.read(item(id));
  FORMER.set(id, Number(headers.etag!.replaceAll('"', '')));
  await admin.update('assets', item(id), '*', { content: 'later' });
}

/** Items of the bin, by the ids of requests. */
const DELETED = new Map<string, string>();

/** Makes an asset and deletes it. */
async function makeDeleted(admin: Client, id: string): Promise<void> {
  await admin.make('assets', item(id));
  await admin.remove('assets', item(id), '*');
  const { body } = await admin.send('GET', `/manage/deleted?q=${item(id)}`);
  DELETED.set(id, (body as { data: { id: string }[] }).data[0]!.id);
}

/** The routes of the catalog. */
export const CATALOG: readonly Line[] = [
  {
    route: 'GET /catalog/list',
    ask: (client) => client.send('GET', '/catalog/list'),
    statuses: statusesOf(AUTHENTICATED, 200, 0),
  },
  {
    route: 'GET /catalog/list/{path}',
    ask: (client) => client.list(TEAM),
    statuses: statusesOf(VIEWERS, 200, 403),
  },
  {
    route: 'GET /catalog/by-path/{path}',
    prepare: (admin, id) => admin.make('assets', item(id)),
    ask: (client, id) => client.read(item(id)),
    statuses: statusesOf(VIEWERS, 200, 404),
  },
  {
    route: 'POST /catalog/folders',
    ask: (client, id) => client.create('folders', { parent_path: TEAM, name: id }),
    statuses: statusesOf(EDITORS, 201, 404),
  },
  {
    route: 'POST /catalog/assets',
    ask: (client, id) => client.create('assets', { parent_path: TEAM, name: id, content: '' }),
    statuses: statusesOf(EDITORS, 201, 404),
  },
  {
    route: 'PUT /catalog/folders/{path}',
    prepare: (admin, id) => admin.make('folders', item(id)),
    ask: (client, id) => client.update('folders', item(id), '*', { description: 'x' }),
    statuses: statusesOf(EDITORS, 200, 404),
  },
  {
    route: 'PUT /catalog/assets/{path}',
    prepare: (admin, id) => admin.make('assets', item(id)),
    ask: (client, id) => client.update('assets', item(id), '*', { content: 'x' }),
    statuses: statusesOf(EDITORS, 200, 404),
  },
  {
    route: 'DELETE /catalog/folders/{path}',
    prepare: (admin, id) => admin.make('folders', item(id)),
    ask: (client, id) => client.remove('folders', item(id), '*'),
    statuses: statusesOf(EDITORS, 204, 404),
  },
  {
    route: 'DELETE /catalog/assets/{path}',
    prepare: (admin, id) => admin.make('assets', item(id)),
    ask: (client, id) => client.remove('assets', item(id), '*'),
    statuses: statusesOf(EDITORS, 204, 404),
  },
  {
    route: 'GET /manage/search',
    ask: (client) => client.send('GET', '/manage/search?name=team'),
    statuses: statusesOf(AUTHENTICATED, 200, 0),
  },
  {
    route: 'GET /manage/folders/{path}',
    ask: (client) => client.send('GET', `/manage/folders/${TEAM}`),
    statuses: statusesOf(VIEWERS, 200, 403),
  },
  {
    route: 'DELETE /manage/folders/{path}',
    prepare: (admin, id) => admin.make('folders', item(id)),
    ask: (client, id) =>
      client.send('DELETE', `/manage/folders/${item(id)}`, { headers: { 'if-match': '*' } }),
    statuses: statusesOf(EDITORS, 200, 404),
  },
  {
    // Each item has a separate outcome.
    route: 'POST /manage/items/changes',
    prepare: (admin, id) => admin.make('assets', item(id)),
    ask: (client, id) =>
      client.send('POST', '/manage/items/changes', { body: { paths: [item(id)], delete: true } }),
    statuses: statusesOf(AUTHENTICATED, 200, 0),
  },
  {
    route: 'POST /manage/deleted/restore',
    prepare: makeDeleted,
    ask: (client, id) => client.send('POST', '/manage/deleted/restore', { body: { ids: [DELETED.get(id)] } }),
    statuses: statusesOf(AUTHENTICATED, 200, 0),
  },
  {
    route: 'GET /manage/deleted',
    ask: (client) => client.send('GET', '/manage/deleted'),
    statuses: statusesOf(AUTHENTICATED, 200, 0),
  },
  {
    route: 'POST /manage/deleted/{id}/restore',
    prepare: makeDeleted,
    ask: (client, id) => client.send('POST', `/manage/deleted/${DELETED.get(id)}/restore`),
    statuses: statusesOf(ADMINISTRATORS, 200, 404),
  },
  {
    route: 'DELETE /manage/deleted/{id}',
    prepare: makeDeleted,
    ask: (client, id) => client.send('DELETE', `/manage/deleted/${DELETED.get(id)}`),
    statuses: statusesOf(ADMINISTRATORS, 204, 404),
  },
  {
    route: 'GET /manage/revisions/{path}',
    prepare: (admin, id) => admin.make('assets', item(id)),
    ask: (client, id) => client.send('GET', `/manage/revisions/${item(id)}`),
    statuses: statusesOf(VIEWERS, 200, 404),
  },
  {
    route: 'POST /manage/revisions/{path}',
    prepare: makeFormer,
    ask: (client, id) =>
      client.send('POST', `/manage/revisions/${item(id)}`, {
        headers: { 'if-match': '*' },
        body: { revision: FORMER.get(id) },
      }),
    statuses: statusesOf(EDITORS, 200, 404),
  },
  {
    route: 'DELETE /manage/revisions/{path}',
    prepare: makeFormer,
    ask: (client, id) => client.send('DELETE', `/manage/revisions/${item(id)}?revision=${FORMER.get(id)}`),
    statuses: statusesOf(MANAGERS, 204, 404),
  },
];
