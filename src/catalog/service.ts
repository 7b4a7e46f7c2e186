import type { PackageLoader } from '../engine/project/package-loader.ts';
import type { LocatedPlace } from '../identity/grants/grant-target.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { homeRootId } from '../store/values/roots.ts';
import type { AssetBody, FolderBody, ItemBody, ListBody, Versioned } from './asset.ts';
import { checkNewAsset } from './body.ts';
import {
  checkTarget,
  deleteAsset,
  deleteFolder,
  deleteTree,
  updateAsset,
  updateFolder,
} from './change-item.ts';
import type { SearchRequest } from './check-search.ts';
import type { Content } from './content-store.ts';
import type { CatalogContext, CatalogOptions } from './context.ts';
import { countBelow, type FolderSize } from './count-below.ts';
import { createAsset, createFolder, createHome } from './create-item.ts';
import { checkVisible } from './find-item.ts';
import { listTexts, type TextTree } from './list-texts.ts';
import { locateItem, printItemPath } from './locate-item.ts';
import { createManifestCache } from './manifest-cache.ts';
import { getItem, listFolder } from './read-items.ts';
import { createCatalogLoader } from './script-loader.ts';
import { type SearchBody, searchCatalog } from './search-catalog.ts';
import { createCatalogStore } from './store.ts';
import { createAssetInParts, removeLeftParts, updateAssetInParts } from './write-in-parts.ts';

/**
 * The catalog, as its callers see it (interface sections 2.1–2.3, 4.1, 4.2). A `path` is decoded, with or
 * without a leading slash; `body` is a request's body as it came; `ifMatch` is the header, undefined when
 * there is none. All throw `ServiceError` by the tables of interface section 7. Each call is one
 * transaction, or part of the one that is under way.
 */
export interface CatalogService {
  /** The children of a folder that the caller may view; the namespaces for no path, `''` or `'/'`. */
  list(principal: Principal, path?: string, projectVersion?: string): ListBody;
  /** One item, folder or asset. `projectVersion` counts in the project hub. */
  get(principal: Principal, path: string, projectVersion?: string): Versioned<ItemBody>;
  createFolder(principal: Principal, body: unknown): Versioned<FolderBody>;
  createAsset(principal: Principal, body: unknown): Versioned<AssetBody>;
  /** Checks of a change, or of a deletion, what is checked before its body. */
  checkTarget(
    principal: Principal,
    path: string,
    ifMatch: string | undefined,
    kind: 'folder' | 'asset',
  ): void;
  /** Renames, moves or describes a folder; what lies below it follows. */
  updateFolder(
    principal: Principal,
    path: string,
    ifMatch: string | undefined,
    body: unknown,
  ): Versioned<FolderBody>;
  /** Renames, moves, describes or rewrites an asset. */
  updateAsset(
    principal: Principal,
    path: string,
    ifMatch: string | undefined,
    body: unknown,
  ): Versioned<AssetBody>;
  /** Deletes an empty folder. */
  deleteFolder(principal: Principal, path: string, ifMatch: string | undefined): void;
  deleteAsset(principal: Principal, path: string, ifMatch: string | undefined): void;
  /**
   * Deletes a folder with all that is below it, or nothing where one of these items may not be deleted. Returns how many
   * items were below it.
   */
  deleteTree(principal: Principal, path: string, ifMatch: string | undefined): number;
  /**
   * Runs `work` on one snapshot of the scripts that the caller may view; it must not use the loader later, and
   * so cannot be asynchronous.
   */
  withScripts<T>(principal: Principal, work: (loader: PackageLoader) => T): T;
  /** The texts at a path, whoever asks. Throws as `listTexts` does. */
  listTexts(path: string): TextTree;
  /** Throws 404 where something on the way to a path, which need not be there, is not for the caller to view. */
  checkVisible(principal: Principal, path: string): void;
  /** The places from the namespace's root to an item that the caller may view: what grants there are about. */
  locate(principal: Principal, path: string): readonly LocatedPlace[];
  /** The path of an item by its id, whoever asks; null for one in somebody's `@Personal`. */
  printPath(id: string): string | null;
  /** Makes a new user's `@Personal`; to be called once, in the transaction that makes the user. */
  createHome(userId: string): void;
  /** Deletes a user's `@Personal` with all that is in it; to be called in the transaction that deletes the user. */
  deleteHome(userId: string): void;
  /** The same for a server, which is not kept by long contents. */
  readonly served: ServedContents;
}

