import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import type { App } from '../http/typed-app.ts';
import { findForwardedFor } from './forwarded-for.ts';
import { printSession } from './get-session.ts';
import { checkSameOrigin } from './origin.ts';
import { findSessionCookie, getSessionCookie } from './session-cookie.ts';
import { credential } from './sign-in.ts';

/** Maximum bytes of the body; the route is public. */
const BODY_LIMIT = 16 * 1024;

const redemption = defineFields({ secret: credential('Secret'), password: credential('Password') });
export type RedemptionBody = Static<typeof redemption.schema>;

/**
 * `POST invitations`: sets the first password of an invited person, with the secret of the link, and signs the person in
 * (docs/reference/invitations.md#using-an-invitation).
 */
export function addRedeemInvitation(app: App, instance: Instance): void {
  app.post('/invitations', { bodyLimit: BODY_LIMIT }, async (request, reply) => {
    checkSameOrigin(request);
    const cookie = getSessionCookie(request);
    const visitor = { address: request.ip, requestId: request.id };
    const { principal, session } = await instance.accounts.invitations.redeem(
      {
        ...redemption.read(request.body),
        signedInAs: findSignedIn(instance, request),
        countedAt: findForwardedFor(request),
        userAgent: request.headers['user-agent'],
      },
      visitor,
    );
    reply.setCookie(cookie.name, session.cookieValue, cookie.options);
    return printSession(instance, app, principal, session.csrfToken);
  });
}

/** The name of the user who is signed in in this browser. */
function findSignedIn(instance: Instance, request: FastifyRequest): string | undefined {
  const cookie = findSessionCookie(request);
  const value = cookie === null ? undefined : request.cookies[cookie.name];
  const visitor = { address: request.ip, requestId: request.id };
  const session = value === undefined ? null : instance.accounts.sessions.verify(value, visitor);
  return session?.principal.userName;
}
