import type { Principal } from '../../identity/principal/principal.ts';
import { toTimestamp } from '../../store/values/clock.ts';
import { detectMovedType, isFolder, toFolderBody, type Versioned } from '../asset.ts';
import type { BinEntry } from '../bin-rows.ts';
import { checkFolderChange } from '../body.ts';
import { checkMove } from '../check-change.ts';
import type { CatalogContext } from '../context.ts';
import { holdsRestricted, nameExists, parentMustBeFolder, pathNotFound } from '../errors.ts';
import { findParent, findVisibleById, type LocatedItem, printChildPath } from '../find-item.ts';
import type { FolderBody } from '../item-body.ts';
import { printPath } from '../path.ts';
import type { Item } from '../store.ts';
import type { BinContext } from './context.ts';
import { findDeleted } from './find-deleted.ts';

/** Where an item of the bin is restored. */
export interface RestorePlace {
  /** Default: the folder that had the item. */
  readonly parentPath?: string | undefined;
  /** Default: the former name. */
  readonly name?: string | undefined;
}

/**
 * Moves an item from the bin back to the catalog, with a new revision, and with its contents, history, grants and
 * everything below it. Throws 404 for an item that the principal does not see, and the errors of a creation at the new
 * place.
 */
export function restoreDeleted(
  context: BinContext,
  principal: Principal,
  id: string,
  fields: RestorePlace,
): Versioned<FolderBody> {
  const { database, store, permissions, clock, audit } = context;
  return database.write(() => {
    const deleted = findDeleted(context, principal, id);
    const change = checkFolderChange(fields);
    const name = change.name ?? deleted.name;
    const parent = findNewParent(context, principal, deleted, change.parentPath);
    const path = printChildPath(parent.path, name);
    checkMove(context, principal, { path, text: change.parentPath ?? printParentPath(deleted) });
    const goesHome = parent.path.namespace === '@Personal' && deleted.ownerId === null;
    if (goesHome && !permissions.mayTakeHome(principal, deleted.itemId)) throw holdsRestricted();
    if (store.findChildId(parent.item.id, name) !== undefined) throw nameExists();
    const restored = putBack(context, deleted, { parent, name, updatedAt: toTimestamp(clock()) });
    const formerParentId = deleted.parentId;
    permissions.place(principal, { id: restored.id, path, parentId: parent.item.id, formerParentId });
    if (parent.path.namespace !== '@Personal')
      audit.record(principal, { action: 'catalog.undelete', object: path });
    return { body: toFolderBody(restored, path), revision: restored.revision };
  });
}

interface NewPlace {
  readonly parent: LocatedItem;
  readonly name: string;
  readonly updatedAt: string;
}

function putBack({ store }: CatalogContext, deleted: BinEntry, { parent, name, updatedAt }: NewPlace): Item {
  const item = store.find(deleted.itemId);
  if (item === undefined) throw new Error(`no item: ${deleted.itemId}`);
  const place = { name, folderType: parent.item.type };
  const restored: Item = {
    ...item,
    parentId: parent.item.id,
    name,
    type: detectMovedType(deleted.type, place, () => store.readContentBytes(item.id) ?? ''),
    revision: store.drawRevision(),
    updatedAt,
  };
  store.update(restored);
  store.removeDeleted(deleted.id);
  return restored;
}

function findNewParent(
  context: CatalogContext,
  principal: Principal,
  deleted: BinEntry,
  parentPath: string | undefined,
): LocatedItem {
  const whenAsset = isFolder(deleted.type) ? parentMustBeFolder : pathNotFound;
  if (parentPath !== undefined) return findParent(context, principal, parentPath, whenAsset);
  const former = findVisibleById(context, principal, deleted.parentId);
  if (former === null) throw pathNotFound(printParentPath(deleted));
  return findParent(context, principal, printPath(former.path), whenAsset);
}

/** The path of the folder that had an item, at that time. */
function printParentPath({ path }: BinEntry): string {
  return path.slice(0, path.lastIndexOf('/'));
}
