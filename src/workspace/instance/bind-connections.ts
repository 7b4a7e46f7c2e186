import { listKinds } from '../../connections/record.ts';
import type { ConnectionService } from '../../connections/service.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import type { ConnectionsApi } from '../api/workspace-api.ts';

/** The connections for one principal. */
export function bindConnections(service: ConnectionService, principal: Principal): ConnectionsApi {
  return {
    list: async () => service.list(principal),
    get: async (name) => service.get(principal, name),
    create: async (body, folder) => service.create(principal, body, folder),
    replace: async (body, folder) => service.replace(principal, body, folder),
    delete: async (name) => service.delete(principal, name),
    listKinds: async () => listKinds(),
  };
}
