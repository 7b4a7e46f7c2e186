import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { consoleErrors } from './errors.ts';
import { isHttps, usesLoopback } from './origin.ts';

/**
 * Session cookies (docs/reference/sessions.md#cookies): they end with the browser, and are hidden from scripts and
 * other sites.
 */
interface SessionCookie {
  readonly name: string;
  readonly options: CookieSerializeOptions;
}

const OPTIONS = { path: '/', httpOnly: true, sameSite: 'lax' } as const;
/** `__Host-`: browsers accept it only from this host, and never over plain HTTP. */
const OVER_HTTPS: SessionCookie = { name: '__Host-session', options: { ...OPTIONS, secure: true } };

/** The cookie name for the request's protocol; null for plain HTTP from another machine, which is not safe. */
export function findSessionCookie(request: FastifyRequest): SessionCookie | null {
  if (isHttps(request)) return OVER_HTTPS;
  return usesLoopback(request) ? nameByPort(request) : null;
}

/** Browsers send a cookie to all ports of a host: without the port, servers on one machine would end each other's. */
function nameByPort({ port }: FastifyRequest): SessionCookie {
  return { name: port === null ? 'session' : `session-${port}`, options: OPTIONS };
}

/** As `findSessionCookie`, but throws 403 instead of returning null. */
export function getSessionCookie(request: FastifyRequest): SessionCookie {
  const cookie = findSessionCookie(request);
  if (cookie === null) throw consoleErrors.needsHttps();
  return cookie;
}
