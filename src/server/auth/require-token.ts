import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { isLoopback, toNetwork } from '../../identity/sessions/client-address.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { serverErrors } from '../http/errors.ts';
import { createBadTokenLimit } from './bad-token-limit.ts';

/**
 * A hook for scopes in which every request requires a valid bearer token (docs/reference/tokens.md#sending-a-token). It
 * runs before bodies are read, and sets the request's `principal`. It ignores cookies. Throws 401, or 429 for
 * addresses that send too many invalid tokens.
 */
export function createTokenHook(instance: Instance): onRequestHookHandler {
  const limit = createBadTokenLimit();

  function refuse(request: FastifyRequest): never {
    const isCounted = request.server.settings.limitLoopback || !isLoopback(request.ip);
    const wait = isCounted ? limit.note(toNetwork(request.ip), performance.now()) : null;
    throw wait === null ? serverErrors.noToken() : serverErrors.tooManyBadTokens(wait);
  }

  return (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    const token = parseBearerToken(request.headers.authorization);
    const from = { address: request.ip, requestId: request.id };
    const principal = token === null ? null : instance.accounts.tokens.verify(token, from);
    if (principal === null) return refuse(request);
    request.principal = principal;
    done();
  };
}

/**
 * The token of an `Authorization: Bearer <token>` header (docs/reference/tokens.md#sending-a-token); null for any other
 * or no header.
 */
function parseBearerToken(header: string | undefined): string | null {
  return /^bearer ([!-~]+)$/i.exec(header ?? '')?.[1] ?? null;
}
