import type { Principal } from '../identity/principal/principal.ts';
import { takeTurn } from '../turns/take-turn.ts';
import type { AssetBody, Versioned } from './asset.ts';
import { checkNewAsset } from './body.ts';
import { checkUpdate, type Target, updateAsset } from './change-item.ts';
import { type Content, cutParts, isLong } from './content-store.ts';
import type { CatalogContext } from './context.ts';
import { checkNewPlace, createAsset } from './create-item.ts';

// What a server does, whose other callers wait for each transaction: a long content is stored in parts, of which nobody
// sees anything until the last transaction gives them to their item. What a process leaves unfinished is removed when the
// next server of its home starts, as nobody else writes in this way.

/** As `createAsset`. Rejects with what that throws. */
export async function createAssetInParts(
  context: CatalogContext,
  principal: Principal,
  body: unknown,
): Promise<Versioned<AssetBody<Content>>> {
  const asset = checkNewAsset(body);
  const { content } = asset;
  if (!isLong(content)) return createAsset(context, principal, asset);
  checkNewPlace(context, principal, asset);
  return storeThen(context, content, (longId) => createAsset(context, principal, asset, longId));
}

/** As `updateAsset`. Rejects with what that throws. */
export async function updateAssetInParts(
  context: CatalogContext,
  principal: Principal,
  target: Target,
  body: unknown,
): Promise<Versioned<AssetBody<Content>>> {
  const { content } = checkUpdate(context, principal, target, body).change;
  if (content === undefined || !isLong(content)) return updateAsset(context, principal, target, body);
  return storeThen(context, content, (longId) => updateAsset(context, principal, target, body, longId));
}

/** Removes what processes have left that were ended. Nobody may be writing in parts. */
export function removeLeftParts({ database, store }: CatalogContext): void {
  database.write(() => store.removeUnlinked());
}

async function storeThen<T>(
  { database, store }: CatalogContext,
  content: Content,
  link: (longId: string) => T,
): Promise<T> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const longId = database.write(() => store.beginLong(bytes.length));
  try {
    for (const [part, own] of cutParts(bytes).entries()) {
      await takeTurn();
      database.write(() => store.addPart(longId, part, own));
    }
    await takeTurn();
    return link(longId);
  } catch (error) {
    discard(() => database.write(() => store.removeUnlinked(longId)));
    throw error;
  }
}

/** What cannot be removed now, as on a full disk, is removed with the next start. */
function discard(remove: () => void): void {
  try {
    remove();
  } catch {
    // Why the content could not be stored says more.
  }
}
