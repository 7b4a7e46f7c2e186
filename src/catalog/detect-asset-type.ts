import { detectScriptType } from '../engine/script/syntax/detect-type.ts';
import type { AssetType } from './asset.ts';
import type { Content } from './content-store.ts';

/** What the type of an asset depends on. */
export interface AssetPlace {
  readonly name: string;
  readonly folderType: AssetType;
}

function isManifest({ name, folderType }: AssetPlace): boolean {
  return folderType === 'PROJECT' && name === 'project.toml';
}

/**
 * The type of an asset whose content is written (interface section 4.2): a script's label by its content,
 * but for `project.toml` directly in a project, which is its manifest whatever it holds.
 */
export function detectAssetType(place: AssetPlace, content: Content): AssetType {
  return isManifest(place) ? 'PROJECT_MANIFEST' : detectScriptType(content);
}

/**
 * The type of an asset that is renamed or moved to `place` and keeps its content: it may become a manifest,
 * or be one no longer; everything else stays what it is. `readContent` is called only for the second case.
 */
export function detectMovedType(type: AssetType, place: AssetPlace, readContent: () => Content): AssetType {
  const isScript = type === 'SQL_SCRIPT' || type === 'SERVICE_SCRIPT';
  if (isScript && isManifest(place)) return 'PROJECT_MANIFEST';
  return type === 'PROJECT_MANIFEST' && !isManifest(place) ? detectScriptType(readContent()) : type;
}
