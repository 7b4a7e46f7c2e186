import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Sqlite from 'better-sqlite3';
import fastify from 'fastify';
import { openInstance } from '../../src/workspace/instance.ts';

// bare-catalog HOME TOKEN PATH KIND: answers every request with the item at PATH, for which it makes the very reads of
// SQLite that a server makes for one with TOKEN, and nothing else, in a handler of Fastify (KIND `fastify`) or of Node
// (`node`). Prints its port.
const [home = '', token = '', path = '', kind = 'fastify'] = process.argv.slice(2);

type Method = 'get' | 'all' | 'run';
type Read = readonly [sql: string, method: Method, values: readonly unknown[]];

const reads: Read[] = [];
const { prepare } = Sqlite.prototype;
Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
  const statement = prepare.call(this, sql);
  for (const method of ['get', 'all', 'run'] as const) {
    const run = statement[method].bind(statement) as (...values: readonly unknown[]) => unknown;
    statement[method] = ((...values: readonly unknown[]) => {
      reads.push([sql, method, values]);
      return run(...values);
    }) as never;
  }
  return statement;
} as typeof prepare;

const instance = openInstance({ home });
const principal = instance.authenticate(token, { address: null, requestId: null });
if (principal === null) throw new Error('the token is good for nothing');
reads.length = 0;
instance.authenticate(token, { address: null, requestId: null });
const { body, revision } = await instance.as(principal).catalog.get(path);
const recorded = [...reads];
instance.close();
Sqlite.prototype.prepare = prepare;

const connection = new Sqlite(`${home}/catalog.db`, { readonly: true });
const steps = recorded.map(([sql, method, values]) => {
  const statement = connection.prepare(sql);
  return () => statement[method](...values);
});
const read = () => {
  for (const step of steps) step();
};

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
