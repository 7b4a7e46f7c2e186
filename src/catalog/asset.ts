import { detectScriptType } from '../engine/script/syntax/detect-type.ts';
import { ASSET_KINDS, type AssetType } from './asset-type.ts';
import type { Content } from './contents/content-store.ts';
import type { AssetBody, AssetData, FolderBody, ItemBody } from './item-body.ts';

/** A response with the revision of its ETag (docs/reference/http-catalog.md#revisions). */
export interface Versioned<Body> {
  readonly body: Body;
  readonly revision: number;
}

/** Whether items of this type have children. */
export function isFolder(type: AssetType): boolean {
  return ASSET_KINDS[type] === 'folder';
}

/** Whether items of this type have a content. */
export function isText(type: AssetType): boolean {
  return ASSET_KINDS[type] === 'text';
}

/** Whether items of this type can be run. */
export function isScript(type: AssetType): boolean {
  return type === 'SQL_SCRIPT' || type === 'SERVICE_SCRIPT';
}

/** The fields of an item in every response. */
export interface Described {
  readonly name: string;
  readonly type: AssetType;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Converts an item at `path` to a list entry. */
export function toFolderBody(item: Described, path: string): FolderBody {
  return {
    name: item.name,
    path,
    type: item.type,
    created_at: item.createdAt,
    updated_at: item.updatedAt,
  };
}

/** Converts an item at `path` to the response to an asset's creation or update. */
export function toAssetBody<Text>(item: Described, path: string, data: AssetData<Text>): AssetBody<Text> {
  const { name, type, created_at, updated_at } = toFolderBody(item, path);
  return { name, path, type, data, created_at, updated_at };
}

/** Converts an item at `path` to a single item. */
export function toItemBody<Text>(
  item: Described & { readonly description: string },
  path: string,
  data: AssetData<Text>,
): ItemBody<Text> {
  const { name, type, created_at, updated_at } = toFolderBody(item, path);
  return { name, description: item.description, path, type, data, created_at, updated_at };
}

/** The location of an asset, on which its type depends. */
interface AssetPlace {
  readonly name: string;
  readonly folderType: AssetType;
}

function isManifest({ name, folderType }: AssetPlace): boolean {
  return folderType === 'PROJECT' && name === 'project.toml';
}

/**
 * The type of an asset whose content is written (docs/reference/http-catalog.md#types-of-scripts): a script type by its
 * content, except `project.toml` directly in a project, which is the manifest with any content.
 */
export function detectAssetType(place: AssetPlace, content: Content): AssetType {
  return isManifest(place) ? 'PROJECT_MANIFEST' : detectScriptType(content);
}

/**
 * The type of an asset that moves to `place` without a change of its content: it may become a manifest, or lose that
 * type; all other types stay. `readContent` is called only for a former manifest.
 */
export function detectMovedType(type: AssetType, place: AssetPlace, readContent: () => Content): AssetType {
  const isScript = type === 'SQL_SCRIPT' || type === 'SERVICE_SCRIPT';
  if (isScript && isManifest(place)) return 'PROJECT_MANIFEST';
  return type === 'PROJECT_MANIFEST' && !isManifest(place) ? detectScriptType(readContent()) : type;
}
