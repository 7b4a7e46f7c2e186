import type { Versioned } from '../../catalog/asset.ts';
import { isFolder } from '../../catalog/asset.ts';
import type { ItemBody } from '../../catalog/item-body.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';

/** The catalog with its caller. */
export type CallerCatalog = Pick<Workspace, 'catalog' | 'principal'>;

/** The item at a path, or undefined if it does not exist. */
export function findItem(
  { catalog, principal }: CallerCatalog,
  path: string,
): Versioned<ItemBody> | undefined {
  try {
    return catalog.get(principal, path);
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
export function hasChildren({ type }: Pick<ItemBody, 'type'>): boolean {
  return isFolder(type);
}
