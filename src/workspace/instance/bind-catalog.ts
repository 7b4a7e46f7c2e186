import type { CatalogService } from '../../catalog/service.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import type { CatalogApi } from '../api/workspace-api.ts';

/** The catalog for one principal. */
export function bindCatalog(service: CatalogService, principal: Principal): CatalogApi {
  return {
    list: async (path, projectVersion) => service.list(principal, path, projectVersion),
    get: async (path, projectVersion) => service.get(principal, path, projectVersion),
    createFolder: async (body) => service.createFolder(principal, body),
    createAsset: async (body) => service.createAsset(principal, body),
    checkTarget: async (path, ifMatch, kind) => service.checkTarget(principal, path, ifMatch, kind),
    updateFolder: async (path, ifMatch, body) => service.updateFolder(principal, path, ifMatch, body),
    updateAsset: async (path, ifMatch, body) => service.updateAsset(principal, path, ifMatch, body),
    deleteFolder: async (path, ifMatch) => service.deleteFolder(principal, path, ifMatch),
    deleteAsset: async (path, ifMatch) => service.deleteAsset(principal, path, ifMatch),
    deleteTree: async (path, ifMatch) => service.deleteTree(principal, path, ifMatch),
  };
}
