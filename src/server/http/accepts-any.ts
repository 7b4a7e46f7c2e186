import type { FastifyRequest } from 'fastify';

/** Whether a request's `Accept` allows one of some types, whose answers are UTF-8; it may say so, as `; charset=utf-8`. */
export function acceptsAny(request: FastifyRequest, types: readonly string[]): boolean {
  if (request.headers.accept === undefined) return true;
  const offered = types.flatMap((type) => [type, `${type}; charset=utf-8`]);
  return request.accepts().type(offered) !== false;
}
