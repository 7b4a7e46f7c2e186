import type { FastifyRequest } from 'fastify';
import type { Instance } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';
import { keepInBrowser, readBrowser } from './provider-cookie.ts';
import { getSessionCookie } from './session-cookie.ts';

/** The next URL of the page. */
export interface SignOutBody {
  /** The logout URL of the identity provider, which ends its own session and redirects back. */
  readonly sign_out_url: string;
}

/**
 * `POST sign-out`: ends the session and deletes its cookie. A SAML user is redirected to the identity provider
 * (docs/reference/saml-sign-in.md#sign-out), if it supports single logout.
 */
export function addSignOut(app: App, instance: Instance): void {
  app.post('/sign-out', async (request, reply) => {
    const sent = await signOut(request, instance);
    const cookie = getSessionCookie(request);
    reply.clearCookie(cookie.name, cookie.options);
    if (sent === null) return reply.code(204).send();
    keepInBrowser(reply, sent.browser);
    const body: SignOutBody = { sign_out_url: sent.url };
    return body;
  });
}

async function signOut(request: FastifyRequest, { accounts, samlSignOn }: Instance) {
  let isEnded = false;
  const end = () => {
    accounts.signIn.signOut(request.principal, request.session.id);
    isEnded = true;
  };
  try {
    return await samlSignOn.beginSignOut(readBrowser(request), request.session.id, end);
  } catch (error) {
    if (!isEnded) throw error;
    // The local session has ended; the session at the identity provider will expire.
    request.log.warn({ request_id: request.id, err: error }, 'sign-out at the identity provider failed');
    return null;
  }
}
