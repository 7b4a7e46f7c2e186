import { toFields } from '../../errors/fields.ts';
import { type Instance, isSignOnError } from '../../workspace/instance/instance.ts';
import { readBrowser } from '../console/provider-cookie.ts';
import { sendPage } from '../http/page.ts';
import type { App } from '../http/typed-app.ts';
import { samlRouteErrors } from './errors.ts';

/**
 * `GET /api/saml2/callback` (docs/reference/saml-sign-in.md#sign-out): the single logout URL. The browser returns to it
 * after signing out here and at the identity provider. Logout requests from the identity provider are refused.
 */
export function addLogout(app: App, { samlSignOn }: Instance): void {
  app.get('/api/saml2/callback', async (request, reply) => {
    const { SAMLRequest: asked, SAMLResponse: answered, logoutendpoint } = toFields(request.query);
    if (asked !== undefined) throw samlRouteErrors.logoutNotSupported();
    if (answered === undefined || logoutendpoint !== 'true') return reply.redirect('/login', 303);
    try {
      await samlSignOn.finishSignOut(readBrowser(request), request.url.slice(request.url.indexOf('?') + 1));
    } catch (error) {
      if (!isSignOnError(error)) throw error;
      const { check, detail } = error;
      request.log.warn({ request_id: request.id, check, detail }, 'single sign-out not confirmed');
      return sendPage(reply, {
        status: 200,
        title: 'Signed out',
        sentences: [
          'You are signed out here.',
          'Your identity provider has not confirmed that its own session has ended. Close the browser on a shared computer.',
        ],
        reference: request.id,
      });
    }
    return reply.header('cache-control', 'no-store').redirect('/login', 303);
  });
}
