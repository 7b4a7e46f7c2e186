import type { onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import type { Executions } from '../workspace/instance.ts';
import { addCatalogRoutes } from './catalog/routes.ts';
import { addExecRoutes } from './exec/routes.ts';
import { refuseOtherMethods } from './http/refuse-other-methods.ts';
import { refuseUnknownRoutes } from './http/refuse-unknown-routes.ts';
import { requireJson } from './http/require-json.ts';
import type { App } from './http/typed-app.ts';
import { addManageRoutes } from './manage/routes.ts';
import { addSemanticRoutes } from './semantic-layer/routes.ts';

/**
 * Adds everything below `/api/v1` (interface 4.1 to 4.4, 9), whose every route, known or not, needs a bearer token.
 * `limitRate` counts requests by their tokens; null where nothing is counted. Without `executions` nothing
 * runs scripts or SQL, and there are no routes for it.
 */
export function addApi(
  app: App,
  requireToken: onRequestHookHandler,
  limitRate: onRequestAsyncHookHandler | null,
  executions: Executions | null,
): void {
  app.register(
    async (scope: App) => {
      scope.addHook('onRequest', requireToken);
      if (limitRate !== null) scope.addHook('onRequest', limitRate);
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
}
