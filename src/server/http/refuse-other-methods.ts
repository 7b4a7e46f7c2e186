import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify';
import { serverErrors } from '../errors.ts';

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Has every URL of a scope answer 405, with `Allow`, to the methods that it has no route for; to be called before the
 * scope's routes are added, and the function it returns after them.
 */
export function refuseOtherMethods(scope: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  scope.addHook('onRoute', ({ url, method }: RouteOptions) => {
    const known = methodsOf.get(url) ?? new Set();
    for (const each of [method].flat()) known.add(each);
    methodsOf.set(url, known);
  });
  return () => {
    for (const [url, known] of [...methodsOf]) refuse(scope, url, known);
  };
}

function refuse(scope: FastifyInstance, url: string, known: ReadonlySet<string>): void {
  const path = scope.prefix === '' ? url : url.slice(scope.prefix.length);
  const allowed = [...known].join(', ');
  scope.route({
    url: path,
    method: METHODS.filter((method) => !known.has(method)),
    schema: { hide: true },
    handler: (request, reply) => {
      reply.header('allow', allowed);
      throw serverErrors.methodNotAllowed(request.method, allowed);
    },
  });
}
