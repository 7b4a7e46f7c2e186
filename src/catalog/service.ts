import type { PackageLoader } from '../engine/project/package-loader.ts';
import type { LocatedPlace } from '../identity/grants/grant-target.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { homeRootId } from '../store/values/roots.ts';
import type { Versioned } from './asset.ts';
import { type AssetFields, checkNewAsset, type FolderFields, type NewFolderFields } from './body.ts';
import { checkChangedItem, updateAsset, updateFolder } from './change-item.ts';
import type { Content } from './contents/content-store.ts';
import { createRevisionKeys } from './contents/revision-keys.ts';
import type { CatalogContext, CatalogOptions } from './context.ts';
import { createAsset, createFolder, createPersonalRoot } from './create-item.ts';
import { type Deletion, deleteAsset, deleteFolder, deleteTree } from './delete-item.ts';
import { checkVisible, findVisible } from './find-item.ts';
import type {
  AssetBody,
  DetailedListBody,
  FolderBody,
  FolderListBody,
  FolderSizeBody,
  FoundListBody,
  ItemBody,
} from './item-body.ts';
import { type DetailsRequest, listDetails } from './list-details.ts';
import { listTexts, type TextTree } from './list-texts.ts';
import { createManifestCache } from './manifest-cache.ts';
import { printPath } from './path.ts';
import { getItem, listFolder } from './read-items.ts';
import { type CatalogOverlay, createCatalogLoader, createOverlayLoader } from './script-loader.ts';
import { type SearchRequest, searchCatalog } from './search-catalog.ts';
import { createCatalogStore } from './store.ts';
import { countBelow, deleteTreeInParts, removeLeftTrees } from './tree-in-parts.ts';
import {
  createAssetInParts,
  deleteAssetInParts,
  removeLeftParts,
  updateAssetInParts,
} from './write-in-parts.ts';

/**
 * The operations of the catalog (docs/reference/http-catalog.md). A `path` is decoded, with or without a leading slash;
 * `fields` are unchecked; `ifMatch` is the header, undefined without one. All throw `ServiceError`
 * by the checks (docs/reference/http-catalog.md#checks). Each call is one transaction, or part of the current one.
 */
export interface CatalogService {
  /** The children of a folder that the caller may view; the namespaces for no path, `''` or `'/'`. */
  list(principal: Principal, path?: string, projectVersion?: string): FolderListBody;
  /** A page of the same with details, searched and sorted. */
  listDetails(principal: Principal, path: string, request: DetailsRequest): DetailedListBody;
  /** One item, folder or asset. `projectVersion` applies to the project hub. */
  get(principal: Principal, path: string, projectVersion?: string): Versioned<ItemBody>;
  createFolder(principal: Principal, fields: NewFolderFields): Versioned<FolderBody>;
  createAsset(principal: Principal, fields: AssetFields): Versioned<AssetBody>;
  /** The checks of a change or a deletion before its body is read. */
  checkTarget(
    principal: Principal,
    path: string,
    ifMatch: string | undefined,
    kind: 'folder' | 'asset',
  ): void;
  /** Renames, moves or describes a folder, with everything below it. */
  updateFolder(
    principal: Principal,
    path: string,
    ifMatch: string | undefined,
    fields: FolderFields,
  ): Versioned<FolderBody>;
  /** Renames, moves, describes or rewrites an asset. */
  updateAsset(
    principal: Principal,
    path: string,
    ifMatch: string | undefined,
    fields: AssetFields,
  ): Versioned<AssetBody>;
  /** Deletes an empty folder. */
  deleteFolder(principal: Principal, path: string, ifMatch: string | undefined, deletion?: Deletion): void;
  deleteAsset(principal: Principal, path: string, ifMatch: string | undefined, deletion?: Deletion): void;
  /**
   * Deletes a folder and everything below it, or nothing if any of these items may not be deleted. Returns the number
   * of items below it.
   */
  deleteTree(principal: Principal, path: string, ifMatch: string | undefined, deletion?: Deletion): number;
  /**
   * Runs `work` on one snapshot of the scripts that the caller may view; the loader is invalid afterwards, so `work`
   * cannot be asynchronous.
   */
  withScripts<T>(principal: Principal, work: (loader: PackageLoader) => T, overlay?: CatalogOverlay): T;
  /** The texts at a path, without a permission check. Throws the errors of `listTexts`. */
  listTexts(path: string): TextTree;
  /** Throws 404 if the caller may not view an item on the path; the path itself may be missing. */
  checkVisible(principal: Principal, path: string): void;
  /** The items from the namespace's root to an item that the caller may view, as targets of grants. */
  locate(principal: Principal, path: string): readonly LocatedPlace[];
  /** The path of an item by its id, without a permission check; null for an item in any user's `@Personal`. */
  printPath(id: string): string | null;
  /** Creates a new user's `@Personal`; call it once, in the transaction that creates the user. */
  createHome(userId: string): void;
  /** Deletes a user's `@Personal`, also what was in it and is in the bin; call it in the transaction that deletes the user. */
  deleteHome(userId: string): void;
  /** Whether a user's `@Personal` has no items; call it in a transaction. */
  isHomeEmpty(userId: string): boolean;
  /** The same for a server, which long contents do not block. */
  readonly served: ServedContents;
}

/**
 * Operations of a server on contents. Long contents are passed as bytes and written in several transactions; only the
 * last one becomes visible.
 */
