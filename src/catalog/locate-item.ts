import type { LocatedPlace } from '../identity/grants/grant-target.ts';
import type { Principal } from '../identity/principal/principal.ts';
import type { CatalogContext } from './context.ts';
import { findVisible } from './find-item.ts';
import { printPath } from './path.ts';

/** The items from the namespace's root to the item at a path that the caller may view. Throws 404. */
export function locateItem(context: CatalogContext, principal: Principal, text: string): LocatedPlace[] {
  const { path, chain } = findVisible(context, principal, text);
  const { namespace, names } = path;
  return chain.map((id, depth) => ({ id, path: printPath({ namespace, names: names.slice(0, depth) }) }));
}

/** The path of an item, without a permission check; null for a missing item, or one in any user's `@Personal`. */
export function printItemPath({ store }: CatalogContext, id: string): string | null {
  const names: string[] = [];
  for (let next = id; ; ) {
    const item = store.find(next);
    if (item === undefined) return null;
    const { parentId, name } = item;
    if (parentId === null) return item.type === 'USER_HOME' ? null : [name, ...names.reverse()].join('/');
    names.push(name);
    next = parentId;
  }
}
