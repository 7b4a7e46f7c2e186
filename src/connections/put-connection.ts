import type { Principal } from '../identity/principal/principal.ts';
import { toTimestamp } from '../store/values/clock.ts';
import type { NewConnection } from './body.ts';
import type { ConnectionContext } from './context.ts';
import { connectionErrors } from './errors.ts';
import { getOwnConnection } from './find-connection.ts';
import type { ConnectionRecord } from './record.ts';

const MAX_CONNECTIONS = 1_000;

/** Stores a new connection; the caller holds the transaction. Throws 403, 409 for an existing name, 422. */
export function createConnection(
  context: ConnectionContext,
  principal: Principal,
  given: NewConnection,
): ConnectionRecord {
  const { store, permissions, newId, clock } = context;
  if (!permissions.mayCreate(principal)) throw connectionErrors.mayNotCreate();
  if (store.findByName(given.name) !== undefined) throw connectionErrors.exists(given.name);
  if (store.count() >= MAX_CONNECTIONS) throw connectionErrors.tooMany(MAX_CONNECTIONS);
  const now = toTimestamp(clock());
  const record = {
    ...toStored(given),
    id: newId(),
    revision: 1,
    creatorId: principal.userId,
    createdAt: now,
    updatedAt: now,
  };
  store.insert(record);
  permissions.create(principal, record.id);
  storeSecrets(context, record.id, given.secrets);
  return record;
}

/**
 * Replaces the connection of this name and all its secrets, or stores a new one; the caller holds the transaction.
 * Throws 403, 422.
 */
export function replaceConnection(
  context: ConnectionContext,
  principal: Principal,
  given: NewConnection,
): ConnectionRecord {
  const { store, clock } = context;
  if (store.findByName(given.name) === undefined) return createConnection(context, principal, given);
  const { id, revision, creatorId, createdAt } = getOwnConnection(context, principal, given.name);
  const updatedAt = toTimestamp(clock());
  const record = { ...toStored(given), id, revision: revision + 1, creatorId, createdAt, updatedAt };
  store.update(record);
  storeSecrets(context, id, given.secrets);
  return record;
}

function toStored({ secrets: _, ...stored }: NewConnection): Omit<NewConnection, 'secrets'> {
  return stored;
}

function storeSecrets(
  { store, secrets }: ConnectionContext,
  id: string,
  given: NewConnection['secrets'],
): void {
  const inUse = store.listOtherKeys(id);
  const sealed = Object.entries(given).map(([name, secret]) => {
    return [name, secrets.seal(secret, { owner: id, name }, inUse)] as const;
  });
  store.writeSecrets(id, new Map(sealed));
}
