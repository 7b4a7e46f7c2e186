import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServiceError } from '../../errors/service-error.ts';
import { serverErrors } from './errors.ts';
import { printPath } from './request-target.ts';

/** Has a scope answer 404 to what it has no route for, after its hooks (catalog 15). */
export function refuseUnknownRoutes(scope: FastifyInstance): void {
  scope.setNotFoundHandler((request) => {
    throw toRouteNotFound(request);
  });
}

/** The refusal of a request for which there is no route. */
export function toRouteNotFound(request: FastifyRequest): ServiceError {
  return serverErrors.routeNotFound(request.method, printPath(request));
}
