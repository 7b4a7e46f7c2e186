import type { Principal } from '../identity/principal/principal.ts';
import { toTimestamp } from '../store/values/clock.ts';
import { homeRootId } from '../store/values/roots.ts';
import { type AssetBody, type FolderBody, toAssetBody, toFolderBody, type Versioned } from './asset.ts';
import { checkNewAsset, checkNewFolder, type NewItem } from './body.ts';
import { checkChange } from './check-change.ts';
import type { CatalogContext } from './context.ts';
import { detectAssetType } from './detect-asset-type.ts';
import { nameExists, parentMustBeFolder, pathNotFound } from './errors.ts';
import { findParent, type LocatedItem, printChildPath } from './find-item.ts';
import type { Item } from './store.ts';

/** `POST /catalog/folders` (interface section 4.2). */
export function createFolder(
  context: CatalogContext,
  principal: Principal,
  body: unknown,
): Versioned<FolderBody> {
  const folder = checkNewFolder(body);
  return context.database.write(() => {
    const parent = findParent(context, principal, folder.parentPath, parentMustBeFolder);
    checkChild(context, principal, folder, parent);
    const item = insertItem(context, principal, folder, parent, folder.type);
    return { body: toFolderBody(item, printChildPath(parent.path, item.name)), revision: item.revision };
  });
}

/** `POST /catalog/assets` (interface section 4.2). */
export function createAsset(
  context: CatalogContext,
  principal: Principal,
  body: unknown,
): Versioned<AssetBody> {
  const asset = checkNewAsset(body);
  const { content } = asset;
  return context.database.write(() => {
    const parent = findParent(context, principal, asset.parentPath, pathNotFound);
    checkChild(context, principal, asset, parent);
    const type = detectAssetType({ name: asset.name, folderType: parent.item.type }, content);
    const item = insertItem(context, principal, asset, parent, type);
    context.store.writeContent(item.id, content);
    return {
      body: toAssetBody(item, printChildPath(parent.path, item.name), { content }),
      revision: item.revision,
    };
  });
}

/** Makes the root that `@Personal` means to a user, who must be stored already. */
export function createHome(context: CatalogContext, userId: string): void {
  const now = toTimestamp(context.clock());
  context.database.write(() =>
    context.store.insert(
      {
        id: homeRootId(userId),
        parentId: null,
        name: '@Personal',
        type: 'USER_HOME',
        description: '',
        revision: context.store.drawRevision(),
        createdAt: now,
        updatedAt: now,
      },
      userId,
    ),
  );
}

function checkChild(
  context: CatalogContext,
  principal: Principal,
  { parentPath, name }: NewItem,
  parent: LocatedItem,
): void {
  checkChange(context, principal, { path: printChildPath(parent.path, name), text: parentPath });
}

function insertItem(
  { store, permissions, newId, clock }: CatalogContext,
  principal: Principal,
  { name, description }: NewItem,
  parent: LocatedItem,
  type: Item['type'],
): Item {
  const parentId = parent.item.id;
  if (store.findChildId(parentId, name) !== undefined) throw nameExists();
  const now = toTimestamp(clock());
  const item: Item = {
    id: newId(),
    parentId,
    name,
    type,
    description,
    revision: store.drawRevision(),
    createdAt: now,
    updatedAt: now,
  };
  store.insert(item, principal.userId);
  const path = printChildPath(parent.path, name);
  permissions.place(principal, { id: item.id, path, parentId, formerParentId: null });
  return item;
}
