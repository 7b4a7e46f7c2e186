import { toFields } from '../../errors/fields.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { keepInBrowser, readBrowser } from '../console/provider-cookie.ts';
import { sendForm } from '../http/page.ts';
import type { App } from '../http/typed-app.ts';

/**
 * `GET /api/auth/login/saml2` (docs/reference/saml.md#endpoints): redirects a browser to the identity provider.
 * `return_to` is a path of this site; `test` is the id of a test sign-in.
 */
export function addLogin(app: App, { samlSignOn }: Instance): void {
  app.get('/api/auth/login/saml2', async (request, reply) => {
    const { return_to: returnTo, test } = toFields(request.query);
    const returnPath = toReturnPath(returnTo, app.settings.baseUrl ?? 'https://localhost');
    const testId = typeof test === 'string' ? test : undefined;
    const { message, browser } = await samlSignOn.begin(readBrowser(request), returnPath, testId);
    keepInBrowser(reply, browser);
    if (message.kind === 'post') return sendForm(reply, message);
    return reply.header('cache-control', 'no-store').redirect(message.url, 302);
  });
}

const MAX_LENGTH = 2_000;
const HOME = '/';

/**
 * The path of this site to open after sign-in; `/` for any value that could lead to another site
 * (docs/reference/saml-sign-in.md#request).
 */
function toReturnPath(target: unknown, baseUrl: string): string {
  if (typeof target !== 'string' || target.length > MAX_LENGTH || !/^\/[^/\\]?/.test(target)) return HOME;
  if (!URL.canParse(target, baseUrl)) return HOME;
  const url = new URL(target, baseUrl);
  const path = url.pathname + url.search + url.hash;
  const isOurs =
    path.length <= MAX_LENGTH && url.origin === new URL(baseUrl).origin && !/^\/[/\\]/.test(path);
  return isOurs ? path : HOME;
}
