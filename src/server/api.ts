import type { onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import type { Executions } from '../workspace/instance/instance.ts';
import { addCatalogRoutes } from './catalog/routes.ts';
import { addExecRoutes } from './exec/routes.ts';
import { requireJson } from './http/accept.ts';
import { refuseOtherMethods } from './http/refuse-other-methods.ts';
import { refuseUnknownRoutes } from './http/refuse-unknown-routes.ts';
import type { App } from './http/typed-app.ts';
import { addManageRoutes } from './manage/routes.ts';
import { SCIM_PREFIX } from './scim/prefix.ts';
import { addScimRoutes } from './scim/routes.ts';
import { addSemanticRoutes } from './semantic-layer/routes.ts';

/** What the API is made of. */
interface ApiOptions {
  /** Says who acts. */
  readonly requireToken: onRequestHookHandler;
  /** Counts requests by their tokens; null where nothing is counted. */
  readonly limitRate: onRequestAsyncHookHandler | null;
  /** Without it nothing runs scripts or SQL, and there are no routes for it. */
  readonly executions: Executions | null;
  /** The instance's address as its clients know it; null where they know it as it listens. */
  readonly baseUrl: string | null;
}

/**
 * Adds everything below `/api/v1` (interface 4.1 to 4.5, 9), whose every route, known or not, needs a bearer token.
 * Provisioning is a scope beside the rest, since it has an authority, types of bodies and unknown routes of its own.
 */
export function addApi(app: App, { requireToken, limitRate, executions, baseUrl }: ApiOptions): void {
  const addTokenHooks = (scope: App) => {
    scope.addHook('onRequest', requireToken);
    if (limitRate !== null) scope.addHook('onRequest', limitRate);
  };
  app.register(
    async (scope: App) => {
      addTokenHooks(scope);
      refuseUnknownRoutes(scope);
      const refuseOthers = refuseOtherMethods(scope);
      scope.register(async (json: App) => {
        requireJson(json);
        addCatalogRoutes(json);
        addManageRoutes(json);
        addSemanticRoutes(json);
      });
      if (executions !== null) scope.register(async (own: App) => addExecRoutes(own, executions));
      scope.after(refuseOthers);
    },
    { prefix: '/api/v1' },
  );
  app.register(
    async (scope: App) => {
      addTokenHooks(scope);
      addScimRoutes(scope, baseUrl);
    },
    { prefix: SCIM_PREFIX },
  );
}
