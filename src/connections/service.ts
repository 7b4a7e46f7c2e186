import { semanticKind } from '../engine/connection/semantic-kind.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { checkNewConnection, type NewConnection } from './body.ts';
import { checkBinding, mayChangeModels } from './bound-models.ts';
import type { ConnectionContext, ConnectionServiceOptions } from './context.ts';
import { connectionErrors } from './errors.ts';
import { getConnection, getOwnConnection, listConnections } from './find-connection.ts';
import { createConnection, replaceConnection } from './put-connection.ts';
import {
  type ConnectionBody,
  type ConnectionRecord,
  hideFiles,
  type KindBody,
  listKinds,
  namesFile,
  toConnectionBody,
} from './record.ts';
import { type ConnectionRequest, type ResolvedConnection, resolveConnection } from './resolve.ts';
import { resolveSemantic, type SemanticConnection } from './resolve-semantic.ts';
import { createConnectionStore } from './store.ts';

/**
 * The connections of a home, as their callers see them (interface 2.4; identity 2). Names are compared exactly. All
 * throw `ServiceError`: 404 for an unknown name, 403 for one that the caller may not use or manage. Which files of the
 * machine a connection opens is shown to administrators alone. Each call is one transaction, or part of the one that is
 * under way.
 */
export interface ConnectionService {
  /** Those that the caller may use, by name. */
  list(principal: Principal): readonly ConnectionBody[];
  get(principal: Principal, name: string): ConnectionBody;
  /**
   * Makes a connection of a request's body. Throws 400 for a body that is none, 409 for a name that is taken; a
   * HomeError `key` where secrets cannot be kept. Without a folder, only administrators may name files: 403.
   */
  create(principal: Principal, body: unknown, folder?: string): ConnectionBody;
  /** As `create`, but puts it in place of one of its name, secrets and all. Throws 422 for `duckdb`. */
  replace(principal: Principal, body: unknown, folder?: string): ConnectionBody;
  /** Throws 422 for `duckdb`. */
  delete(principal: Principal, name: string): void;
  /** The id of a connection that the caller manages: what grants there are about. */
  locate(principal: Principal, name: string): string;
  /** The name of a connection that there is by its id, whoever asks. */
  printName(id: string): string;
  /** What a run on a connection needs. Throws also as `resolveConnection` does. */
  resolve(principal: Principal, request: ConnectionRequest): ResolvedConnection;
  /** As `mayChangeModels`. */
  mayChangeModels(
    principal: Principal,
    change: { readonly path: string; readonly withBelow: boolean },
  ): boolean;
  /** What connections can be made of. */
  listKinds(): readonly KindBody[];
  /** Whether there is a semantic connection, whoever may use it. */
  hasSemantic(): boolean;
  /** The model that a semantic connection stands for. Throws also as `resolveSemantic` does. */
  resolveSemantic(principal: Principal, name?: string): SemanticConnection;
}

/** Who is not at the machine itself does not choose which of its files are opened, unless it is an administrator. */
function checkFiles(principal: Principal, given: NewConnection, folder: string | undefined): void {
  const isFar = folder === undefined && !principal.superUser;
  if (isFar && namesFile(given)) throw connectionErrors.mayNotNameFiles();
}

/** The connections of an open database. `folder` is where relative paths in a body begin, if there may be any. */
export function createConnectionService(options: ConnectionServiceOptions): ConnectionService {
  const { database, audit, announcements } = options;
  const store = createConnectionStore(database);
  const context: ConnectionContext = { ...options, store };
  const toBody = (principal: Principal, record: ConnectionRecord) =>
    toConnectionBody(principal.superUser ? record : hideFiles(record), [
      ...store.readSecrets(record.id).keys(),
    ]);

  return {
    list: (principal) =>
      database.read(() => listConnections(context, principal).map((one) => toBody(principal, one))),
    get: (principal, name) =>
      database.read(() => toBody(principal, getConnection(context, principal, name, 'USE'))),
    create: (principal, body, folder) => {
      const given = checkNewConnection(body, folder);
      return database.write(() => {
        const record = createConnection(context, principal, given);
        checkFiles(principal, given, folder);
        checkBinding(context, principal, given);
        audit.record(principal, { action: 'connection.create', object: record.name });
        return toBody(principal, record);
      });
    },
    replace: (principal, body, folder) => {
      const given = checkNewConnection(body, folder);
      return database.write(() => {
        const record = replaceConnection(context, principal, given);
        checkFiles(principal, given, folder);
        checkBinding(context, principal, given);
        const action = record.revision === 1 ? 'connection.create' : 'connection.replace';
        audit.record(principal, { action, object: record.name });
        return toBody(principal, record);
      });
    },
    delete: (principal, name) =>
      database.write(() => {
        const record = getOwnConnection(context, principal, name);
        store.delete(record.id);
        audit.record(principal, { action: 'connection.delete', object: record.name });
        // The grants on it are gone with it.
        announcements.announce({ kind: 'grant-changed' });
      }),
    locate: (principal, name) => database.read(() => getConnection(context, principal, name, 'MANAGE').id),
    printName: (id) => database.read(() => store.getName(id)),
    resolve: (principal, request) => database.read(() => resolveConnection(context, principal, request)),
    mayChangeModels: (principal, change) => database.read(() => mayChangeModels(context, principal, change)),
    listKinds,
    hasSemantic: () => database.read(() => store.listOfKind(semanticKind.kind).length > 0),
    resolveSemantic: (principal, name) => database.read(() => resolveSemantic(context, principal, name)),
  };
}
