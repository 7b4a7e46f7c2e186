import { METHODS } from 'node:http';
import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify';
import { serverErrors } from './errors.ts';

/** The methods that Node parses and that routes can have; CONNECT has no path. */
const ROUTED = METHODS.filter((method) => method !== 'CONNECT');
/** The methods that Fastify supports by default. */
const BUILT_IN = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** Adds every HTTP method to the router, so that a route can refuse it. Call it before any route is added. */
export function knowAllMethods(app: FastifyInstance): void {
  for (const method of ROUTED) {
    // Fastify would refuse QUERY without a content type before routing.
    if (!BUILT_IN.includes(method)) app.addHttpMethod(method, { overrideExisting: true });
  }
}

/**
 * Makes every URL of a scope respond with 405 and `Allow` to methods without a route. Call it before the scope's routes
 * are added, and the returned function after them.
 */
export function refuseOtherMethods(scope: FastifyInstance): () => void {
  const urls = new Set<string>();
  scope.addHook('onRoute', ({ url }: RouteOptions) => {
    urls.add(url);
  });
  return () => {
    for (const url of [...urls]) refuse(scope, url);
  };
}

function refuse(scope: FastifyInstance, url: string): void {
  const path = scope.prefix === '' ? url : url.slice(scope.prefix.length);
  const isKnown = (method: string) => scope.hasRoute({ url, method: method as HTTPMethods });
  const allowed = ROUTED.filter(isKnown).join(', ');
  const others = ROUTED.filter((method) => !isKnown(method));
  if (others.length === 0) return;
  scope.route({
    url: path,
    method: others as HTTPMethods[],
    schema: { hide: true },
    // This hook runs before any body is read.
    onRequest: (request, reply) => {
      reply.header('allow', allowed);
      throw serverErrors.methodNotAllowed(request.method, allowed);
    },
    handler: () => undefined,
  });
}
