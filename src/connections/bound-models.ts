import { isAtLeast } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { present } from '../invariants/must.ts';
import type { ConnectionContext } from './context.ts';
import { connectionErrors } from './errors.ts';
import { getConnection } from './find-connection.ts';
import type { ConnectionRecord } from './record.ts';

/**
 * Whoever binds a model to a connection says what runs there for everybody who may use the model, and shows it to them:
 * that takes MANAGE on the connection and VIEW on the model (semantic 1). Throws 400, 403 and 404.
 */
export function checkBinding(
  context: ConnectionContext,
  principal: Principal,
  { kind, options }: Pick<ConnectionRecord, 'kind' | 'options'>,
): void {
  if (kind !== 'semantic') return;
  const { connection, model = '' } = options;
  if (connection !== undefined) {
    const target = getConnection(context, principal, connection, 'MANAGE');
    if (target.kind === 'semantic')
      throw connectionErrors.optionRefused('connection', 'must be no semantic one');
  }
  const path = toCatalogPath(model);
  if (path === null) return;
  if (isAt(path, '@Personal'))
    throw connectionErrors.optionRefused(
      'model',
      'must not be in @Personal, which is not the same for everybody',
    );
  context.checkVisible(principal, path);
}

/**
 * Whether a principal may change what is at a path of the catalog, as answered, and what is below it if that goes with it:
 * what belongs to a model of a connection is SQL that runs there, and takes USE on it (semantic 1).
 */
export function mayChangeModels(
  context: ConnectionContext,
  principal: Principal,
  { path, withBelow }: { readonly path: string; readonly withBelow: boolean },
): boolean {
  const bound = context.store.listOfKind('semantic').filter(({ options }) => {
    const model = options.connection === undefined ? null : toCatalogPath(options.model ?? '');
    return model !== null && (isAt(path, model) || (withBelow && isAt(model, path)));
  });
  const names = new Set(bound.map(({ options }) => present(options.connection)));
  return [...names].every((name) => mayUse(context, principal, name));
}

/** Of a connection that is not there any more, or not yet, administrators alone can say who may use it. */
function mayUse({ store, permissions }: ConnectionContext, principal: Principal, name: string): boolean {
  const id = store.findByName(name)?.id;
  return id === undefined ? principal.superUser : isAtLeast(permissions.levelOf(principal, id), 'USE');
}

/** The path of a model as the catalog answers it; null for one on disk. */
function toCatalogPath(model: string): string | null {
  return /^\/?@/.test(model) ? model.replace(/^\//, '').replace(/\/$/, '') : null;
}

/** Whether a path is the other one, or below it. */
function isAt(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}/`);
}
