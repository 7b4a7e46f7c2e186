import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BrowserState } from '../../workspace/instance/instance.ts';
import { findForwardedFor } from './forwarded-for.ts';

/**
 * What binds an answer of an identity provider to the browser that has asked (identity 4). The answer is a POST from
 * another site, which brings no cookie but one with `SameSite=None`; browsers take `__Host-` from this host alone.
 */
const NAME = '__Host-saml';
const OPTIONS = { path: '/', httpOnly: true, secure: true, sameSite: 'none', maxAge: 15 * 60 } as const;

/** What a browser brings to the routes of SAML. */
export function readBrowser(request: FastifyRequest): BrowserState {
  return {
    visitor: { address: request.ip, requestId: request.id },
    countedAt: findForwardedFor(request) ?? request.ip,
    browser: request.cookies[NAME],
  };
}

/** Has a browser keep what it is to bring back. */
export function keepInBrowser(reply: FastifyReply, browser: string): void {
  reply.setCookie(NAME, browser, OPTIONS);
}
