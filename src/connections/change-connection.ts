import { type ConnectionFields, checkNewConnection, checkOptionNames, type NewConnection } from './body.ts';
import type { ConnectionContext } from './context.ts';
import { connectionErrors } from './errors.ts';
import type { ConnectionRecord } from './record.ts';

/** Values by name; null removes one. */
type Changes = Readonly<Record<string, string | null>>;

/** What changes in a connection: settings that are left out stay, null stands for the default. */
export interface ConnectionChanges {
  readonly options?: Changes | undefined;
  readonly secrets?: Changes | undefined;
  readonly allowedOverrides?: readonly string[] | null | undefined;
  readonly timeoutMs?: number | null | undefined;
  readonly maxSessions?: number | null | undefined;
  readonly description?: string | null | undefined;
}

/** Options that lead to the same account of the same server, whatever their values. */
const SAME_ACCOUNT = ['database', 'schema', 'connect_timeout'];

/** Applies changes to a stored connection. Throws 400 as `checkNewConnection`; `secrets` are only the new ones. */
export function mergeChanges(
  { name, kind, ...stored }: ConnectionRecord,
  changes: ConnectionChanges,
  folder: string | undefined,
): NewConnection {
  const { options = {}, secrets = {} } = changes;
  const fields: ConnectionFields = {
    name,
    kind,
    options: listSet({ ...stored.options, ...options }),
    secrets: listSet(secrets),
    allowedOverrides: pick(changes.allowedOverrides, stored.overrides),
    timeoutMs: pick(changes.timeoutMs, stored.timeoutMs),
    maxSessions: pick(changes.maxSessions, stored.maxSessions),
    description: pick(changes.description, stored.description),
  };
  const connection = checkNewConnection(fields, folder);
  checkOptionNames(kind, [...Object.keys(options), ...Object.keys(secrets)]);
  return connection;
}

/** The values without those to remove. */
export function listSet(changes: Changes): Record<string, string> {
  return Object.fromEntries(
    Object.entries(changes).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

function pick<Value>(change: Value | null | undefined, stored: Value | null): Value | undefined {
  return (change === undefined ? stored : change) ?? undefined;
}

/**
 * The names of the stored secrets that a changed connection keeps: those that are neither sent nor removed. A stored
 * secret is only used for the account that it was stored for, so that no change of the host sends it elsewhere: throws
 * 400 when the kind or any option but `SAME_ACCOUNT` differs.
 */
export function listKeptSecrets(
  { store }: ConnectionContext,
  stored: ConnectionRecord,
  connection: Pick<NewConnection, 'kind' | 'options'>,
  sent: readonly string[],
): readonly string[] {
  const kept = [...store.readSecrets(stored.id).keys()].filter((name) => !sent.includes(name));
  const [secret] = kept;
  if (secret === undefined) return [];
  if (stored.kind !== connection.kind) throw connectionErrors.secretNeeded('kind', secret);
  const names = Object.keys({ ...stored.options, ...connection.options });
  const changed = names.find(
    (name) => !SAME_ACCOUNT.includes(name) && stored.options[name] !== connection.options[name],
  );
  if (changed !== undefined) throw connectionErrors.secretNeeded(changed, secret);
  return kept;
}

/** Whether a changed connection is stored as before, except for secrets. */
export function isSame(stored: ConnectionRecord, connection: NewConnection): boolean {
  const print = ({
    kind,
    description,
    overrides,
    timeoutMs,
    maxSessions,
    options,
  }: typeof connection | typeof stored) =>
    JSON.stringify([kind, description, overrides, timeoutMs, maxSessions, Object.entries(options).sort()]);
  return print(stored) === print(connection);
}
