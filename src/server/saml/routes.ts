import cookie from '@fastify/cookie';
import type { onRequestHookHandler } from 'fastify';
import type { Instance } from '../../workspace/instance/instance.ts';
import { requireAdministrator } from '../auth/require-administrator.ts';
import { requireScope } from '../auth/require-scope.ts';
import { createSessionHook } from '../console/require-session.ts';
import { refuseOtherMethods } from '../http/refuse-other-methods.ts';
import type { App } from '../http/typed-app.ts';
import { addCallback } from './callback.ts';
import { addDocuments, addPublicMetadata } from './documents.ts';
import { addLogin } from './login.ts';
import { addLogout } from './logout.ts';
import { replySignInError } from './reply-sign-in-error.ts';

/**
 * Adds the SAML endpoints (docs/reference/saml.md#endpoints), directly on the host: those for browsers, which return
 * pages, and the documents for the configuration of the identity provider.
 */
export function addSamlRoutes(app: App, instance: Instance, requireToken: onRequestHookHandler): void {
  app.register(async (scope: App) => {
    await scope.register(cookie);
    scope.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, hide: true };
    });
    const refuseOthers = refuseOtherMethods(scope);
    addPublicMetadata(scope, instance);
    scope.register(async (browser: App) => {
      browser.setErrorHandler(replySignInError);
      addLogin(browser, instance);
      addCallback(browser, instance);
      addLogout(browser, instance);
    });
    scope.register(async (administration: App) => {
      const requireSession = createSessionHook(instance);
      administration.addHook('onRequest', function authenticate(request, reply, done) {
        const hook = request.headers.authorization === undefined ? requireSession : requireToken;
        hook.call(this, request, reply, done);
      });
      administration.addHook('onRequest', requireScope);
      administration.addHook('onRequest', requireAdministrator);
      addDocuments(administration, instance);
    });
    scope.after(refuseOthers);
  });
}
