import type { FastifyRequest } from 'fastify';

/** Whether a request's `Accept` allows one of some types. */
export function acceptsAny(request: FastifyRequest, types: readonly string[]): boolean {
  return request.headers.accept === undefined || request.accepts().type([...types]) !== false;
}
