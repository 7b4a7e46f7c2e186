import type { KindName } from '../engine/connection/contract/kind.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Principal } from '../identity/principal/principal.ts';
import type { ConnectionContext } from './context.ts';
import { connectionErrors } from './errors.ts';
import { getConnection, listConnections } from './find-connection.ts';
import { type ConnectionRecord, findKind } from './record.ts';

/** As many names stand in a sentence. */
const MAX_NAMES = 10;

/** A semantic connection: a model, and the connection that its SQL is for (semantic 1). */
export interface SemanticConnection {
  readonly id: string;
  readonly name: string;
  /** A path of the catalog, or an absolute one of the machine. */
  readonly model: string;
  /** Which `[semantic.<key>]` of a project. */
  readonly key: string | undefined;
  readonly strict: boolean;
  /** Null for a connection that only compiles; its kind for one that is gone, or of a later version. */
  readonly physical: { readonly name: string; readonly kind: KindName | null } | null;
  /** After how long a run is stopped that says nothing else; null: as the physical connection has it. */
  readonly timeoutMs: number | null;
}

/**
 * The semantic connection of a name, or the only one that the principal may use. Throws 400 where there is none, 403
 * for one that is not for the principal (interface 7, Semantic layer metadata).
 */
export function resolveSemantic(
  context: ConnectionContext,
  principal: Principal,
  name: string | undefined,
): SemanticConnection {
  const record = name === undefined ? findOnly(context, principal) : find(context, principal, name);
  if (record.kind !== 'semantic') throw connectionErrors.noModel();
  const { id, options } = record;
  const { model = '', layer, connection, strict } = options;
  const target = connection === undefined ? undefined : context.store.findByName(connection);
  const kind = target ? (findKind(target.kind)?.kind ?? null) : null;
  return {
    id,
    name: record.name,
    model,
    key: layer,
    strict: strict === 'true',
    physical: connection === undefined ? null : { name: connection, kind },
    timeoutMs: record.timeoutMs,
  };
}

function find(context: ConnectionContext, principal: Principal, name: string): ConnectionRecord {
  try {
    return getConnection(context, principal, name, 'USE');
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404)
      throw connectionErrors.modelNotFound(error.hint);
    throw error;
  }
}

function findOnly(context: ConnectionContext, principal: Principal): ConnectionRecord {
  const [only, ...others] = listConnections(context, principal).filter(({ kind }) => kind === 'semantic');
  if (only === undefined) throw connectionErrors.noModel('there is no semantic connection');
  if (others.length > 0) throw connectionErrors.noModel(printChoice([only, ...others]));
  return only;
}

function printChoice(records: readonly ConnectionRecord[]): string {
  const names = records.map(({ name }) => name);
  const more = names.length - MAX_NAMES;
  return `name one of ${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
