import type { ConnectionFile } from '../engine/connection/contract/kind.ts';
import { semanticKind } from '../engine/connection/semantic-kind.ts';
import type { ConnectionLevel } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { toTimestamp } from '../store/values/clock.ts';
import { type ConnectionFields, checkNewConnection, type NewConnection } from './body.ts';
import { checkBinding, mayChangeModels } from './bound-models.ts';
import type { ConnectionBody, ConnectionKindBody } from './connection-body.ts';
import type { ConnectionContext, ConnectionServiceOptions } from './context.ts';
import { connectionErrors } from './errors.ts';
import { getConnection, getOwnConnection, listConnections } from './find-connection.ts';
import {
  type ConnectionRecord,
  listFiles,
  listKinds,
  listRefused,
  namesFile,
  toConnectionBody,
  withoutFiles,
} from './record.ts';
import { type ConnectionRequest, type ResolvedConnection, resolveConnection } from './resolve.ts';
import { resolveSemantic, type SemanticConnection } from './resolve-semantic.ts';
import { createConnectionStore } from './store.ts';

/**
 * The connections of a home, as their callers see them (docs/reference/permissions.md#connections). Names are
 * case-sensitive. All methods throw `ServiceError`: 404 for an unknown name, 403 without the right to read or manage it.
 * Only administrators see which files of the machine a connection opens. Each call is one transaction, or part of the
 * current one.
 */
export interface ConnectionService {
  /** Lists the connections that the caller may read, by name. */
  list(principal: Principal): readonly ConnectionBody[];
  /** The levels on the connections that the caller may read, by name. */
  listLevels(principal: Principal): ReadonlyMap<string, ConnectionLevel>;
  get(principal: Principal, name: string): ConnectionBody;
  /**
   * Creates a connection. Throws 400 for an invalid field, 409 for an existing name, and a HomeError `key` when secrets
   * cannot be stored. Without `folder`, only administrators may name files (403).
   */
  create(principal: Principal, fields: ConnectionFields, folder?: string): ConnectionBody;
  /** Like `create`, but replaces a connection of the same name with its secrets. Throws 422 for `duckdb`. */
  replace(principal: Principal, fields: ConnectionFields, folder?: string): ConnectionBody;
  /** Throws 422 for `duckdb`. */
  delete(principal: Principal, name: string): void;
  /** The id of a connection that the caller manages, for its grants. */
  locate(principal: Principal, name: string): string;
  /** The name of an existing connection, by its id; checks no rights. */
  printName(id: string): string;
  /** The files that the drivers of all connections open; checks no rights. */
  listFiles(): readonly ConnectionFile[];
  /** What this version would refuse in a connection that an earlier one has stored, for a message. */
  listRefused(principal: Principal, name: string): readonly string[];
  /** Resolves the connection of a run. Also throws like `resolveConnection`. */
  resolve(principal: Principal, request: ConnectionRequest): ResolvedConnection;
  /** See `mayChangeModels`. */
  mayChangeModels(
    principal: Principal,
    change: { readonly path: string; readonly withBelow: boolean },
  ): boolean;
  /** All kinds of connections, with their options. */
  listKinds(): readonly ConnectionKindBody[];
  /** Whether any semantic connection exists; checks no rights. */
  hasSemantic(): boolean;
  /** The model of a semantic connection. Also throws like `resolveSemantic`. */
  resolveSemantic(principal: Principal, name?: string): SemanticConnection;
}

/** A remote caller who is not an administrator may not choose which files of the machine are opened. */
function checkFiles(principal: Principal, connection: NewConnection, folder: string | undefined): void {
  const isFar = folder === undefined && !principal.superUser;
  if (isFar && namesFile(connection)) throw connectionErrors.mayNotNameFiles();
}

/**
 * The connections of an open database. `folder` is the base of relative paths in options; undefined: paths must be
 * absolute.
 */
