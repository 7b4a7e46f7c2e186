import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Instance } from '../../workspace/instance/instance.ts';
import { consoleErrors } from './errors.ts';
import { checkSameOrigin } from './origin.ts';
import { findSessionCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the principal; set only in scopes that require one. */
    session: { readonly id: string; readonly csrfToken: string };
  }
}

/** Methods that change nothing. */
const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/**
 * A hook for scopes in which every request requires a session (docs/reference/sessions.md#requests). It runs before
 * bodies are read, and sets the request's `principal` and `session`. It reads only the cookie, never bearer
 * tokens. A request that changes something must come from the console's origin and have the session's CSRF token.
 * Throws 401 and 403.
 */
export function createSessionHook(instance: Instance): onRequestHookHandler {
  return (request, _reply, done) => {
    const cookie = findSessionCookie(request);
    const value = cookie === null ? undefined : request.cookies[cookie.name];
    const from = { address: request.ip, requestId: request.id };
    const session = value === undefined ? null : instance.accounts.sessions.verify(value, from);
    if (session === null) throw consoleErrors.noSession();
    if (!SAFE.includes(request.method)) {
      checkSameOrigin(request);
      checkCsrfToken(request, session.csrfToken);
    }
    request.principal = session.principal;
    request.session = { id: session.sessionId, csrfToken: session.csrfToken };
    done();
  };
}

function checkCsrfToken(request: FastifyRequest, expected: string): void {
  const token = Buffer.from(String(request.headers['x-csrf-token'] ?? ''));
  const wanted = Buffer.from(expected);
  if (token.length !== wanted.length || !timingSafeEqual(token, wanted)) throw consoleErrors.wrongCsrfToken();
}
