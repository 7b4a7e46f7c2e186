import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Sqlite from 'better-sqlite3';
import fastify from 'fastify';

// bare-catalog HOME TOKEN PATH KIND READS: responds to every request with the item at PATH, which has three names. It only
// reads SQLite, in a handler of Fastify (KIND `fastify`) or of Node (`node`). The reads are those of an authorized response
// without a cache (READS `all`), or with a full cache (`kept`). Prints its port.
const [home = '', token = '', path = '', kind = 'fastify', reads = 'all'] = process.argv.slice(2);
const connection = new Sqlite(`${home}/catalog.db`, { readonly: true });

interface Row {
  readonly id: string;
  readonly name: string;
  readonly owner_id: string;
  readonly description: string;
  readonly type: string;
  readonly revision: number;
  readonly content: string;
  readonly created_at: string;
  readonly updated_at: string;
}

const prepare = (sql: string) => connection.prepare<unknown[], Row>(sql);
const acting = prepare(`
  SELECT id, owner_id, read_only, expires_at, last_used_at,
         (SELECT user_name FROM users WHERE id = owner_id AND active = 1) AS user_name,
         (SELECT super_user FROM users WHERE id = owner_id) AS super_user,
         (SELECT role FROM users WHERE id = owner_id) AS role
  FROM tokens WHERE hash = ?
`);
const [begin, commit, version] = ['BEGIN', 'COMMIT', 'PRAGMA user_version'].map(prepare);
const mark = prepare('PRAGMA data_version');
const child = prepare('SELECT id FROM catalog_items WHERE parent_id = ? AND name = ?');
const item = prepare('SELECT * FROM catalog_items WHERE id = ?');
const rights = prepare(`
  WITH mine (subject) AS (
    SELECT ? UNION ALL SELECT group_id FROM group_members WHERE user_id = ? UNION ALL SELECT 'everyone'
  )
  SELECT place.key AS depth, item.id, item.restricted, grants.level,
         grants.user_id, users.user_name, grants.group_id, groups.name AS group_name
  FROM json_each(?) AS place CROSS JOIN catalog_items AS item ON item.id = place.value
  LEFT JOIN grants ON grants.item_id = item.id
    AND coalesce(grants.user_id, grants.group_id, 'everyone') IN (SELECT subject FROM mine)
  LEFT JOIN users ON users.id = grants.user_id
  LEFT JOIN groups ON groups.id = grants.group_id
  WHERE item.restricted = 1 OR grants.level IS NOT NULL
  ORDER BY depth
`);
const content = prepare('SELECT content FROM catalog_contents WHERE item_id = ?');

const [namespace, folderName, itemName] = path.split('/');
const tokenHash = hash('sha256', token);
const owner = acting.get(tokenHash)!.owner_id;
const root = prepare('SELECT id FROM catalog_items WHERE parent_id IS NULL AND name = ?').get(namespace)!.id;
const folder = child.get(root, folderName)!.id;
const { id } = child.get(folder, itemName)!;
const chain = JSON.stringify([root, folder, id]);
const { revision, name, description, type, created_at, updated_at } = item.get(id)!;
const data = { content: content.get(id)!.content };
const body = { name, description, path, type, data, created_at, updated_at };

const read = reads === 'all' ? readAll : readKept;

function readAll(): void {
  acting.get(tokenHash);
  begin!.run();
  version!.get();
  child.get(root, folderName);
  child.get(folder, itemName);
  item.get(id);
  rights.all(owner, owner, chain);
  content.get(id);
  commit!.run();
}

function readKept(): void {
  mark.get();
  begin!.run();
  mark.get();
  item.get(id);
  content.get(id);
  commit!.run();
}

if (kind === 'fastify') {
  const app = fastify();
  app.get('/*', (_request, reply) => {
    read();
    reply.header('etag', `"${revision}"`);
    return reply.send(body);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  print(app.server.address());
} else {
  const server = createServer((_request, response) => {
    read();
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('etag', `"${revision}"`);
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1', () => print(server.address()));
}

function print(address: AddressInfo | string | null): void {
  console.log((address as AddressInfo).port);
}
