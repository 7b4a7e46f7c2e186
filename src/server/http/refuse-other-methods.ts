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
 * are added, and the returned function after them. By default it refuses all methods that Node parses; otherwise
 * `methods`. The returned function returns the allowed methods of each URL.
 */
export function refuseOtherMethods(
  scope: FastifyInstance,
  methods: readonly string[] = ROUTED,
): () => ReadonlyMap<string, string> {
  const urls = new Set<string>();
  scope.addHook('onRoute', ({ url }: RouteOptions) => {
    urls.add(url);
  });
  return () => new Map([...urls].map((url) => [url, refuse(scope, url, methods)]));
}

function refuse(scope: FastifyInstance, url: string, methods: readonly string[]): string {
  const path = scope.prefix === '' ? url : url.slice(scope.prefix.length);
  const isKnown = (method: string) => scope.hasRoute({ url, method: method as HTTPMethods });
  const allowed = methods.filter(isKnown).join(', ');
  const others = methods.filter((method) => !isKnown(method));
  if (others.length === 0) return allowed;
  scope.route({
    url: path,
    method: others as HTTPMethods[],
    schema: { hide: true, scope: 'any' },
    // This hook runs before any body is read.
    onRequest: (request, reply) => {
      reply.header('allow', allowed);
      throw serverErrors.methodNotAllowed(request.method, allowed);
    },
    handler: () => undefined,
  });
  return allowed;
}
