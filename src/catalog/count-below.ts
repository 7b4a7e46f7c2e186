import type { Principal } from '../identity/principal/principal.ts';
import { elementAt } from '../invariants/must.ts';
import { takeTurn } from '../turns/take-turn.ts';
import { isFolder } from './asset.ts';
import type { CatalogContext } from './context.ts';
import { listFolder } from './read-items.ts';

/** The number of items below a folder that the caller may view. */
export interface FolderSize {
  readonly folders: number;
  readonly scripts: number;
  /** Whether all items were counted. */
  readonly is_complete: boolean;
}

/** The count that ends the search for further folders. */
const MAX_COUNTED = 10_000;

/** Counts the items below a folder; other requests run between two folders. Rejects with the errors of a listing. */
export async function countBelow(
  context: CatalogContext,
  principal: Principal,
  path: string,
): Promise<FolderSize> {
  let scripts = 0;
  /** The folder itself, and the folders below it. */
  const folders = [path];
  for (let at = 0; at < folders.length; at += 1) {
    if (folders.length - 1 + scripts >= MAX_COUNTED)
      return { folders: folders.length - 1, scripts, is_complete: false };
    if (at > 0) await takeTurn();
    for (const item of listFolder(context, principal, elementAt(folders, at)).data) {
      if (isFolder(item.type)) folders.push(item.path);
      else scripts += 1;
    }
  }
  return { folders: folders.length - 1, scripts, is_complete: true };
}
