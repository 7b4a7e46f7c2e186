import { checkIfMatch } from '../errors/if-match.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { present } from '../invariants/must.ts';
import { toTimestamp } from '../store/values/clock.ts';
import {
  detectAssetType,
  detectMovedType,
  isFolder,
  toAssetBody,
  toFolderBody,
  type Versioned,
} from './asset.ts';
import type { AssetType } from './asset-type.ts';
import {
  type AssetChange,
  type AssetFields,
  checkAssetChange,
  checkFolderChange,
  type FolderChange,
  type FolderFields,
  isEmpty,
} from './body.ts';
import { checkChange, checkMove } from './check-change.ts';
import type { Content } from './contents/content-store.ts';
import type { CatalogContext } from './context.ts';
import {
  holdsRestricted,
  movedBelowItself,
  nameExists,
  parentMustBeFolder,
  pathMustBeAsset,
  pathMustBeFolder,
  pathNotFound,
} from './errors.ts';
import { findEditable, findParent, isRoot, type LocatedItem, printChildPath } from './find-item.ts';
import type { AssetBody, FolderBody } from './item-body.ts';
import { type CatalogPath, printPath } from './path.ts';
import { readBytes } from './read-items.ts';
import type { Item } from './store.ts';
import { type PreparedContent, storeContent } from './store-content.ts';

/** The target of a PUT or DELETE: a path and the If-Match header, if there is one. */
export interface ChangeTarget {
  readonly path: string;
  readonly ifMatch: string | undefined;
}

/** `PUT /catalog/folders` (docs/reference/http-catalog.md#changing). */
export function updateFolder(
  context: CatalogContext,
  principal: Principal,
  target: ChangeTarget,
  fields: FolderFields,
): Versioned<FolderBody> {
  return context.database.write(() => {
    const place = findFolder(context, principal, target);
    const change = checkFolderChange(fields);
    const to = findDestination(context, principal, place, change, parentMustBeFolder);
    checkWay(context, principal, { target, place, change, to });
    const item = isEmpty(change) ? place.item : writeItem(context, principal, place.item, to, change);
    return { body: toFolderBody(item, to.path), revision: item.revision };
  });
}

/** A checked update of an asset. */
interface AssetUpdate {
  readonly place: LocatedItem;
  readonly change: AssetChange;
  readonly to: Destination;
}

/** Checks the update of an asset. */
export function checkUpdate(
  context: CatalogContext,
  principal: Principal,
  target: ChangeTarget,
  fields: AssetFields,
): AssetUpdate {
  return context.database.read(() => {
    const place = findChangedAsset(context, principal, target);
    const change = checkAssetChange(fields);
    const to = findDestination(context, principal, place, change, pathNotFound);
    checkWay(context, principal, { target, place, change, to });
    return { place, change, to };
  });
}

/** `PUT /catalog/assets` (docs/reference/http-catalog.md#changing). */
export function updateAsset(
  context: CatalogContext,
  principal: Principal,
  target: ChangeTarget,
  fields: AssetFields,
  prepared: PreparedContent = {},
): Versioned<AssetBody<Content>> {
  return context.database.write(() => {
    const { place, change, to } = checkUpdate(context, principal, target, fields);
    const type = typeAt(context, place.item, to, change);
    const item = writeItem(context, principal, { ...place.item, type }, to, change);
    const { content } = change;
    if (content !== undefined) storeContent(context, principal, item, { ...prepared, content });
    const data = content === undefined ? readBytes(context, item) : { content };
    return { body: toAssetBody(item, to.path, data), revision: item.revision };
  });
}

/** The checks of PUT and DELETE before the body is read, for a folder or an asset. */
export function checkChangedItem(
  context: CatalogContext,
  principal: Principal,
  target: ChangeTarget,
  kind: 'folder' | 'asset',
): void {
  const find = kind === 'folder' ? findFolder : findChangedAsset;
  context.database.read(() => find(context, principal, target));
}

