import type { FastifyRequest } from 'fastify';
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
import { addUnsupported } from './unsupported.ts';

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
