import type { FastifyRequest } from 'fastify';
import type { Instance } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';
import { keepInBrowser, readBrowser } from './provider-cookie.ts';
import { getSessionCookie } from './session-cookie.ts';

/** Where the page goes next. */
interface SignOutBody {
  /** At the identity provider, which ends its own session and sends the browser back. */
  readonly sign_out_url: string;
}

/**
 * `POST sign-out`: ends the session, and has the browser forget it. Who has come by SAML is sent to the identity provider
 * (interface 5.2.13), if that can be reached so.
 */
export function addSignOut(app: App, instance: Instance, baseUrl: string | null): void {
  app.post('/sign-out', async (request, reply) => {
    const sent = await signOut(request, instance);
    const cookie = getSessionCookie(request, baseUrl);
    reply.clearCookie(cookie.name, cookie.options);
    if (sent === null) return reply.code(204).send();
    keepInBrowser(reply, sent.browser);
    const body: SignOutBody = { sign_out_url: sent.url };
    return body;
  });
}

async function signOut(request: FastifyRequest, { sessions, samlSignOn }: Instance) {
  let isEnded = false;
  const end = () => {
    sessions.signOut(request.principal, request.session.id);
    isEnded = true;
  };
  try {
    return await samlSignOn.beginSignOut(readBrowser(request), request.session.id, end);
  } catch (error) {
    if (!isEnded) throw error;
    // Here nothing is left to do; at the identity provider, the session ends in its own time.
    request.log.warn({ request_id: request.id, err: error }, 'no sign-out at the identity provider');
    return null;
  }
}
