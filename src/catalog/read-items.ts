import { readManifest } from '../engine/project/manifest.ts';
import { isAtLeast } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { isFolder, isText, toFolderBody, toItemBody, type Versioned } from './asset.ts';
import type { Content } from './contents/content-store.ts';
import type { CatalogContext } from './context.ts';
import { noPermission, notAFolder, pathNotFound, projectVersionNotFound } from './errors.ts';
import {
  findVisible,
  isRoot,
  type LocatedItem,
  listVisible,
  type Reached,
  reach,
  rootId,
} from './find-item.ts';
import type { AssetData, FolderBody, FolderListBody, ItemBody } from './item-body.ts';
import { isTop, NAMESPACES, printPath } from './path.ts';
import type { Item } from './store.ts';

/**
 * `GET /catalog/list` (docs/reference/http-catalog.md#reading): the namespaces without a path, else the children of a
 * folder.
 */
export function listFolder(
  context: CatalogContext,
  principal: Principal,
  text: string,
  projectVersion?: string,
): FolderListBody {
  return context.database.read(() => {
    if (isTop(text)) return { data: listRoots(context, principal).map(({ body }) => body) };
    const folder = findListed(context, principal, text, projectVersion);
    return { data: listChildren(context, principal, folder) };
  });
}

/** The namespaces of the caller. */
export function listRoots(
  { store }: CatalogContext,
  principal: Principal,
): { readonly item: Item; readonly body: FolderBody }[] {
  return NAMESPACES.flatMap((namespace) => {
    const item = store.find(rootId(namespace, principal));
    return item === undefined ? [] : [{ item, body: toFolderBody(item, namespace) }];
  });
}

function listChildren(context: CatalogContext, principal: Principal, folder: Reached): FolderBody[] {
  const parentPath = printPath(folder.path);
  const folders: FolderBody[] = [];
  const others: FolderBody[] = [];
  for (const child of listVisible(context, principal, folder)) {
    const body = toFolderBody(child, `${parentPath}/${child.name}`);
    (isFolder(child.type) ? folders : others).push(body);
  }
  return folders.concat(others);
}

/**
 * The folder to list. Checks permission before existence, so that the response does not reveal items below a hidden
 * folder.
 */
export function findListed(
  context: CatalogContext,
  principal: Principal,
  text: string,
  projectVersion: string | undefined,
): Reached {
  const reached = reach(context, principal, text);
  const open = reached.complete && isRoot(reached.item);
  if (!open && !isAtLeast(reached.level, 'VIEW')) throw noPermission();
  if (!reached.complete) throw pathNotFound(text);
  if (!isFolder(reached.item.type)) throw notAFolder(text);
  checkProjectVersion(context, reached, projectVersion);
  return reached;
}

/** `GET /catalog/by-path` (docs/reference/http-catalog.md#reading): one item, folder or asset. */
export function getItem(
  context: CatalogContext,
  principal: Principal,
  text: string,
  projectVersion?: string,
): Versioned<ItemBody<Content>> {
  return context.database.read(() => {
    const place = findVisible(context, principal, text);
    checkProjectVersion(context, place, projectVersion);
    const { item, path } = place;
    return {
      body: toItemBody(item, printPath(path), readBytes(context, item)),
      revision: item.revision,
    };
  });
}

/** The `data` of a stored item; a long content is bytes. */
export function readBytes({ store }: CatalogContext, item: Item): AssetData<Content> {
  return isText(item.type) ? { content: store.readContentBytes(item.id) ?? '' } : {};
}

const MANIFEST = 'project.toml';

/**
 * Checks the requested version of a project in the hub (docs/reference/http-catalog.md#paths): only the version of its
 * manifest exists. Elsewhere the version is ignored. Throws 404.
 */
function checkProjectVersion(
  { store }: CatalogContext,
  { path, chain }: Pick<LocatedItem, 'path' | 'chain'>,
  version: string | undefined,
): void {
  const project = chain[1];
  if (version === undefined || path.namespace !== '@Project Hub' || project === undefined) return;
  const manifest = store.findChildId(project, MANIFEST);
  const text = manifest === undefined ? undefined : store.readContent(manifest);
  const published = text === undefined ? undefined : readVersion(text);
  if (published !== version) throw projectVersionNotFound(version);
}

function readVersion(text: string): string | undefined {
  return readManifest({ name: MANIFEST, text }).manifest?.general.version;
}
