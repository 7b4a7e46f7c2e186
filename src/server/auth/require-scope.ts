import type { onRequestHookHandler, onRouteHookHandler } from 'fastify';
import { checkScope } from '../../identity/context/account-context.ts';
import { toLeastScope } from '../../identity/principal/scopes.ts';

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
