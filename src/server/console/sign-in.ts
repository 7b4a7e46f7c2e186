import { type Static, type TString, Type } from 'typebox';
import { getString } from '../../errors/fields.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields, type Field } from '../fields/define-fields.ts';
import type { App } from '../http/typed-app.ts';
import { consoleErrors } from './errors.ts';
import { findForwardedFor } from './forwarded-for.ts';
import { printSession } from './get-session.ts';
import { checkSameOrigin } from './origin.ts';
import { getSessionCookie } from './session-cookie.ts';

/** Maximum bytes of the body; the route is public. */
const BODY_LIMIT = 16 * 1024;
/** Maximum UTF-16 units of each field: more than any user name, address or password has. */
const MAX_LENGTH = 4_000;

const signIn = defineFields({ login: credential('User name'), password: credential('Password') });
export type SignInBody = Static<typeof signIn.schema>;

/**
 * `POST sign-in`: creates a session (docs/reference/sessions.md#signing-in), always a new one, regardless of the
 * browser's cookie. A page of another site cannot sign a user in.
 */
export function addSignIn(app: App, instance: Instance): void {
  app.post('/sign-in', { bodyLimit: BODY_LIMIT }, async (request, reply) => {
    checkSameOrigin(request);
    const cookie = getSessionCookie(request);
    const from = { address: request.ip, requestId: request.id };
    const credentials = {
      ...signIn.read(request.body),
      countedAt: findForwardedFor(request),
      userAgent: request.headers['user-agent'],
    };
    const { principal, session } = await instance.accounts.signIn.signIn(credentials, from);
    reply.setCookie(cookie.name, session.cookieValue, cookie.options);
    return printSession(instance, app, principal, session.csrfToken);
  });
}

/** A required text that a person types, of bounded length. */
export function credential(label: string): Field<string, TString> {
  return {
    schema: Type.String(),
    read(fields, key) {
      const text = getString(fields, key, label);
      if (text.length > MAX_LENGTH) throw consoleErrors.tooLong(label, MAX_LENGTH);
      if (!text.isWellFormed()) throw consoleErrors.notUnicode(label);
      return text;
    },
  };
}
