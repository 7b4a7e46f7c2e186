import type { AssetBody, CatalogApi, Versioned } from '../../workspace/api/workspace-api.ts';
import { findItem, splitPath } from './find-item.ts';

export interface PutOptions {
  /** Store only if the asset still has this revision. */
  readonly ifMatch?: string;
  readonly description?: string;
}

/** Creates or replaces the asset at `path`. Throws a ServiceError. */
export async function putAsset(
  { catalog }: { readonly catalog: CatalogApi },
  path: string,
  content: string,
  { ifMatch, ...more }: PutOptions,
): Promise<Versioned<AssetBody>> {
  if (ifMatch !== undefined || (await findItem(catalog, path))) {
    return catalog.updateAsset(path, ifMatch ?? '*', { content, ...more });
  }
  const { parent, name } = splitPath(path);
  // A path of one name would be at the level of the namespaces; the catalog's error names it.
  return catalog.createAsset({ parent_path: parent || name, name, content, ...more });
}
