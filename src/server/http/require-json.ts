import type { FastifyInstance } from 'fastify';
import { serverErrors } from '../errors.ts';
import { acceptsAny } from './accepts-any.ts';

/** Refuses requests of a scope whose `Accept` rules JSON out (interface 1, 7). Throws 406. */
export function requireJson(scope: FastifyInstance): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    if (!acceptsAny(request, ['application/json'])) throw serverErrors.notAcceptable('application/json');
    done();
  });
}
