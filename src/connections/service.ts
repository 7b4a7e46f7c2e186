import type { ConnectionSpec } from '../engine/connection/contract/connection.ts';
import type { ConnectionFile } from '../engine/connection/contract/kind.ts';
import { semanticKind } from '../engine/connection/semantic-kind.ts';
import { checkIfMatch } from '../errors/if-match.ts';
import type { ConnectionLevel } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { toTimestamp } from '../store/values/clock.ts';
import { type ConnectionFields, checkNewConnection, type NewConnection } from './body.ts';
import { checkBinding, mayChangeModels } from './bound-models.ts';
import {
  type ConnectionChanges,
  isSame,
  listKeptSecrets,
  listSet,
  mergeChanges,
} from './change-connection.ts';
import type { ConnectionBody, ConnectionKindBody } from './connection-body.ts';
import type { ConnectionContext, ConnectionServiceOptions } from './context.ts';
import { connectionErrors } from './errors.ts';
import {
  type ConnectionSearch,
  getConnection,
  getOwnConnection,
  listConnections,
  searchConnections,
} from './find-connection.ts';
import {
  type ConnectionRecord,
  listFiles,
  listKinds,
  listRefused,
  namesFile,
  toConnectionBody,
  withoutFiles,
} from './record.ts';
import {
  type ConnectionRequest,
  openUnsaved,
  type ResolvedConnection,
  resolveConnection,
} from './resolve.ts';
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
  /** Those that match, by name: a page, and the number on all pages. Throws 400 for an invalid limit. */
  search(principal: Principal, search: ConnectionSearch): ConnectionPage;
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
  /**
   * Changes some settings of a connection; its other settings and secrets stay. `ifMatch` is the header, with the
   * revision; without a change, the revision stays. Throws 428 and 412 as `checkIfMatch`, 400 for an invalid change, also
   * when secrets would stay with another account (`listKeptSecrets`), and 422 for `duckdb`.
   */
  change(
    principal: Principal,
    name: string,
    ifMatch: string | undefined,
    changes: ConnectionChanges,
    folder?: string,
  ): ConnectionBody;
  /**
   * The connection of a test, which stores nothing: a stored one of its name, which the caller manages, lends the
   * secrets that are left out (`listKeptSecrets`). Throws 400 as `create`, 403 for a new name unless the caller may
   * create connections, and 422 for a semantic one.
   */
  prepareTest(principal: Principal, fields: ConnectionFields, folder?: string): ConnectionSpec;
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

interface ConnectionPage {
  readonly data: readonly ConnectionBody[];
  readonly total: number;
}

/** A remote caller who is not an administrator may not choose which files of the machine are opened. */
function checkFiles(
  principal: Principal,
  connection: Pick<NewConnection, 'kind' | 'options'>,
  folder: string | undefined,
): void {
  const isFar = folder === undefined && !principal.superUser;
  if (isFar && namesFile(connection)) throw connectionErrors.mayNotNameFiles();
}

/**
 * The connections of an open database. `folder` is the base of relative paths in options; undefined: paths must be
 * absolute.
 */
