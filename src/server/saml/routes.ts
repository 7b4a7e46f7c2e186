import cookie from '@fastify/cookie';
import type { FastifyError, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { ServiceError } from '../../errors/service-error.ts';
import { type Instance, isSignOnError } from '../../workspace/instance/instance.ts';
import { requireAdministrator } from '../auth/require-administrator.ts';
import { requireScope } from '../auth/require-scope.ts';
import { createSessionHook } from '../console/require-session.ts';
import { type PlainPage, sendPage } from '../http/page.ts';
import { refuseOtherMethods } from '../http/refuse-other-methods.ts';
import type { App } from '../http/typed-app.ts';
import { addCallback } from './callback.ts';
import { addDocuments, addPublicMetadata } from './documents.ts';
import { addLogin } from './login.ts';
import { addLogout } from './logout.ts';

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

/**
 * Sends a page for a failed sign-in (docs/reference/saml-sign-in.md#response). The log has the reason and the name of
 * the failed check, under the reference on the page. The page itself only shows reasons that an administrator can fix.
 */
function replySignInError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const reference = request.id;
  if (isSignOnError(error)) {
    const { check, detail, userText } = error;
    request.log.warn({ request_id: reference, check, detail }, 'single sign-on refused');
    const sentences = [
      userText ?? 'Ask your administrator. The server log has the reason under this reference.',
    ];
    return sendPage(reply, { status: 403, title: 'Sign-in failed', sentences, reference });
  }
  // The app's error handler sends the response.
  if (!(error instanceof ServiceError)) throw error;
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
  return sendPage(reply, toPage(error, reference));
}

function toPage({ status, message }: ServiceError, reference: string): PlainPage {
  return { status, title: 'Sign-in failed', sentences: [`${message}.`], reference };
}
