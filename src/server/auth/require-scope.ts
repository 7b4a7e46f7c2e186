import type { onRequestHookHandler, onRouteHookHandler } from 'fastify';
import type { Principal } from '../../identity/principal/principal.ts';
import { hasScope, type LeastScope, toLeastScope } from '../../identity/principal/scopes.ts';
import { present } from '../../invariants/must.ts';
import { serverErrors } from '../http/errors.ts';

/**
 * Throws 403 unless the scope of the principal's token includes `least` (docs/reference/tokens.md#scopes). A session
 * has no token, and every scope.
 */
export function checkScope(principal: Principal, least: LeastScope): void {
  if (!hasScope(principal, least)) throw serverErrors.scopeTooSmall(present(principal.origin).scope, least);
}

/**
 * A hook that checks the least scope of a route. It leaves changes of content to the catalog, which answers as without
 * the right on the item, so that the response does not reveal whether the item exists. Add it after the hook that
 * authenticates. `reader` is a scope that may also read. Throws 403.
 */
export function createScopeHook(reader?: 'scim'): onRequestHookHandler {
  return (request, _reply, done) => {
    const { schema } = request.routeOptions;
    const least = toLeastScope(schema?.scope);
    const isContent = schema?.tags?.includes('catalog') === true && least !== 'read';
    const isReader = least === 'read' && request.principal.origin?.scope === reader;
    if (least !== undefined && !isContent && !isReader) checkScope(request.principal, least);
    done();
  };
}

/** The hook without a further reader. */
export const requireScope = createScopeHook();

/** Throws when a route is added that names no scope, or an unknown one. */
export const requireDeclaredScope: onRouteHookHandler = ({ method, url, schema }) => {
  if (toLeastScope(schema?.scope) === undefined) throw new Error(`the route ${method} ${url} names no scope`);
};