export function createConnectionService(options: ConnectionServiceOptions): ConnectionService {
  const { database } = options;
  const store = createConnectionStore(database);
  const context: ConnectionContext = { ...options, store };
  const toBody: ToBody = (principal, record) =>
    toConnectionBody(principal.superUser ? record : withoutFiles(record), [
      ...store.readSecrets(record.id).keys(),
    ]);

  return {
    list: (principal) =>
      database.read(() => listConnections(context, principal).map((one) => toBody(principal, one))),
    search: (principal, search) =>
      database.read(() => {
        const { data, total } = searchConnections(context, principal, search);
        return { data: data.map((one) => toBody(principal, one)), total };
      }),
    listLevels: (principal) =>
      database.read(() => {
        const levelOf = options.permissions.levels(principal);
        return new Map(listConnections(context, principal).map(({ id, name }) => [name, levelOf(id)]));
      }),
    get: (principal, name) =>
      database.read(() => toBody(principal, getConnection(context, principal, name, 'READ'))),
    ...createChanges(context, toBody),
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

type ToBody = (principal: Principal, record: ConnectionRecord) => ConnectionBody;

/** What changes connections, or uses their secrets. */
function createChanges(
  context: ConnectionContext,
  toBody: ToBody,
): Pick<ConnectionService, 'create' | 'replace' | 'change' | 'prepareTest' | 'delete'> {
  const { database, store, audit, announcements } = context;
  return {
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
    change: (principal, name, ifMatch, changes, folder) =>
      database.write(() => {
        const [record, hasChanged] = changeConnection(context, principal, { name, ifMatch, changes, folder });
        if (hasChanged) audit.record(principal, { action: 'connection.change', object: record.name });
        return toBody(principal, record);
      }),
    prepareTest: (principal, fields, folder) => {
      const connection = checkNewConnection(fields, folder);
      return database.write(() => {
        const spec = prepareTest(context, principal, connection, folder);
        audit.record(principal, { action: 'connection.test', object: connection.name });
        return spec;
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

interface Change {
  readonly name: string;
  readonly ifMatch: string | undefined;
  readonly changes: ConnectionChanges;
  readonly folder: string | undefined;
}

/** Changes a connection, and returns whether it differs; the caller holds the transaction. Throws as `change`. */
function changeConnection(
  context: ConnectionContext,
  principal: Principal,
  { name, ifMatch, changes, folder }: Change,
): readonly [record: ConnectionRecord, hasChanged: boolean] {
  const { store, clock } = context;
  const stored = getOwnConnection(context, principal, name);
  checkIfMatch(ifMatch, stored.revision);
  const connection = mergeChanges(stored, changes, folder);
  const { options = {}, secrets = {} } = changes;
  checkFiles(principal, { kind: stored.kind, options: listSet(options) }, folder);
  checkBinding(context, principal, connection);
  const kept = listKeptSecrets(context, stored, connection, Object.keys(secrets));
  if (isSame(stored, connection) && Object.keys(secrets).length === 0) return [stored, false];
  const { id, revision, creatorId, createdAt } = stored;
  const updatedAt = toTimestamp(clock());
  const record = { ...toStored(connection), id, revision: revision + 1, creatorId, createdAt, updatedAt };
  store.update(record);
  storeSecrets(context, id, connection.secrets, kept);
  return [record, true];
}

/** The specification of a test; the caller holds the transaction. Throws 403, and 400 as `listKeptSecrets`. */
function prepareTest(
  context: ConnectionContext,
  principal: Principal,
  connection: NewConnection,
  folder: string | undefined,
): ConnectionSpec {
  const { name } = connection;
  const isStored = context.store.findByName(name) !== undefined;
  if (!isStored && !context.permissions.mayCreate(principal)) throw connectionErrors.mayNotCreate();
  const stored = isStored ? getConnection(context, principal, name, 'MANAGE') : undefined;
  checkFiles(principal, connection, folder);
  const kept =
    stored === undefined ? [] : listKeptSecrets(context, stored, connection, Object.keys(connection.secrets));
  return openUnsaved(context, { connection, stored, kept });
}

function toStored({ secrets: _, ...stored }: NewConnection): Omit<NewConnection, 'secrets'> {
  return stored;
}

/** Replaces the secrets of a connection, except for those to keep. */
function storeSecrets(
  { store, secrets }: ConnectionContext,
  id: string,
  values: NewConnection['secrets'],
  kept: readonly string[] = [],
): void {
  const stored = [...store.readSecrets(id)].filter(([name]) => kept.includes(name));
  const inUse = [...store.listOtherKeys(id), ...stored.map(([, { keyId }]) => keyId)];
  const sealed = Object.entries(values).map(([name, secret]) => {
    return [name, secrets.seal(secret, { owner: id, name }, inUse)] as const;
  });
  store.writeSecrets(id, new Map([...stored, ...sealed]));
}
