import { type Fields, getString, toFields } from '../../errors/fields.ts';
import type { Instance, SignInRequest } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';
import { consoleErrors } from './errors.ts';
import { findForwardedFor } from './forwarded-for.ts';
import { printSession } from './get-session.ts';
import { checkSameOrigin } from './origin.ts';
import { getSessionCookie } from './session-cookie.ts';

/** Of the body, in bytes: anybody may send one. */
const BODY_LIMIT = 16 * 1024;
/** Of either text, in UTF-16 units: more than any user name, address or password has. */
const MAX_LENGTH = 4_000;

/**
 * `POST sign-in`: begins a session (identity 1), a new one each time, whatever cookie the browser has brought. No page of
 * another site can have somebody signed in.
 */
export function addSignIn(app: App, instance: Instance, baseUrl: string | null): void {
  app.post('/sign-in', { bodyLimit: BODY_LIMIT }, async (request, reply) => {
    checkSameOrigin(request, baseUrl);
    const cookie = getSessionCookie(request, baseUrl);
    const from = { address: request.ip, requestId: request.id };
    const credentials = { ...checkSignIn(request.body), countedAt: findForwardedFor(request) };
    const { principal, session } = await instance.sessions.signIn(credentials, from);
    reply.setCookie(cookie.name, session.cookieValue, cookie.options);
    return printSession(instance, principal, session.csrfToken);
  });
}

/** Checks the body of `POST sign-in`. Throws 400. */
function checkSignIn(body: unknown): SignInRequest {
  const fields = toFields(body);
  return {
    login: readCredential(fields, 'login', 'User name'),
    password: readCredential(fields, 'password', 'Password'),
  };
}

function readCredential(fields: Fields, key: string, field: string): string {
  const text = getString(fields, key, field);
  if (text.length > MAX_LENGTH) throw consoleErrors.tooLong(field, MAX_LENGTH);
  if (!text.isWellFormed()) throw consoleErrors.notUnicode(field);
  return text;
}
