import { checkLimit } from '../identity/log-range.ts';
import { type ConnectionLevel, isAtLeast } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { DEFAULT_CONNECTION_ID } from '../store/values/default-connection.ts';
import { foldCase } from '../store/values/fold-case.ts';
import type { ConnectionContext } from './context.ts';
import { connectionErrors } from './errors.ts';
import type { ConnectionRecord } from './record.ts';

/** Lists the connections that a principal may read, by name. */
export function listConnections(context: ConnectionContext, principal: Principal): ConnectionRecord[] {
  const levelOf = context.permissions.levels(principal);
  const visible = context.store.list().filter(({ id }) => isAtLeast(levelOf(id), 'READ'));
  return visible.map((record) => complete(context, record));
}

/** Which connections a list has. */
export interface ConnectionSearch {
  /** A part of the name, ignoring case. */
  readonly q?: string | undefined;
  readonly kind?: string | undefined;
  /** At most 1,000; all by default. */
  readonly limit?: number | undefined;
  /** Only connections after this name. */
  readonly after?: string | undefined;
}

/** A page of the connections that a principal may read, by name, and their number. Throws 400 for an invalid limit. */
export function searchConnections(
  context: ConnectionContext,
  principal: Principal,
  { q = '', kind, limit, after }: ConnectionSearch,
): { readonly data: readonly ConnectionRecord[]; readonly total: number } {
  const size = limit === undefined ? Number.POSITIVE_INFINITY : checkLimit(limit);
  const part = foldCase(q);
  const found = listConnections(context, principal).filter(
    (record) => (kind === undefined || record.kind === kind) && foldCase(record.name).includes(part),
  );
  const isLater = ({ name }: ConnectionRecord) =>
    Buffer.compare(Buffer.from(name), Buffer.from(after ?? '')) > 0;
  const rest = after === undefined ? found : found.filter(isLater);
  return { data: rest.slice(0, size), total: found.length };
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
