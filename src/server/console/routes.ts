import cookie from '@fastify/cookie';
import type { Instance } from '../../workspace/instance/instance.ts';
import { addCatalogRoutes } from '../catalog/routes.ts';
import { addExecRoutes } from '../exec/routes.ts';
import { requireJson } from '../http/accept.ts';
import { refuseUnknownRoutes } from '../http/refuse-unknown-routes.ts';
import type { App } from '../http/typed-app.ts';
import { addManageRoutes } from '../manage/routes.ts';
import { addGetSession } from './get-session.ts';
import { addGetSetup } from './get-setup.ts';
import { addOneTimeSignIn } from './one-time-sign-in.ts';
import { addProfile } from './profile.ts';
import { addRedeemInvitation } from './redeem-invitation.ts';
import { createSessionHook } from './require-session.ts';
import { addSignIn } from './sign-in.ts';
import { addSignOut } from './sign-out.ts';

/**
 * Adds the console's routes, below `/console/api` (docs/reference/sessions.md). Only these routes use cookies, and they
 * ignore bearer tokens. The catalog, executions and what is managed have the same routes here as below `/api/v1`.
 */
export function addConsoleRoutes(app: App, instance: Instance): void {
  app.register(
    async (scope: App) => {
      await scope.register(cookie);
      scope.addHook('onRequest', (_request, reply, done) => {
        reply.header('cache-control', 'no-store');
        done();
      });
      scope.addHook('onSend', async (_request, reply) => {
        if (reply.statusCode === 401) reply.header('www-authenticate', 'Session');
      });
      scope.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, hide: true };
      });
      const refuseOthers = refuseUnknownRoutes(scope);
      addSignIn(scope, instance);
      addGetSetup(scope, instance);
      addRedeemInvitation(scope, instance);
      scope.register(async (form: App) => addOneTimeSignIn(form, instance));
      scope.register(async (session: App) => {
        session.addHook('onRequest', createSessionHook(instance));
        addGetSession(session, instance);
        addSignOut(session, instance);
        addProfile(session, instance);
        session.register(async (twins: App) => addExecRoutes(twins, instance));
        session.register(async (twins: App) => {
          requireJson(twins);
          addCatalogRoutes(twins, instance);
          addManageRoutes(twins, instance);
        });
      });
      scope.after(refuseOthers);
    },
    { prefix: '/console/api' },
  );
}
