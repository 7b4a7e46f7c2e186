import type { Principal } from '../identity/principal.ts';
import { checkNewConnection } from './body.ts';
import type { ConnectionContext, ConnectionServiceOptions } from './context.ts';
import { getConnection, getOwnConnection, listConnections } from './find-connection.ts';
import { createConnection, replaceConnection } from './put-connection.ts';
import { type ConnectionBody, type ConnectionRecord, toConnectionBody } from './record.ts';
import { type ConnectionRequest, type ResolvedConnection, resolveConnection } from './resolve.ts';
import { createConnectionStore } from './store.ts';

/**
 * The connections of a home, as their callers see them (interface 2.4; identity 2). Names are compared exactly. All
 * throw `ServiceError`: 404 for an unknown name, 403 for one that the caller may not use or manage. Each call is one
 * transaction, or part of the one that is under way.
 */
export interface ConnectionService {
  /** Those that the caller may use, by name. */
  list(principal: Principal): readonly ConnectionBody[];
  get(principal: Principal, name: string): ConnectionBody;
  /**
   * Makes a connection of a request's body. Throws 400 for a body that is none, 409 for a name that is taken; a
   * HomeError `key` where secrets cannot be kept.
   */
  create(principal: Principal, body: unknown, folder?: string): ConnectionBody;
  /** As `create`, but puts it in place of one of its name, secrets and all. Throws 422 for `duckdb`. */
  replace(principal: Principal, body: unknown, folder?: string): ConnectionBody;
  /** Throws 422 for `duckdb`. */
  delete(principal: Principal, name: string): void;
  /** What a run on a connection needs. Throws also as `resolveConnection` does. */
  resolve(principal: Principal, request: ConnectionRequest): ResolvedConnection;
}

/** The connections of an open database. `folder` is where relative paths in a body begin, if there may be any. */
export function createConnectionService(options: ConnectionServiceOptions): ConnectionService {
  const { database } = options;
  const store = createConnectionStore(database);
  const context: ConnectionContext = { ...options, store };
  const toBody = (record: ConnectionRecord) =>
    toConnectionBody(record, [...store.readSecrets(record.id).keys()]);

  return {
    list: (principal) => database.read(() => listConnections(context, principal).map(toBody)),
    get: (principal, name) => database.read(() => toBody(getConnection(context, principal, name, 'USE'))),
    create: (principal, body, folder) => {
      const given = checkNewConnection(body, folder);
      return database.write(() => toBody(createConnection(context, principal, given)));
    },
    replace: (principal, body, folder) => {
      const given = checkNewConnection(body, folder);
      return database.write(() => toBody(replaceConnection(context, principal, given)));
    },
    delete: (principal, name) =>
      database.write(() => store.delete(getOwnConnection(context, principal, name).id)),
    resolve: (principal, request) =>
      database.read(() => {
        const record = getConnection(context, principal, request.name, 'USE');
        return resolveConnection(context, record, request);
      }),
  };
}