/**
 * Calls of a server that are about contents. Long ones come and go as bytes, and are written in several transactions, of
 * which others see the last one alone.
 */
export interface ServedContents {
  get(principal: Principal, path: string, projectVersion?: string): Versioned<ItemBody<Content>>;
  createAsset(principal: Principal, body: unknown): Promise<Versioned<AssetBody<Content>>>;
  updateAsset(
    principal: Principal,
    path: string,
    ifMatch: string | undefined,
    body: unknown,
  ): Promise<Versioned<AssetBody<Content>>>;
  /** The number of items below a folder. */
  countBelow(principal: Principal, path: string): Promise<FolderSize>;
  /** Searches the catalog by name or by content. */
  search(principal: Principal, request: SearchRequest): Promise<SearchBody>;
  /** Removes what a server that was killed has left of such transactions; to be called before anything is served. */
  removeLeftParts(): void;
}

/** The catalog of an open database. */
export function createCatalogService(options: CatalogOptions): CatalogService {
  const store = createCatalogStore(options.database, options.newId);
  const context: CatalogContext = { ...options, store, manifests: createManifestCache() };
  return {
    list: (principal, path = '', projectVersion) => listFolder(context, principal, path, projectVersion),
    get: (principal, path, projectVersion) => withText(getItem(context, principal, path, projectVersion)),
    createFolder: (principal, body) => createFolder(context, principal, body),
    createAsset: (principal, body) => withText(createAsset(context, principal, checkNewAsset(body))),
    checkTarget: (principal, path, ifMatch, kind) => checkTarget(context, principal, { path, ifMatch }, kind),
    updateFolder: (principal, path, ifMatch, body) =>
      updateFolder(context, principal, { path, ifMatch }, body),
    updateAsset: (principal, path, ifMatch, body) =>
      withText(updateAsset(context, principal, { path, ifMatch }, body)),
    deleteFolder: (principal, path, ifMatch) => deleteFolder(context, principal, { path, ifMatch }),
    deleteAsset: (principal, path, ifMatch) => deleteAsset(context, principal, { path, ifMatch }),
    deleteTree: (principal, path, ifMatch) => deleteTree(context, principal, { path, ifMatch }),
    withScripts: (principal, work) =>
      context.database.read(() => work(createCatalogLoader(context, principal))),
    listTexts: (path) => listTexts(context, path),
    checkVisible: (principal, path) => context.database.read(() => checkVisible(context, principal, path)),
    locate: (principal, path) => context.database.read(() => locateItem(context, principal, path)),
    printPath: (id) => context.database.read(() => printItemPath(context, id)),
    createHome: (userId) => createHome(context, userId),
    deleteHome: (userId) => context.store.deleteTree(homeRootId(userId)),
    served: {
      get: (principal, path, projectVersion) => getItem(context, principal, path, projectVersion),
      createAsset: (principal, body) => createAssetInParts(context, principal, body),
      updateAsset: (principal, path, ifMatch, body) =>
        updateAssetInParts(context, principal, { path, ifMatch }, body),
      countBelow: (principal, path) => countBelow(context, principal, path),
      search: (principal, request) => searchCatalog(context, principal, request),
      removeLeftParts: () => removeLeftParts(context),
    },
  };
}

function withText<Body extends AssetBody<Content>>({
  body,
  revision,
}: Versioned<Body>): Versioned<Omit<Body, 'data'> & Pick<AssetBody, 'data'>> {
  const data = 'content' in body.data ? { content: body.data.content.toString() } : {};
  return { body: { ...body, data }, revision };
}