// The order of checks for update and delete: existence and EDIT, else 404; kind 422; If-Match 428 and 412; then the
// body 400.

/** The folder of a change. Throws the errors of the checks (docs/reference/http-catalog.md#checks), up to 412. */
export function findFolder(context: CatalogContext, principal: Principal, target: ChangeTarget): LocatedItem {
  const place = findChangeable(context, principal, target.path);
  if (!isFolder(place.item.type)) throw pathMustBeFolder();
  checkIfMatch(target.ifMatch, place.item.revision);
  return place;
}

/** The asset of a change. Throws the errors of the checks, up to 412. */
export function findChangedAsset(
  context: CatalogContext,
  principal: Principal,
  target: ChangeTarget,
): LocatedItem {
  const place = findChangeable(context, principal, target.path);
  if (isFolder(place.item.type)) throw pathMustBeAsset();
  checkIfMatch(target.ifMatch, place.item.revision);
  return place;
}

/** The item at a path that the principal may change. Throws 404. */
export function findChangeable(context: CatalogContext, principal: Principal, text: string): LocatedItem {
  const place = findEditable(context, principal, text);
  if (isRoot(place.item)) throw pathNotFound(text);
  checkChange(context, principal, { path: printPath(place.path), text });
  return place;
}

/** The target of a move. */
interface Destination {
  readonly parentId: string;
  readonly name: string;
  /** The new path of the item, in the form of responses. */
  readonly path: string;
}

function findDestination(
  context: CatalogContext,
  principal: Principal,
  { item, path, chain }: LocatedItem,
  change: FolderChange,
  whenAsset: (text: string) => Error,
): Destination {
  const name = change.name ?? item.name;
  const parent =
    change.parentPath === undefined
      ? { path: toParentPath(path), chain: chain.slice(0, -1) }
      : findParent(context, principal, change.parentPath, whenAsset);
  if (parent.chain.includes(item.id)) throw movedBelowItself();
  const goesHome = parent.path.namespace === '@Personal' && path.namespace !== '@Personal';
  if (goesHome && !context.permissions.mayTakeHome(principal, item.id)) throw holdsRestricted();
  const parentId = present(parent.chain.at(-1));
  const holder = context.store.findChildId(parentId, name);
  if (holder !== undefined && holder !== item.id) throw nameExists();
  return { parentId, name, path: printChildPath(parent.path, name) };
}

interface Move {
  readonly target: ChangeTarget;
  readonly place: LocatedItem;
  readonly change: FolderChange;
  readonly to: Destination;
}

/** A renamed or moved item counts as deleted at the old path and created at the new one. */
function checkWay(context: CatalogContext, principal: Principal, { target, place, change, to }: Move): void {
  const from = printPath(place.path);
  if (from === to.path) return;
  const there = change.parentPath ?? target.path;
  checkMove(context, principal, { path: from, text: target.path }, { path: to.path, text: there });
}

function toParentPath({ namespace, names }: CatalogPath): CatalogPath {
  return { namespace, names: names.slice(0, -1) };
}

function typeAt({ store }: CatalogContext, item: Item, to: Destination, change: AssetChange): AssetType {
  const place = { name: to.name, folderType: present(store.find(to.parentId)).type };
  return change.content === undefined
    ? detectMovedType(item.type, place, () => store.readContentBytes(item.id) ?? '')
    : detectAssetType(place, change.content);
}

/** Only an accepted change gives the item a new revision. */
function writeItem(
  { store, permissions, clock }: CatalogContext,
  principal: Principal,
  item: Item,
  to: Destination,
  change: FolderChange,
): Item {
  const changed: Item = {
    ...item,
    parentId: to.parentId,
    name: to.name,
    description: change.description ?? item.description,
    revision: store.drawRevision(),
    updatedAt: toTimestamp(clock()),
  };
  store.update(changed);
  const { id, parentId: formerParentId } = item;
  permissions.place(principal, { id, path: to.path, parentId: to.parentId, formerParentId });
  return changed;
}
