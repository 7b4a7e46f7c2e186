import { ServiceError } from '../../errors/service-error.ts';
import { isFolderType } from '../../workspace/api/item-types.ts';
import type { CatalogApi, ItemBody, Versioned } from '../../workspace/api/workspace-api.ts';

/** The item at a path, or undefined if it does not exist. */
export async function findItem(catalog: CatalogApi, path: string): Promise<Versioned<ItemBody> | undefined> {
  try {
    return await catalog.get(path);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}

/** A catalog path without slashes at its ends, split before its last name. */
export function splitPath(path: string): { readonly parent: string; readonly name: string } {
  const clean = path.replace(/^\/|\/$/g, '');
  const at = clean.lastIndexOf('/');
  return { parent: clean.slice(0, Math.max(at, 0)), name: clean.slice(at + 1) };
}

/** Whether an item has children. */
export function isFolder({ type }: Pick<ItemBody, 'type'>): boolean {
  return isFolderType(type);
}
