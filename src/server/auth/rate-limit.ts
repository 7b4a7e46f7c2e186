import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { serverErrors } from '../http/errors.ts';

const WINDOW_MS = 60_000;
/** How many tokens are counted; of more, the one that was used least lately is forgotten. */
const MAX_TOKENS = 10_000;

/**
 * A hook for scopes that require a token: it answers 429 to the requests of a token beyond so many in a minute, and
 * tells of every other how many are left. Null without a limit.
 */
export async function createRateLimit(
  app: FastifyInstance,
  perMinute: number | null,
): Promise<onRequestAsyncHookHandler | null> {
  if (perMinute === null) return null;
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
