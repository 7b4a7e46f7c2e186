import type { ConnectionSpec } from '../engine/connection/contract/connection.ts';
import type { Secrets } from '../identity/secrets/secrets.ts';
import { checkValue } from './body.ts';
import { connectionErrors } from './errors.ts';
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
}

/**
 * What a driver needs to open a connection with these overrides (interface 2.4). Throws 400 for an override that the
 * connection does not allow, 422 for a semantic one or a kind of a later version, and a HomeError `key` for secrets that
 * cannot be read.
 */
export function resolveConnection(
  { store, secrets }: { readonly store: ConnectionStore; readonly secrets: Secrets },
  record: ConnectionRecord,
  { overrides, spillFolder }: ConnectionRequest,
): ResolvedConnection {
  const { name, timeoutMs } = record;
  const definition = findKind(record.kind);
  if (definition === undefined) throw connectionErrors.kindOfLaterVersion(name, record.kind);
  const { kind, options: known } = definition;
  if (kind === 'semantic') {
    if (record.options.connection === undefined) throw connectionErrors.onlyCompiles(name);
    throw connectionErrors.semanticNotYet();
  }
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
