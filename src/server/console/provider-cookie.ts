import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BrowserState } from '../../workspace/sign-on/saml-sign-on.ts';
import { findForwardedFor } from './forwarded-for.ts';

/**
 * The cookie that binds a SAML response to the browser that started the sign-in
 * (docs/reference/saml-sign-in.md#request). The response is a POST from another site, so the cookie needs
 * `SameSite=None`; browsers accept `__Host-` cookies only from this host.
 */
const NAME = '__Host-saml';
const OPTIONS = { path: '/', httpOnly: true, secure: true, sameSite: 'none', maxAge: 15 * 60 } as const;

/** The cookie of a browser on SAML routes. */
export function readBrowser(request: FastifyRequest): BrowserState {
  return {
    visitor: {
      address: request.ip,
      requestId: request.id,
      userAgent: request.headers['user-agent'],
    },
    countedAt: findForwardedFor(request) ?? request.ip,
    browser: request.cookies[NAME],
  };
}

/** Sets the cookie. */
export function keepInBrowser(reply: FastifyReply, browser: string): void {
  reply.setCookie(NAME, browser, OPTIONS);
}
