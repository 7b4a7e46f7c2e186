import type { Principal } from '../identity/principal/principal.ts';
import { toTimestamp } from '../store/values/clock.ts';
import { homeRootId } from '../store/values/roots.ts';
import { detectAssetType, toAssetBody, toFolderBody, type Versioned } from './asset.ts';
import { checkNewFolder, type NewAsset, type NewFolderFields, type NewItem } from './body.ts';
import { checkChange } from './check-change.ts';
import type { Content } from './contents/content-store.ts';
import type { CatalogContext } from './context.ts';
import { nameExists, parentMustBeFolder, pathNotFound } from './errors.ts';
import { findParent, type LocatedItem, printChildPath } from './find-item.ts';
import type { AssetBody, FolderBody } from './item-body.ts';
import type { Item } from './store.ts';
import { type PreparedContent, storeContent } from './store-content.ts';

/** `POST /catalog/folders` (docs/reference/http-catalog.md#creating). */
export function createFolder(
  context: CatalogContext,
  principal: Principal,
  fields: NewFolderFields,
): Versioned<FolderBody> {
  const folder = checkNewFolder(fields);
  return context.database.write(() => {
    const parent = findFreePlace(context, principal, folder, parentMustBeFolder);
    const item = insertItem(context, principal, folder, parent, folder.type);
    return { body: toFolderBody(item, printChildPath(parent.path, item.name)), revision: item.revision };
  });
}

/** Checks an asset's creation, without its body. */
export function checkNewPlace(context: CatalogContext, principal: Principal, asset: NewAsset): void {
  context.database.read(() => findFreePlace(context, principal, asset, pathNotFound));
}

/** `POST /catalog/assets` (docs/reference/http-catalog.md#creating). */
export function createAsset(
  context: CatalogContext,
  principal: Principal,
  asset: NewAsset,
  prepared: PreparedContent = {},
): Versioned<AssetBody<Content>> {
  const { content } = asset;
  return context.database.write(() => {
    const parent = findFreePlace(context, principal, asset, pathNotFound);
    const type = detectAssetType({ name: asset.name, folderType: parent.item.type }, content);
    const item = insertItem(context, principal, asset, parent, type);
    storeContent(context, principal, item, { ...prepared, content, isFirst: true });
    return {
      body: toAssetBody(item, printChildPath(parent.path, item.name), { content }),
      revision: item.revision,
    };
  });
}

/** Creates the root of a user's `@Personal`; the user must already be stored. */
export function createPersonalRoot(context: CatalogContext, userId: string): void {
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

/** The parent of a new item; it has no child of that name. */
function findFreePlace(
  context: CatalogContext,
  principal: Principal,
  { parentPath, name }: NewItem,
  whenAsset: (text: string) => Error,
): LocatedItem {
  const parent = findParent(context, principal, parentPath, whenAsset);
  checkChange(context, principal, { path: printChildPath(parent.path, name), text: parentPath });
  if (context.store.findChildId(parent.item.id, name) !== undefined) throw nameExists();
  return parent;
}

function insertItem(
  { store, permissions, newId, clock }: CatalogContext,
  principal: Principal,
  { name, description }: NewItem,
  parent: LocatedItem,
  type: Item['type'],
): Item {
  const parentId = parent.item.id;
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
