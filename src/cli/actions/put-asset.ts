import type { AssetBody, CatalogApi, Versioned } from '../../workspace/api/workspace-api.ts';
import { findItem, splitPath } from './find-item.ts';

export interface PutOptions {
  /** Only when the asset is still at this revision. */
  readonly ifMatch?: string;
  readonly description?: string;
}

/** Stores a text as the asset at `path`: makes it, or replaces what is there. Throws a ServiceError. */
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
  // A path of one name would stand beside the namespaces: the catalog refuses it by that name.
  return catalog.createAsset({ parent_path: parent || name, name, content, ...more });
}
