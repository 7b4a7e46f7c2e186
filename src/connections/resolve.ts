import {
  type ConnectionSpec,
  DATABASE_KINDS,
  type RunLevel,
} from '../engine/connection/contract/connection.ts';
import { semanticKind } from '../engine/connection/semantic-kind.ts';
import { isAtLeast } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { checkValue, type NewConnection } from './body.ts';
import type { ConnectionContext } from './context.ts';
import { connectionErrors } from './errors.ts';
import { findPhysical, getConnection } from './find-connection.ts';
import { type ConnectionRecord, findKind, findMaxSessions, listOverrides } from './record.ts';

/** The connection of a run, with its overrides. */
export interface ConnectionRequest {
  readonly name: string;
  readonly overrides: Readonly<Record<string, string>>;
  /** The folder to which the engine may spill. */
  readonly spillFolder: string;
}

/** A connection that can be opened, and the limits of runs on it. */
export interface ResolvedConnection {
  /** The specification, including secrets. */
  readonly spec: ConnectionSpec;
  /** Default timeout of runs; null: no timeout. */
  readonly timeoutMs: number | null;
  /** Who sets the timeout. */
  readonly timeoutSource: string;
  /** Maximum sessions of one run; null: no limit. */
  readonly maxSessions: number | null;
  /** The requested semantic connection, if any; `spec` is then the physical connection. */
  readonly semantic?: string;
}

/**
 * Resolves the connection of a run. A semantic connection resolves to its physical connection with the level READ,
 * whatever the caller may do there; to publish there, the caller needs USE on it. Throws like `getConnection` and
 * `openConnection`, and 422 for a semantic connection that only compiles.
 */
export function resolveConnection(
  context: ConnectionContext,
  principal: Principal,
  request: ConnectionRequest,
): ResolvedConnection {
  const record = getConnection(context, principal, request.name, 'READ');
  if (record.kind !== semanticKind.kind) {
    const isUsed = isAtLeast(context.permissions.levelOf(principal, record.id), 'USE');
    return openConnection(context, record, request, isUsed ? 'USE' : 'READ');
  }
  const { name, timeoutMs } = record;
  const [key] = Object.keys(request.overrides);
  if (key !== undefined) throw connectionErrors.overrideNotAllowed(key);
  const { connection } = record.options;
  if (connection === undefined) throw connectionErrors.onlyCompiles(name);
  const physical = findPhysical(context, connection);
  const { spec, ...limits } = openConnection(context, physical, request, 'READ');
  const mayPublish = isAtLeast(context.permissions.levelOf(principal, physical.id), 'USE');
  const limit = timeoutMs === null ? {} : { timeoutMs, timeoutSource: printSource(name) };
  return { spec: { ...spec, mayPublish }, ...limits, ...limit, semantic: name };
}

/**
 * Builds the specification for a driver, with overrides (docs/reference/connections.md#what-a-connection-allows).
 * Throws 400 for an override that the connection does not allow, 422 for an unknown or semantic kind, and a HomeError
 * `key` for secrets that cannot be decrypted.
 */
function openConnection(
  context: ConnectionContext,
  record: ConnectionRecord,
  { overrides, spillFolder }: ConnectionRequest,
  level: RunLevel,
): ResolvedConnection {
  const { name, timeoutMs } = record;
  const definition = findKind(record.kind);
  if (definition === undefined) throw connectionErrors.kindOfLaterVersion(name, record.kind);
  const { kind, options: known } = definition;
  // A semantic connection cannot be the physical connection of another one.
  if (kind === 'semantic') throw connectionErrors.onlyCompiles(name);
  const allowed = listOverrides(record);
  for (const [key, value] of Object.entries(overrides)) {
    if (!allowed.includes(key)) throw connectionErrors.overrideNotAllowed(key);
    checkValue(value, `Override ${key}`);
  }
  const options = {
    ...record.options,
    ...(known.some(({ isSecret }) => isSecret) ? openSecrets(context, record) : {}),
    ...(kind === 'duckdb' ? { temp_directory: spillFolder } : {}),
  };
  const limits = { timeoutMs, timeoutSource: printSource(name), maxSessions: findMaxSessions(record) };
  return { spec: { name, kind, options, overrides, level }, ...limits };
}

function printSource(connection: string): string {
  return `the connection \`${connection}\``;
}

/** The stored secrets of a connection, or only those with some names. Throws a HomeError `key`. */
function openSecrets(
  { store, secrets }: Pick<ConnectionContext, 'store' | 'secrets'>,
  { id, name }: ConnectionRecord,
  only?: readonly string[],
): Record<string, string> {
  const opened = [...store.readSecrets(id)]
    .filter(([key]) => only === undefined || only.includes(key))
    .map(([key, sealed]) => {
      const label = `the ${key} of the connection ${name}`;
      return [key, secrets.open(sealed, { owner: id, name: key }, label)] as const;
    });
  return Object.fromEntries(opened);
}

/** The settings of a connection to test, and the secrets to use of those that are stored under its name. */
interface UnsavedConnection {
  readonly connection: NewConnection;
  readonly stored: ConnectionRecord | undefined;
  readonly kept: readonly string[];
}

/**
 * Builds the specification for a test of settings, which are not stored. Throws 422 for a semantic one, and a
 * HomeError `key` for secrets that cannot be decrypted.
 */
export function openUnsaved(
  context: ConnectionContext,
  { connection, stored, kept }: UnsavedConnection,
): ConnectionSpec {
  const { name, kind, options, secrets } = connection;
  const database = DATABASE_KINDS.find((known) => known === kind);
  if (database === undefined) throw connectionErrors.notTestable();
  return {
    name,
    kind: database,
    options: {
      ...options,
      ...(stored === undefined || kept.length === 0 ? {} : openSecrets(context, stored, kept)),
      ...secrets,
    },
    overrides: {},
    level: 'READ',
  };
}