export interface ServedContents {
  get(principal: Principal, path: string, projectVersion?: string): Versioned<ItemBody<Content>>;
  createAsset(principal: Principal, fields: AssetFields): Promise<Versioned<AssetBody<Content>>>;
  updateAsset(
    principal: Principal,
    path: string,
    ifMatch: string | undefined,
    fields: AssetFields,
  ): Promise<Versioned<AssetBody<Content>>>;
  deleteAsset(principal: Principal, path: string, ifMatch: string | undefined): Promise<void>;
  /** Deletes a folder and everything below it, or nothing; at no time a part of it can be seen. */
  deleteTree(principal: Principal, path: string, ifMatch: string | undefined): Promise<number>;
  /** The number of items below a folder. */
  countBelow(principal: Principal, path: string): Promise<FolderSizeBody>;
  /** Searches the catalog by name or by content. */
  search(principal: Principal, request: SearchRequest): Promise<FoundListBody>;
  /** Removes unfinished contents and deletions of a killed server; call it before the server accepts requests. */
  removeLeftParts(): void;
}

/** The context of operations on an open database. */
export function createCatalogContext(options: CatalogOptions): CatalogContext {
  const store = createCatalogStore(options.database, options.newId);
  return { ...options, store, manifests: createManifestCache(), revisionKeys: createRevisionKeys() };
}

/** The catalog of an open database. */
export function createCatalogService(context: CatalogContext): CatalogService {
  return {
    list: (principal, path = '', projectVersion) => listFolder(context, principal, path, projectVersion),
    listDetails: (principal, path, request) => listDetails(context, principal, path, request),
    get: (principal, path, projectVersion) => withText(getItem(context, principal, path, projectVersion)),
    createFolder: (principal, fields) => createFolder(context, principal, fields),
    createAsset: (principal, fields) => withText(createAsset(context, principal, checkNewAsset(fields))),
    checkTarget: (principal, path, ifMatch, kind) =>
      checkChangedItem(context, principal, { path, ifMatch }, kind),
    updateFolder: (principal, path, ifMatch, fields) =>
      updateFolder(context, principal, { path, ifMatch }, fields),
    updateAsset: (principal, path, ifMatch, fields) =>
      withText(updateAsset(context, principal, { path, ifMatch }, fields)),
    deleteFolder: (principal, path, ifMatch, deletion) =>
      deleteFolder(context, principal, { path, ifMatch }, deletion),
    deleteAsset: (principal, path, ifMatch, deletion) =>
      deleteAsset(context, principal, { path, ifMatch }, deletion),
    deleteTree: (principal, path, ifMatch, deletion) =>
      deleteTree(context, principal, { path, ifMatch }, deletion),
    withScripts: (principal, work, overlay) =>
      context.database.read(() =>
        work(
          overlay === undefined
            ? createCatalogLoader(context, principal)
            : createOverlayLoader(context, principal, overlay),
        ),
      ),
    listTexts: (path) => listTexts(context, path),
    checkVisible: (principal, path) => context.database.read(() => checkVisible(context, principal, path)),
    locate: (principal, path) => context.database.read(() => locateItem(context, principal, path)),
    printPath: (id) => context.database.read(() => printItemPath(context, id)),
    createHome: (userId) => createPersonalRoot(context, userId),
    deleteHome: (userId) => deleteHome(context, userId),
    isHomeEmpty: (userId) => context.store.findAnyChildId(homeRootId(userId)) === undefined,
    served: {
      get: (principal, path, projectVersion) => getItem(context, principal, path, projectVersion),
      createAsset: (principal, fields) => createAssetInParts(context, principal, fields),
      updateAsset: (principal, path, ifMatch, fields) =>
        updateAssetInParts(context, principal, { path, ifMatch }, fields),
      deleteAsset: (principal, path, ifMatch) => deleteAssetInParts(context, principal, { path, ifMatch }),
      deleteTree: (principal, path, ifMatch) => deleteTreeInParts(context, principal, { path, ifMatch }),
      countBelow: (principal, path) => countBelow(context, principal, path),
      search: (principal, request) => searchCatalog(context, principal, request),
      removeLeftParts: () => {
        removeLeftParts(context);
        removeLeftTrees(context);
      },
    },
  };
}

function deleteHome({ store }: CatalogContext, userId: string): void {
  for (const id of store.listDeletedOf(userId)) store.deleteTree(id);
  store.deleteTree(homeRootId(userId));
}

function withText<Body extends AssetBody<Content>>({
  body,
  revision,
}: Versioned<Body>): Versioned<Omit<Body, 'data'> & Pick<AssetBody, 'data'>> {
  const data = 'content' in body.data ? { content: body.data.content.toString() } : {};
  return { body: { ...body, data }, revision };
}

/** The items from the namespace's root to the item at a path that the caller may view. Throws 404. */
function locateItem(context: CatalogContext, principal: Principal, text: string): LocatedPlace[] {
  const { path, chain } = findVisible(context, principal, text);
  const { namespace, names } = path;
  return chain.map((id, depth) => ({ id, path: printPath({ namespace, names: names.slice(0, depth) }) }));
}

/** The path of an item, without a permission check; null for a missing item, or one in any user's `@Personal`. */
function printItemPath({ store }: CatalogContext, id: string): string | null {
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
