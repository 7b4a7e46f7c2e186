import { isAtLeast, type Level } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { elementAt, present } from '../invariants/must.ts';
import { HUB_ROOT_ID, homeRootId, SHARED_ROOT_ID } from '../store/values/roots.ts';
import { isFolder } from './asset.ts';
import type { CatalogContext } from './context.ts';
import { pathNotFound } from './errors.ts';
import { type CatalogPath, NAMESPACES, type Namespace, parsePath, printPath } from './path.ts';
import type { Child, Item } from './store.ts';

/** An item and its path. */
export interface LocatedItem {
  readonly item: Item;
  /** The path in the form of responses. */
  readonly path: CatalogPath;
  /** The ids from the namespace's root to the item. */
  readonly chain: readonly string[];
}

/** The deepest existing item on a path, and the caller's permissions on it. */
export interface Reached extends LocatedItem {
  readonly level: Level;
  /** Whether it is the requested item. */
  readonly complete: boolean;
}

/** The root id of a namespace for a caller: `@Personal` is always the caller's own. */
export function rootId(namespace: Namespace, principal: Principal): string {
  const ids: Readonly<Record<Namespace, string>> = {
    '@Personal': homeRootId(principal.userId),
    '@Shared': SHARED_ROOT_ID,
    '@Project Hub': HUB_ROOT_ID,
  };
  return ids[namespace];
}

/** Whether the item is a namespace's root: all users may read roots, and no user may change them. */
export function isRoot(item: Item): boolean {
  return item.parentId === null;
}

/** Whether an item is in the bin, or below one that is. */
export function isInBin(context: CatalogContext, id: string): boolean {
  return findTop(context, id)?.name === '';
}

/** The root above an item; undefined for an item that is missing. */
export function findTop({ store }: CatalogContext, id: string): Item | undefined {
  for (let next = id; ; ) {
    const item = store.find(next);
    if (item === undefined || item.parentId === null) return item;
    next = item.parentId;
  }
}

/** Follows a decoded path as far as it exists. Throws 404 for an invalid path. */
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
    const item = context.store.find(next);
    if (item === undefined) return null;
    items.push(item);
    next = item.parentId;
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

/** Throws 404 if the caller may not view an item on the path; the path itself may be missing. */
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

/** The folder at a path where the caller may create items. Throws 404, and `whenAsset` if the path is an asset. */
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

/** The path of a child, in the form of responses. */
export function printChildPath(parent: CatalogPath, name: string): string {
  return `${printPath(parent)}/${name}`;
}
