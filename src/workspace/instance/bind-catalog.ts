import type { CatalogService, ServedContents } from '../../catalog/service.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import type { CatalogApi, Content } from '../api/workspace-api.ts';

/** The catalog for one principal. */
export function bindCatalog(service: CatalogService, principal: Principal): CatalogApi {
  return {
    ...bindItems(service, principal),
    get: async (path, projectVersion) => service.get(principal, path, projectVersion),
    createAsset: async (body) => service.createAsset(principal, body),
    updateAsset: async (path, ifMatch, body) => service.updateAsset(principal, path, ifMatch, body),
  };
}

/** The catalog for one principal of a server. */
export function bindServedCatalog(service: CatalogService, principal: Principal): CatalogApi<Content> {
  const { served } = service;
  return {
    ...bindItems(service, principal),
    get: async (path, projectVersion) => served.get(principal, path, projectVersion),
    createAsset: (body) => served.createAsset(principal, body),
    updateAsset: (path, ifMatch, body) => served.updateAsset(principal, path, ifMatch, body),
  };
}

function bindItems(
  service: CatalogService,
  principal: Principal,
): Omit<CatalogApi, Exclude<keyof ServedContents, 'removeLeftParts'>> {
  return {
    list: async (path, projectVersion) => service.list(principal, path, projectVersion),
    createFolder: async (body) => service.createFolder(principal, body),
    checkTarget: async (path, ifMatch, kind) => service.checkTarget(principal, path, ifMatch, kind),
    updateFolder: async (path, ifMatch, body) => service.updateFolder(principal, path, ifMatch, body),
    deleteFolder: async (path, ifMatch) => service.deleteFolder(principal, path, ifMatch),
    deleteAsset: async (path, ifMatch) => service.deleteAsset(principal, path, ifMatch),
    deleteTree: async (path, ifMatch) => service.deleteTree(principal, path, ifMatch),
  };
}
