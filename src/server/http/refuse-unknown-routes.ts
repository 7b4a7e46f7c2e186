import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServiceError } from '../../errors/service-error.ts';
import { serverErrors } from './errors.ts';
import { printPath } from './request-target.ts';

/** Makes a scope respond with 404 to unknown routes, after its hooks (catalog 15). */
export function refuseUnknownRoutes(scope: FastifyInstance): void {
  scope.setNotFoundHandler((request) => {
    throw toRouteNotFound(request);
  });
}

/** The error for a request without a route. */
export function toRouteNotFound(request: FastifyRequest): ServiceError {
  return serverErrors.routeNotFound(request.method, printPath(request));
}
