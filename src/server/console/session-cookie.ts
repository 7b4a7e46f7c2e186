import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { consoleErrors } from './errors.ts';
import { isHttps, isLoopback } from './origin.ts';

/** How a browser keeps a session (identity 1): until it is closed, and out of reach of scripts and other sites. */
interface SessionCookie {
  readonly name: string;
  readonly options: CookieSerializeOptions;
}

const OPTIONS = { path: '/', httpOnly: true, sameSite: 'lax' } as const;
/** `__Host-`: browsers take it from this very host alone, and never by plain HTTP. */
const OVER_HTTPS: SessionCookie = { name: '__Host-session', options: { ...OPTIONS, secure: true } };
const ON_THIS_MACHINE: SessionCookie = { name: 'session', options: OPTIONS };

/** The cookie for the way that the browser has come; null by plain HTTP from another machine, where none is safe. */
export function findSessionCookie(request: FastifyRequest, baseUrl: string | null): SessionCookie | null {
  if (isHttps(request, baseUrl)) return OVER_HTTPS;
  return isLoopback(request) ? ON_THIS_MACHINE : null;
}

/** As `findSessionCookie`; throws 403 where there is none. */
export function getSessionCookie(request: FastifyRequest, baseUrl: string | null): SessionCookie {
  const cookie = findSessionCookie(request, baseUrl);
  if (cookie === null) throw consoleErrors.needsHttps();
  return cookie;
}
