import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { serverErrors } from '../http/errors.ts';

const WINDOW_MS = 60_000;
/** Maximum counted tokens; beyond that, the least recently used one is removed. */
const MAX_TOKENS = 10_000;

/**
 * A hook for scopes that require a token. It returns 429 for requests beyond the limit per minute of a token, and sends
 * the number of remaining requests with all others. Null without a limit.
 */
export async function createRateLimit(app: FastifyInstance): Promise<onRequestAsyncHookHandler | null> {
  const { rateLimit: perMinute } = app.settings;
  if (perMinute === 0) return null;
  await app.register(rateLimit, {
    global: false,
    max: perMinute,
    timeWindow: WINDOW_MS,
    cache: MAX_TOKENS,
    keyGenerator: ({ principal }) => principal.origin?.tokenId ?? principal.userId,
    errorResponseBuilder: (_request, { ttl }) => serverErrors.tooManyRequests(Math.ceil(ttl / 1000)),
  });
  return app.rateLimit() as onRequestAsyncHookHandler;
}
