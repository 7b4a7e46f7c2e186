import type { Versioned } from '../../catalog/asset.ts';
import type { AssetBody } from '../../catalog/item-body.ts';
import { type CallerCatalog, findItem, splitPath } from './find-item.ts';

export interface PutOptions {
  /** Store only if the asset still has this revision. */
  readonly ifMatch?: string;
  readonly description?: string;
}

/** Creates or replaces the asset at `path`. Throws a ServiceError. */
export function putAsset(
  caller: CallerCatalog,
  path: string,
  content: string,
  { ifMatch, ...more }: PutOptions,
): Versioned<AssetBody> {
  const { catalog, principal } = caller;
  if (ifMatch !== undefined || findItem(caller, path)) {
    return catalog.updateAsset(principal, path, ifMatch ?? '*', { content, ...more });
  }
  const { parent, name } = splitPath(path);
  // A path of one name would be at the level of the namespaces; the catalog's error names it.
  return catalog.createAsset(principal, { parentPath: parent || name, name, content, ...more });
}
