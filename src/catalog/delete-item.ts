import type { Principal } from '../identity/principal/principal.ts';
import { notNull, present } from '../invariants/must.ts';
import { toTimestamp } from '../store/values/clock.ts';
import { isFolder } from './asset.ts';
import type { TreeSize } from './bin-rows.ts';
import { type ChangeTarget, findChangeable, findChangedAsset, findFolder } from './change-item.ts';
import type { CatalogContext } from './context.ts';
import { folderNotEmpty } from './errors.ts';
import type { LocatedItem } from './find-item.ts';
import { printPath } from './path.ts';
import { listFolder } from './read-items.ts';

/** How something is deleted. */
export interface Deletion {
  /** Whether the bin does not keep it. */
  readonly isForever?: boolean | undefined;
}

/** `DELETE /catalog/folders` (docs/reference/http-catalog.md#changing). */
export function deleteFolder(
  context: CatalogContext,
  principal: Principal,
  target: ChangeTarget,
  deletion: Deletion = {},
): void {
  context.database.write(() => {
    const place = findFolder(context, principal, target);
    if (context.store.hasChildren(place.item.id)) throw folderNotEmpty();
    remove(context, principal, place, deletion);
  });
}

/** `DELETE /catalog/assets` (docs/reference/http-catalog.md#changing). */
export function deleteAsset(
  context: CatalogContext,
  principal: Principal,
  target: ChangeTarget,
  deletion: Deletion = {},
): void {
  context.database.write(() => {
    remove(context, principal, findChangedAsset(context, principal, target), deletion);
  });
}

/**
 * Like `deleteAsset`, but only detaches the long contents of an asset that the bin does not keep, and returns their ids;
 * the caller removes them.
 */
export function detachAsset(
  context: CatalogContext,
  principal: Principal,
  target: ChangeTarget,
): readonly string[] {
  const { database, store } = context;
  return database.write(() => {
    const place = findChangedAsset(context, principal, target);
    const { id } = place.item;
    const longIds = hasBin(context) ? [] : store.unlinkLong(id);
    remove(context, principal, place, {});
    return longIds;
  });
}

/**
 * Deletes a folder and everything below it atomically; the rules for deletion apply to each item. Returns the number of
 * items below it.
 */
export function deleteTree(
  context: CatalogContext,
  principal: Principal,
  target: ChangeTarget,
  deletion: Deletion = {},
): number {
  return context.database.write(() => {
    const place = findFolder(context, principal, target);
    const below = listTree(context, principal, target.path);
    for (const path of below.toReversed()) findChangeable(context, principal, path);
    const size = context.store.measureTree(place.item.id);
    if (size.items - 1 !== below.length) throw folderNotEmpty();
    remove(context, principal, place, deletion, size);
    return below.length;
  });
}

/** The paths of the items below a folder that the principal may view, each folder before its contents. */
function listTree(context: CatalogContext, principal: Principal, path: string): string[] {
  const paths: string[] = [];
  for (const waiting = [path]; waiting.length > 0; ) {
    const { data } = listFolder(context, principal, present(waiting.pop()));
    for (const item of data) {
      paths.push(item.path);
      if (isFolder(item.type)) waiting.push(item.path);
    }
  }
  return paths;
}

/** Whether the bin keeps deleted items. The caller holds the transaction. */
export function hasBin({ findBinDays }: CatalogContext): boolean {
  return findBinDays() > 0;
}

function remove(
  context: CatalogContext,
  principal: Principal,
  place: LocatedItem,
  { isForever }: Deletion,
  size?: TreeSize,
): void {
  const { store } = context;
  const { id } = place.item;
  if (isForever || !hasBin(context)) store.deleteTree(id);
  else moveToBin(context, principal, place, size ?? store.measureTree(id));
}

/**
 * Moves an item with everything below it to the bin: no path leads to it any more. Without a size, the caller counts the
 * items next. The caller holds the transaction.
 */
export function moveToBin(
  { store, newId, clock }: CatalogContext,
  principal: Principal,
  { item, path }: LocatedItem,
  size: TreeSize | null,
): void {
  store.addDeleted({
    id: newId(),
    itemId: item.id,
    type: item.type,
    name: item.name,
    parentId: notNull(item.parentId),
    ownerId: path.namespace === '@Personal' ? principal.userId : null,
    path: printPath(path),
    items: size?.items ?? null,
    bytes: size?.bytes ?? null,
    deletedAt: toTimestamp(clock()),
    userId: principal.userId,
    userName: principal.userName,
  });
  store.detach(item.id);
}
