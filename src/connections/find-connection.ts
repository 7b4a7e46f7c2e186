import { type ConnectionLevel, isAtLeast } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { DEFAULT_CONNECTION_ID } from '../store/values/default-connection.ts';
import type { ConnectionContext } from './context.ts';
import { connectionErrors } from './errors.ts';
import type { ConnectionRecord } from './record.ts';

/** Lists the connections that a principal may read, by name. */
export function listConnections(context: ConnectionContext, principal: Principal): ConnectionRecord[] {
  const levelOf = context.permissions.levels(principal);
  const visible = context.store.list().filter(({ id }) => isAtLeast(levelOf(id), 'READ'));
  return visible.map((record) => complete(context, record));
}

/** Finds a connection that a principal may read, use or manage. Throws 404 for an unknown name, 403 without the right. */
export function getConnection(
  context: ConnectionContext,
  principal: Principal,
  name: string,
  needed: Exclude<ConnectionLevel, 'NONE'>,
): ConnectionRecord {
  const record = context.store.findByName(name);
  if (record === undefined) {
    const known = listConnections(context, principal).map((visible) => visible.name);
    throw connectionErrors.notFound(name, known);
  }
  if (!isAtLeast(context.permissions.levelOf(principal, record.id), needed))
    throw connectionErrors.forbidden();
  return complete(context, record);
}

/** The physical connection of a semantic one, whatever the principal may do there. Throws 404 when it was deleted. */
export function findPhysical(context: ConnectionContext, name: string): ConnectionRecord {
  const record = context.store.findByName(name);
  if (record === undefined) throw connectionErrors.notFound(name, []);
  return complete(context, record);
}

/** Like `getConnection`, for changes and deletion. Throws 422 for the connection that every home has. */
export function getOwnConnection(
  context: ConnectionContext,
  principal: Principal,
  name: string,
): ConnectionRecord {
  const record = getConnection(context, principal, name, 'MANAGE');
  if (record.id === DEFAULT_CONNECTION_ID) throw connectionErrors.builtIn(name);
  return record;
}

/** The file of the connection that every home has depends on the location of the home. */
function complete({ duckdbFile }: ConnectionContext, record: ConnectionRecord): ConnectionRecord {
  return record.id === DEFAULT_CONNECTION_ID ? { ...record, options: { file: duckdbFile } } : record;
}
