import type { KindName } from '../engine/connection/kind.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Principal } from '../identity/principal.ts';
import type { ConnectionContext } from './context.ts';
import { connectionErrors } from './errors.ts';
import { getConnection, listConnections } from './find-connection.ts';
import { type ConnectionRecord, findKind } from './record.ts';

/** A semantic connection: a model, and the connection that its SQL is for (semantic 1). */
export interface SemanticConnection {
  readonly id: string;
  readonly name: string;
  /** A path of the catalog, or an absolute one of the machine. */
  readonly model: string;
  /** Which `[semantic.<key>]` of a project. */
  readonly key: string | undefined;
  readonly strict: boolean;
  /** Null for a connection that only compiles, or whose physical one is gone. */
  readonly physical: { readonly name: string; readonly kind: KindName } | null;
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
  const kind = target && findKind(target.kind)?.kind;
  return {
    id,
    name: record.name,
    model,
    key: layer,
    strict: strict === 'true',
    physical: target && kind ? { name: target.name, kind } : null,
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
  if (only === undefined || others.length > 0) throw connectionErrors.noModel();
  return only;
}

/** Whoever binds a model to a connection says what runs there for everybody who may use the model. */
export function checkBinding(
  context: ConnectionContext,
  principal: Principal,
  { kind, options }: Pick<ConnectionRecord, 'kind' | 'options'>,
): void {
  if (kind !== 'semantic' || options.connection === undefined) return;
  const target = getConnection(context, principal, options.connection, 'MANAGE');
  if (target.kind === 'semantic')
    throw connectionErrors.optionRefused('connection', 'must be no semantic one');
}
