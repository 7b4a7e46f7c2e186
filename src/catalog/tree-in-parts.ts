import type { Principal } from '../identity/principal/principal.ts';
import { elementAt, present } from '../invariants/must.ts';
import { takeTurn } from '../turns/take-turn.ts';
import { isFolder } from './asset.ts';
import { type ChangeTarget, findChangeable, findFolder } from './change-item.ts';
import { checkMove } from './check-change.ts';
import type { CatalogContext } from './context.ts';
import { hasBin, moveToBin } from './delete-item.ts';
import { folderNotEmpty } from './errors.ts';
import type { FolderSizeBody } from './item-body.ts';
import { printPath } from './path.ts';
import { listFolder } from './read-items.ts';
import type { CatalogStore } from './store.ts';

/** The count that ends the search for further folders. */
const MAX_COUNTED = 10_000;

/** Counts the items below a folder; other requests run between two folders. Rejects with the errors of a listing. */
export async function countBelow(
  context: CatalogContext,
  principal: Principal,
  path: string,
): Promise<FolderSizeBody> {
  let scripts = 0;
  /** The folder itself, and the folders below it. */
  const folders = [path];
  for (let at = 0; at < folders.length; at += 1) {
    if (folders.length - 1 + scripts >= MAX_COUNTED)
      return { folders: folders.length - 1, scripts, is_complete: false };
    if (at > 0) await takeTurn();
    for (const item of listFolder(context, principal, elementAt(folders, at)).data) {
      if (isFolder(item.type)) folders.push(item.path);
      else scripts += 1;
    }
  }
  return { folders: folders.length - 1, scripts, is_complete: true };
}

// Deletion of whole folders by a server, where each transaction blocks other callers. One short transaction takes the
// folder out of the catalog; its rows are counted for the bin, or deleted, in several further ones. The next server of
// the home deletes the rows that a killed server has left.

/** The time of one step, in milliseconds. */
const PIECE_MS = 5;
/** The number of items that one statement deletes. */
const ITEMS_AT_ONCE = 20;
/** The number of items that one statement counts. */
const COUNTED_AT_ONCE = 200;

/** Like `deleteTree`. Rejects with its errors. */
export async function deleteTreeInParts(
  context: CatalogContext,
  principal: Principal,
  target: ChangeTarget,
): Promise<number> {
  const { database } = context;
  const isWhole = database.read(() => mayDeleteAll(context, principal, target));
  if (!isWhole) await refuseTree(context, principal, target.path);
  const { id, isKept } = database.write(() => {
    if (!mayDeleteAll(context, principal, target)) throw folderNotEmpty();
    const place = findFolder(context, principal, target);
    const keeps = hasBin(context);
    if (keeps) moveToBin(context, principal, place, null);
    else context.store.detach(place.item.id);
    return { id: place.item.id, isKept: keeps };
  });
  const count = isKept ? countDeleted(context, id) : removeDetached(context, id);
  return (await count) - 1;
}

/** Counts a folder in the bin with everything below it, step by step; returns the number of items. */
export async function countDeleted({ database, store }: CatalogContext, id: string): Promise<number> {
  const count: Count = { items: 1, bytes: 0, waiting: [{ folder: id, after: '' }] };
  while (count.waiting.length > 0) {
    await takeTurn();
    database.read(() => countSome(store, count));
  }
  const { items, bytes } = count;
  database.write(() => store.setDeletedSize(id, { items, bytes }));
  return items;
}

/** A count that has not ended, with the folders whose items after a name are not counted yet. */
interface Count {
  items: number;
  bytes: number;
  readonly waiting: { readonly folder: string; readonly after: string }[];
}

function countSome(store: CatalogStore, count: Count): void {
  const end = performance.now() + PIECE_MS;
  do {
    const { folder, after } = present(count.waiting.pop());
    const children = store.listSizes(folder, after, COUNTED_AT_ONCE);
    if (children.length === COUNTED_AT_ONCE)
      count.waiting.push({ folder, after: elementAt(children, -1).name });
    for (const child of children) {
      count.items += 1;
      count.bytes += child.bytes;
      if (isFolder(child.type)) count.waiting.push({ folder: child.id, after: '' });
    }
  } while (count.waiting.length > 0 && performance.now() < end);
}

/** Deletes what ended processes have left. Call it only while no process deletes a folder. */
export function removeLeftTrees({ database, store }: CatalogContext): void {
  database.write(() => {
    for (const id of store.listDetached()) store.deleteTree(id);
  });
}

/** Whether nothing below a folder is closed to the principal. Throws the errors of the folder itself. */
function mayDeleteAll(context: CatalogContext, principal: Principal, target: ChangeTarget): boolean {
  const { item, path } = findFolder(context, principal, target);
  checkMove(context, principal, { path: printPath(path), text: target.path });
  return path.namespace === '@Personal' || context.permissions.mayTakeHome(principal, item.id);
}

/** Rejects with the error of an item that the principal may see, but not delete. */
async function refuseTree(context: CatalogContext, principal: Principal, path: string): Promise<void> {
  const folders = [path];
  for (let at = 0; at < folders.length; at += 1) {
    if (at > 0) await takeTurn();
    for (const item of listFolder(context, principal, elementAt(folders, at)).data) {
      context.database.read(() => findChangeable(context, principal, item.path));
      if (isFolder(item.type)) folders.push(item.path);
    }
  }
}

/** Deletes a detached item with everything below it, step by step; returns the number of deleted items. */
export async function removeDetached({ database, store }: CatalogContext, id: string): Promise<number> {
  let count = 0;
  /** The folders from the detached one down to the one whose items are deleted now. */
  const folders = [id];
  while (folders.length > 0) {
    await takeTurn();
    count += database.write(() => removeSome(store, folders));
  }
  return count;
}

function removeSome(store: CatalogStore, folders: string[]): number {
  const end = performance.now() + PIECE_MS;
  let count = 0;
  do {
    const folder = elementAt(folders, -1);
    const removed = store.deleteChildless(folder, ITEMS_AT_ONCE);
    count += removed;
    if (removed > 0) continue;
    const child = store.findAnyChildId(folder);
    if (child !== undefined) {
      folders.push(child);
      continue;
    }
    store.delete(folder);
    folders.pop();
    count += 1;
  } while (folders.length > 0 && performance.now() < end);
  return count;
}
