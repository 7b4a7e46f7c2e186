import type { Instance } from '../../workspace/instance/instance.ts';
import { readBrowser } from '../console/provider-cookie.ts';
import { getSessionCookie } from '../console/session-cookie.ts';
import { receiveSmallBody } from '../http/bodies/receive-body.ts';
import { sendPage } from '../http/page.ts';
import type { App } from '../http/typed-app.ts';
import { samlRouteErrors } from './errors.ts';

/** Maximum bytes of the form (docs/reference/saml-sign-in.md#limits). */
const BODY_LIMIT = 256 * 1024;

/**
 * `POST /api/saml2/callback` (docs/reference/saml.md#endpoints): the assertion consumer service. Creates a session for
 * the user that the identity provider has authenticated, and redirects the browser.
 */
export function addCallback(app: App, { samlSignOn }: Instance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    (request: Parameters<typeof receiveSmallBody>[0]) => receiveSmallBody(request),
  );
  app.post('/api/saml2/callback', { bodyLimit: BODY_LIMIT }, async (request, reply) => {
    // Parsing a hundred forms at the same time would delay other requests.
    const state = readBrowser(request);
    samlSignOn.checkFree(state);
    const posted = readForm(request.body);
    const back = await samlSignOn.finish(state, posted);
    if (back.kind === 'tested') {
      const sentences = ['The test succeeded. See the result where you started the test.'];
      return sendPage(reply, { status: 200, title: 'Test sign-in', sentences });
    }
    for (const warning of back.warnings) request.log.warn({ request_id: request.id }, warning);
    const { name, options } = getSessionCookie(request);
    reply.setCookie(name, back.session.cookieValue, options);
    return reply
      .header('cache-control', 'no-store')
      .redirect(`${app.settings.baseUrl ?? ''}${back.returnPath}`, 303);
  });
}

/** The SAML response in a form; other fields are ignored. */
function readForm(body: unknown): string {
  const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('latin1') : '');
  const responses = form.getAll('SAMLResponse');
  const [response] = responses;
  if (response === undefined || responses.length > 1) throw samlRouteErrors.notAResponse(responses.length);
  return response;
}
