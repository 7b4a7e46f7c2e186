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
  /** Whether all were counted. */
  readonly is_complete: boolean;
}

/** Items after which counting stops. */
const MAX_COUNTED = 10_000;

/** Counts what is below a folder, one folder at a turn. Rejects as a listing does. */
export async function countBelow(
  context: CatalogContext,
  principal: Principal,
  path: string,
): Promise<FolderSize> {
  let folders = 0;
  let scripts = 0;
  const waiting = [path];
  for (let at = 0; at < waiting.length; at += 1) {
    if (folders + scripts >= MAX_COUNTED) return { folders, scripts, is_complete: false };
    if (at > 0) await takeTurn();
    for (const item of listFolder(context, principal, elementAt(waiting, at)).data) {
      if (isFolder(item.type)) waiting.push(item.path);
      if (isFolder(item.type)) folders += 1;
      else scripts += 1;
    }
  }
  return { folders, scripts, is_complete: true };
}
