import cookie from '@fastify/cookie';
import type { FastifyError, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { ServiceError } from '../../errors/service-error.ts';
import type { SsoFailure } from '../../provider-log/entries.ts';
import { type Instance, isSignOnError } from '../../workspace/instance/instance.ts';
import { requireAdministrator } from '../auth/require-administrator.ts';
import { requireScope } from '../auth/require-scope.ts';
import { createSessionHook } from '../console/require-session.ts';
import { sendPage } from '../http/page.ts';
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
      browser.setErrorHandler(createSignInErrorHandler(instance));
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
 * Sends a page for a failed sign-in (docs/reference/saml-sign-in.md#response). The reason and the name of the failed
 * check are recorded under the reference on the page. The page itself only shows reasons that an administrator can fix.
 */
function createSignInErrorHandler({ providerLog }: Instance) {
  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = toRefusal(error);
    // The app's error handler sends the response.
    if (refusal === null) throw error;
    const { check, detail, user, page } = refusal;
    const reference = providerLog.recordFailure({
      provider: 'saml',
      requestId: request.id,
      check,
      detail,
      address: request.ip,
      user,
    });
    if (isSignOnError(error)) {
      request.log.warn({ request_id: request.id, reference, check, detail }, 'single sign-on refused');
    } else if (error instanceof ServiceError && error.retryAfter !== undefined) {
      reply.header('retry-after', error.retryAfter);
    }
    const sentences = [...page.sentences, HAND_OVER];
    return sendPage(reply, { status: page.status, title: 'Sign-in failed', sentences, reference });
  };
}

const HAND_OVER = 'Give an administrator this reference, which leads to the reason.';

/** Why a sign-in failed, for the log; and what the user may know. */
interface Refusal extends Pick<SsoFailure, 'check' | 'detail' | 'user'> {
  readonly page: { readonly status: number; readonly sentences: readonly string[] };
}

/** Null for an internal error. */
function toRefusal(error: FastifyError | Error): Refusal | null {
  if (isSignOnError(error)) {
    const { check, detail, user, userText } = error;
    return { check, detail, user, page: { status: 403, sentences: userText === null ? [] : [userText] } };
  }
  if (!(error instanceof ServiceError)) return null;
  const { code: check, message: detail, status } = error;
  return { check, detail, user: null, page: { status, sentences: [`${detail}.`] } };
}
