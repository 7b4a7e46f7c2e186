import { detectScriptType } from '../engine/script/syntax/detect-type.ts';
import type { AssetType } from './asset.ts';
import type { Content } from './contents/content-store.ts';

/** The location of an asset, on which its type depends. */
export interface AssetPlace {
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
