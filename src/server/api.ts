import type { onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import type { Instance } from '../workspace/instance/instance.ts';
import { createScopeHook, requireDeclaredScope, requireScope } from './auth/require-scope.ts';
import { addCatalogRoutes } from './catalog/routes.ts';
import { addExecRoutes } from './exec/routes.ts';
import { requireJson } from './http/accept.ts';
import { refuseUnknownRoutes } from './http/refuse-unknown-routes.ts';
import type { App } from './http/typed-app.ts';
import { noteUnknownFields } from './http/unknown-fields.ts';
import { addMe } from './manage/me.ts';
import { addManageRoutes } from './manage/routes.ts';
import { SCIM_PREFIX } from './scim/prefix.ts';
import { recordRequests } from './scim/record-requests.ts';
import { addScimRoutes } from './scim/routes.ts';
import { addSemanticRoutes } from './semantic-layer/routes.ts';

/** Dependencies of the API. */
interface ApiOptions {
  /** Authenticates requests. */
  readonly requireToken: onRequestHookHandler;
  /** Limits requests by token; null without a limit. */
  readonly limitRate: onRequestAsyncHookHandler | null;
  readonly instance: Instance;
}

/**
 * Adds all routes below `/api/v1` (docs/reference/http-api.md#addresses). Every route, known or not, requires a bearer
 * token. Provisioning has its own scope, because its authorization, media types and errors differ.
 */
export function addApi(app: App, { requireToken, limitRate, instance }: ApiOptions): void {
  const addTokenHooks = (scope: App, checkScope = requireScope) => {
    scope.addHook('onRequest', requireToken);
    if (limitRate !== null) scope.addHook('onRequest', limitRate);
    scope.addHook('onRequest', checkScope);
    scope.addHook('onRoute', requireDeclaredScope);
  };
  app.register(
    async (scope: App) => {
      addTokenHooks(scope);
      scope.addHook('preHandler', noteUnknownFields);
      const refuseOthers = refuseUnknownRoutes(scope);
      scope.register(async (json: App) => {
        requireJson(json);
        addCatalogRoutes(json, instance);
        addMe(json, instance);
        addManageRoutes(json, instance);
        addSemanticRoutes(json, instance);
      });
      scope.register(async (runs: App) => addExecRoutes(runs, instance));
      scope.after(refuseOthers);
    },
    { prefix: '/api/v1' },
  );
  app.register(
    async (scope: App) => {
      recordRequests(scope, instance);
      addTokenHooks(scope, createScopeHook('scim'));
      addScimRoutes(scope, instance);
    },
    { prefix: SCIM_PREFIX },
  );
}
