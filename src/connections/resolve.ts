import type { ConnectionSpec } from '../engine/connection/contract/connection.ts';
import { semanticKind } from '../engine/connection/semantic-kind.ts';
import type { Principal } from '../identity/principal/principal.ts';
import type { Secrets } from '../identity/secrets/secrets.ts';
import { checkValue } from './body.ts';
import type { ConnectionContext } from './context.ts';
import { connectionErrors } from './errors.ts';
import { getConnection } from './find-connection.ts';
import { type ConnectionRecord, findKind, findMaxSessions, listOverrides } from './record.ts';
import type { ConnectionStore } from './store.ts';

/** Which connection a run is on, and what is different about it in this run. */
export interface ConnectionRequest {
  readonly name: string;
  readonly overrides: Readonly<Record<string, string>>;
  /** Where the engine may spill. */
  readonly spillFolder: string;
}

/** A connection that can be opened, and the limits of runs on it. */
export interface ResolvedConnection {
  /** Holds the secrets. */
  readonly spec: ConnectionSpec;
  /** After how long a run is stopped that says nothing else; null: never. */
  readonly timeoutMs: number | null;
  /** How many sessions one run may open; null for no limit. */
  readonly maxSessions: number | null;
  /** The name of the semantic connection that was asked for; `spec` is then that of the connection behind it. */
  readonly semantic?: string;
}

/**
 * What a run on a connection needs: on a semantic one, what the connection behind it needs, which the caller has to be
 * allowed to use as well. Throws as `getConnection` and `openConnection` do, and 422 for a semantic connection that only
 * compiles.
 */
export function resolveConnection(
  context: ConnectionContext,
  principal: Principal,
  request: ConnectionRequest,
): ResolvedConnection {
  const record = getConnection(context, principal, request.name, 'USE');
  if (record.kind !== semanticKind.kind) return openConnection(context, record, request);
  const { name, timeoutMs } = record;
  const [key] = Object.keys(request.overrides);
  if (key !== undefined) throw connectionErrors.overrideNotAllowed(key);
  const { connection } = record.options;
  if (connection === undefined) throw connectionErrors.onlyCompiles(name);
  const behind = getConnection(context, principal, connection, 'USE');
  const opened = openConnection(context, behind, request);
  return { ...opened, timeoutMs: timeoutMs ?? opened.timeoutMs, semantic: name };
}

/**
 * What a driver needs to open a connection with these overrides (interface 2.4). Throws 400 for an override that the
 * connection does not allow, 422 for a kind of a later version, or a semantic one, and a HomeError `key` for secrets that
 * cannot be read.
 */
function openConnection(
  { store, secrets }: { readonly store: ConnectionStore; readonly secrets: Secrets },
  record: ConnectionRecord,
  { overrides, spillFolder }: ConnectionRequest,
): ResolvedConnection {
  const { name, timeoutMs } = record;
  const definition = findKind(record.kind);
  if (definition === undefined) throw connectionErrors.kindOfLaterVersion(name, record.kind);
  const { kind, options: known } = definition;
  // Nothing lets a semantic connection stand behind another one.
  if (kind === 'semantic') throw connectionErrors.onlyCompiles(name);
  const allowed = listOverrides(record);
  for (const [key, value] of Object.entries(overrides)) {
    if (!allowed.includes(key)) throw connectionErrors.overrideNotAllowed(key);
    checkValue(value, `Override ${key}`);
  }
  const options = {
    ...record.options,
    ...(known.some(({ isSecret }) => isSecret) ? openSecrets(store, secrets, record) : {}),
    ...(kind === 'duckdb' ? { temp_directory: spillFolder } : {}),
  };
  return { spec: { name, kind, options, overrides }, timeoutMs, maxSessions: findMaxSessions(record) };
}

function openSecrets(
  store: ConnectionStore,
  secrets: Secrets,
  { id, name }: ConnectionRecord,
): Record<string, string> {
  const opened = [...store.readSecrets(id)].map(([key, sealed]) => {
    const label = `the ${key} of the connection ${name}`;
    return [key, secrets.open(sealed, { owner: id, name: key }, label)] as const;
  });
  return Object.fromEntries(opened);
}
