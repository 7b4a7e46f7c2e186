import { isAtLeast } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { present } from '../invariants/must.ts';
import type { ConnectionContext } from './context.ts';
import { connectionErrors } from './errors.ts';
import { getConnection } from './find-connection.ts';
import type { ConnectionRecord } from './record.ts';

/**
 * Checks the right to bind a model to a connection. The model determines the SQL that runs there for all users of the
 * model, so binding needs MANAGE on the connection and VIEW on the model
 * (docs/reference/semantic.md#semantic-connections). Throws 400, 403 and 404.
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
      throw connectionErrors.optionRefused('connection', 'must not be a semantic connection');
  }
  const path = toCatalogPath(model);
  if (path === null) return;
  if (isAt(path, '@Personal'))
    throw connectionErrors.optionRefused('model', 'must not be in @Personal, which differs for each user');
  context.checkVisible(principal, path);
}

/**
 * Whether a principal may change the item at a path of the catalog, and the items below it if they change with it. The
 * model of a connection contains SQL that runs there, so changing it needs USE on the connection
 * (docs/reference/semantic.md#semantic-connections).
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

/** Only administrators may use a connection that was deleted or does not exist yet. */
function mayUse({ store, permissions }: ConnectionContext, principal: Principal, name: string): boolean {
  const id = store.findByName(name)?.id;
  return id === undefined ? principal.superUser : isAtLeast(permissions.levelOf(principal, id), 'USE');
}

/** The path of a model in the catalog; null for a model on disk. */
export function toCatalogPath(model: string): string | null {
  return /^\/?@/.test(model) ? model.replace(/^\//, '').replace(/\/$/, '') : null;
}

/** Whether a path equals the other one, or is below it. */
function isAt(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}/`);
}
