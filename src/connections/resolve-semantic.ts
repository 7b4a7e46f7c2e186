import type { KindName } from '../engine/connection/contract/kind.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { toCatalogPath } from './bound-models.ts';
import type { ConnectionContext } from './context.ts';
import { connectionErrors } from './errors.ts';
import { getConnection, listConnections } from './find-connection.ts';
import { type ConnectionRecord, findKind } from './record.ts';

/** Maximum number of names in one message. */
const MAX_NAMES = 10;

/**
 * A semantic connection: a model, and the connection that runs its SQL
 * (docs/reference/semantic.md#semantic-connections).
 */
export interface SemanticConnection {
  readonly id: string;
  readonly name: string;
  /** A path of the catalog, or an absolute path of the machine. */
  readonly model: string;
  /** Whether the model is in the catalog. */
  readonly isStored: boolean;
  /** The key of `[semantic.<key>]` in a project. */
  readonly key: string | undefined;
  readonly strict: boolean;
  /**
   * Null for a connection that only compiles. Its kind is null for a connection that was deleted or has an unknown
   * kind.
   */
  readonly physical: { readonly name: string; readonly kind: KindName | null } | null;
}

/**
 * Finds the semantic connection of a name, or the only one that the principal may read. Throws 400 when it does not
 * exist, 403 without the right to read it (docs/reference/semantic-http.md#errors).
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
    isStored: toCatalogPath(model) !== null,
    key: layer,
    strict: strict === 'true',
    physical: connection === undefined ? null : { name: connection, kind },
  };
}

function find(context: ConnectionContext, principal: Principal, name: string): ConnectionRecord {
  try {
    return getConnection(context, principal, name, 'READ');
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404)
      throw connectionErrors.modelNotFound(error.hint);
    throw error;
  }
}

function findOnly(context: ConnectionContext, principal: Principal): ConnectionRecord {
  const [only, ...others] = listConnections(context, principal).filter(({ kind }) => kind === 'semantic');
  if (only === undefined)
    throw connectionErrors.noModel('no semantic connection exists; add one with `quern connection create`');
  if (others.length > 0) throw connectionErrors.noModel(printChoice([only, ...others]));
  return only;
}

function printChoice(records: readonly ConnectionRecord[]): string {
  const names = records.map(({ name }) => name);
  const more = names.length - MAX_NAMES;
  return `name one of ${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
