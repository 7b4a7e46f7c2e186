import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Instance } from '../../workspace/instance/instance.ts';
import { createAdministratorHook } from '../auth/require-administrator.ts';
import { refuseUnknownRoutes } from '../http/refuse-unknown-routes.ts';
import type { App } from '../http/typed-app.ts';
import { addDiscovery } from './discovery.ts';
import { provisioningErrors } from './errors.ts';
import { speakScim } from './media-type.ts';
import { toScimBase } from './prefix.ts';
import { addResources } from './resources.ts';
import { addScimSearch } from './search.ts';

/** The routes of provisioning (docs/reference/scim.md#routes), only for administrators, unknown routes included. */
export function addScimRoutes(app: App, instance: Instance): void {
  app.addHook('onRequest', createAdministratorHook(provisioningErrors.administratorsOnly));
  speakScim(app);
  const refuseOthers = refuseUnknownRoutes(app);
  const scimOf = (request: FastifyRequest) => instance.scim(request.principal, toScimBase(request));
  addResources(app, scimOf);
  addScimSearch(app, scimOf);
  addDiscovery(app);
  addUnsupported(app);
  app.after(refuseOthers);
}

/** Returns 501 for `/Bulk` and `/Me` (RFC 7644, 3.7 and 3.11), without reading their bodies. */
function addUnsupported(app: App): void {
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