export function createConnectionService(options: ConnectionServiceOptions): ConnectionService {
  const { database, audit, announcements } = options;
  const store = createConnectionStore(database);
  const context: ConnectionContext = { ...options, store };
  const toBody = (principal: Principal, record: ConnectionRecord) =>
    toConnectionBody(principal.superUser ? record : withoutFiles(record), [
      ...store.readSecrets(record.id).keys(),
    ]);

  return {
    list: (principal) =>
      database.read(() => listConnections(context, principal).map((one) => toBody(principal, one))),
    listLevels: (principal) =>
      database.read(() => {
        const levelOf = options.permissions.levels(principal);
        return new Map(listConnections(context, principal).map(({ id, name }) => [name, levelOf(id)]));
      }),
    get: (principal, name) =>
      database.read(() => toBody(principal, getConnection(context, principal, name, 'READ'))),
    create: (principal, fields, folder) => {
      const connection = checkNewConnection(fields, folder);
      return database.write(() => {
        const record = createConnection(context, principal, connection);
        checkFiles(principal, connection, folder);
        checkBinding(context, principal, connection);
        audit.record(principal, { action: 'connection.create', object: record.name });
        return toBody(principal, record);
      });
    },
    replace: (principal, fields, folder) => {
      const connection = checkNewConnection(fields, folder);
      return database.write(() => {
        const record = replaceConnection(context, principal, connection);
        checkFiles(principal, connection, folder);
        checkBinding(context, principal, connection);
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
        // Its grants are deleted with it.
        announcements.announce({ kind: 'grant-changed' });
      }),
    listFiles: () => database.read(() => store.list().flatMap(listFiles)),
    listRefused: (principal, name) =>
      database.read(() => listRefused(getConnection(context, principal, name, 'READ'))),
    locate: (principal, name) => database.read(() => getConnection(context, principal, name, 'MANAGE').id),
    printName: (id) => database.read(() => store.getName(id)),
    resolve: (principal, request) => database.read(() => resolveConnection(context, principal, request)),
    mayChangeModels: (principal, change) => database.read(() => mayChangeModels(context, principal, change)),
    listKinds,
    hasSemantic: () => database.read(() => store.listOfKind(semanticKind.kind).length > 0),
    resolveSemantic: (principal, name) => database.read(() => resolveSemantic(context, principal, name)),
  };
}

const MAX_CONNECTIONS = 1_000;

/** Stores a new connection; the caller holds the transaction. Throws 403, 409 for an existing name, 422. */
function createConnection(
  context: ConnectionContext,
  principal: Principal,
  connection: NewConnection,
): ConnectionRecord {
  const { store, permissions, newId, clock } = context;
  if (!permissions.mayCreate(principal)) throw connectionErrors.mayNotCreate();
  if (store.findByName(connection.name) !== undefined) throw connectionErrors.exists(connection.name);
  if (store.count() >= MAX_CONNECTIONS) throw connectionErrors.tooMany(MAX_CONNECTIONS);
  const now = toTimestamp(clock());
  const record = {
    ...toStored(connection),
    id: newId(),
    revision: 1,
    creatorId: principal.userId,
    createdAt: now,
    updatedAt: now,
  };
  store.insert(record);
  permissions.create(principal, record.id);
  storeSecrets(context, record.id, connection.secrets);
  return record;
}

/**
 * Replaces the connection of this name and all its secrets, or stores a new one; the caller holds the transaction.
 * Throws 403, 422.
 */
function replaceConnection(
  context: ConnectionContext,
  principal: Principal,
  connection: NewConnection,
): ConnectionRecord {
  const { store, clock } = context;
  if (store.findByName(connection.name) === undefined)
    return createConnection(context, principal, connection);
  const { id, revision, creatorId, createdAt } = getOwnConnection(context, principal, connection.name);
  const updatedAt = toTimestamp(clock());
  const record = { ...toStored(connection), id, revision: revision + 1, creatorId, createdAt, updatedAt };
  store.update(record);
  storeSecrets(context, id, connection.secrets);
  return record;
}

function toStored({ secrets: _, ...stored }: NewConnection): Omit<NewConnection, 'secrets'> {
  return stored;
}

function storeSecrets(
  { store, secrets }: ConnectionContext,
  id: string,
  values: NewConnection['secrets'],
): void {
  const inUse = store.listOtherKeys(id);
  const sealed = Object.entries(values).map(([name, secret]) => {
    return [name, secrets.seal(secret, { owner: id, name }, inUse)] as const;
  });
  store.writeSecrets(id, new Map(sealed));
}
