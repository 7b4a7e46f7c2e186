import { TEAM } from './cast.ts';
import { AUTHENTICATED, EDITORS, item, type Line, statusesOf, VIEWERS } from './matrix-lines.ts';

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
];
