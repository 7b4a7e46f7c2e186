import type { FastifyInstance } from 'fastify';
import type { App } from '../http/typed-app.ts';
import { provisioningErrors } from './errors.ts';

/** Returns 501 for `/Bulk` and `/Me` (RFC 7644, 3.7 and 3.11), without reading their bodies. */
export function addUnsupported(app: App): void {
  app.register(async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const url of ['/Bulk', '/Me']) {
      scope.route({
        url,
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        schema: { hide: true, scope: 'any' },
        handler: () => {
          throw provisioningErrors.notSupported(url);
        },
      });
    }
  });
}
