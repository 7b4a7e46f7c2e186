import type { FastifyInstance } from 'fastify';
import { acceptsAny } from './accepts-any.ts';
import { serverErrors } from './errors.ts';

/** Refuses requests of a scope that is answered with JSON and whose `Accept` rules it out (interface 1, 7). Throws 406. */
export function requireJson(scope: FastifyInstance): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    // A deletion has no body to choose.
    if (request.method !== 'DELETE' && !acceptsAny(request, ['application/json']))
      throw serverErrors.notAcceptable('application/json');
    done();
  });
}
