import type { FastifyInstance, FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import type { ServiceError } from '../../errors/service-error.ts';
import { serverErrors } from './errors.ts';
import { refuseOtherMethods } from './refuse-other-methods.ts';
import { printRequestPath } from './request-target.ts';

/** The methods of routes. No route has another method, so that requests with one are requests without a route. */
const USED = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/**
 * Makes a scope respond with 404 to unknown routes, and with 405 and `Allow` to methods without a route, after its
 * hooks (docs/reference/http-api.md#failures). Call it after these hooks and before the scope's routes are added, and
 * the returned function after them. The router knows each URL only with the methods of USED, because a scope has many
 * URLs and Node parses 34 methods.
 */
export function refuseUnknownRoutes(scope: FastifyInstance): () => void {
  const refuseOthers = refuseOtherMethods(scope, USED);
  let findAllowed: ReturnType<typeof createFinder> = () => undefined;
  scope.addHook('onRequest', (request, reply, done) => {
    const allowed = request.is404 ? findAllowed(request.url) : undefined;
    if (allowed === undefined) {
      done();
      return;
    }
    reply.header('allow', allowed);
    done(serverErrors.methodNotAllowed(request.method, allowed));
  });
  scope.setNotFoundHandler((request) => {
    throw toRouteNotFound(request);
  });
  return () => {
    findAllowed = createFinder(refuseOthers());
  };
}

/** Finds the allowed methods of the route that a request target belongs to. */
function createFinder(methods: ReadonlyMap<string, string>): (target: string) => string | undefined {
  let router: ReturnType<typeof findMyWay> | undefined;
  return (target) => {
    router ??= createRouter(methods);
    const store: { readonly allowed: string } | null | undefined = router.find('GET', target)?.store;
    return store?.allowed;
  };
}

function createRouter(methods: ReadonlyMap<string, string>): ReturnType<typeof findMyWay> {
  const router = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });
  for (const [url, allowed] of methods) router.on('GET', url, () => undefined, { allowed });
  return router;
}

/** The error for a request without a route. */
export function toRouteNotFound(request: FastifyRequest): ServiceError {
  return serverErrors.routeNotFound(request.method, printRequestPath(request));
}
