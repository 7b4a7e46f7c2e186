import { isAtLeast, type Level } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { elementAt, present } from '../invariants/must.ts';
import { HUB_ROOT_ID, homeRootId, SHARED_ROOT_ID } from '../store/values/roots.ts';
import { isFolder } from './asset.ts';
import type { CatalogContext } from './context.ts';
import { pathNotFound } from './errors.ts';
import { type CatalogPath, NAMESPACES, type Namespace, parsePath, printPath } from './path.ts';
import type { Child, Item } from './store.ts';

/** An item and how it was reached. */
export interface LocatedItem {
  readonly item: Item;
  /** Where it is, as answered. */
  readonly path: CatalogPath;
  /** The ids from the namespace's root to the item. */
  readonly chain: readonly string[];
}

/** The deepest item that exists on the way to a path, and what the caller may do with it. */
export interface Reached extends LocatedItem {
  readonly level: Level;
  /** Whether it is the item asked for. */
  readonly complete: boolean;
}

/** The id of the root that a namespace means to a caller: `@Personal` is the caller's own, always. */
export function rootId(namespace: Namespace, principal: Principal): string {
  const ids: Readonly<Record<Namespace, string>> = {
    '@Personal': homeRootId(principal.userId),
    '@Shared': SHARED_ROOT_ID,
    '@Project Hub': HUB_ROOT_ID,
  };
  return ids[namespace];
}

/** Whether the item is a namespace's root: everybody may read those, nobody may change them. */
export function isRoot(item: Item): boolean {
  return item.parentId === null;
}

/** Follows a decoded path as far as it exists. Throws 404 for a text that is no path. */
export function reach(context: CatalogContext, principal: Principal, text: string): Reached {
  const { store, permissions } = context;
  const path = parsePath(text);
  const chain = store.findChain(rootId(path.namespace, principal), path.names);
  const item = store.find(elementAt(chain, -1));
  if (item === undefined) throw pathNotFound(text);
  const complete = chain.length === path.names.length + 1;
  return { item, path, chain, complete, level: permissions.levelOf(principal, chain) };
}

/** The item of an id that the caller may view, in the caller's namespaces; null without one. */
export function findVisibleById(
  context: CatalogContext,
  principal: Principal,
  id: string,
): LocatedItem | null {
  const items: Item[] = [];
  for (let next: string | null = id; next !== null; ) {
    const found = context.store.find(next);
    if (found === undefined) return null;
    items.push(found);
    next = found.parentId;
  }
  const [root, ...below] = items.reverse();
  const namespace = NAMESPACES.find((name) => rootId(name, principal) === present(root).id);
  if (namespace === undefined) return null;
  const chain = items.map((item) => item.id);
  const visible = below.length === 0 || isAtLeast(context.permissions.levelOf(principal, chain), 'VIEW');
  if (!visible) return null;
  return {
    item: below.at(-1) ?? present(root),
    path: { namespace, names: below.map(({ name }) => name) },
    chain,
  };
}

/** The children of a folder that the caller may view, by name. */
export function listVisible(
  context: CatalogContext,
  principal: Principal,
  { item, chain }: LocatedItem,
): Child[] {
  const levelOf = context.permissions.levelsBelow(principal, chain);
  return context.store.listChildren(item.id).filter((child) => isAtLeast(levelOf(child.id), 'VIEW'));
}

/** The item at a path that the caller may view. Throws 404. */
export function findVisible(context: CatalogContext, principal: Principal, text: string): LocatedItem {
  const reached = reach(context, principal, text);
  const visible = isRoot(reached.item) || isAtLeast(reached.level, 'VIEW');
  if (!reached.complete || !visible) throw pathNotFound(text);
  return reached;
}

/** Throws 404 for a path on which something is that the caller may not view; nothing needs to be there. */
export function checkVisible(context: CatalogContext, principal: Principal, text: string): void {
  const { item, level } = reach(context, principal, text);
  if (!isRoot(item) && !isAtLeast(level, 'VIEW')) throw pathNotFound(text);
}

/** The item at a path that the caller may edit, a root or not. Throws 404. */
export function findEditable(context: CatalogContext, principal: Principal, text: string): LocatedItem {
  const reached = reach(context, principal, text);
  if (!reached.complete || !isAtLeast(reached.level, 'EDIT')) throw pathNotFound(text);
  return reached;
}

/**
 * The folder at a path in which the caller may put something. Throws 404, and `whenAsset` when an asset is
 * there.
 */
export function findParent(
  context: CatalogContext,
  principal: Principal,
  text: string,
  whenAsset: (text: string) => Error,
): LocatedItem {
  const place = findEditable(context, principal, text);
  if (!isFolder(place.item.type)) throw whenAsset(text);
  return place;
}

/** The path of a child, as answered. */
export function printChildPath(parent: CatalogPath, name: string): string {
  return `${printPath(parent)}/${name}`;
}
