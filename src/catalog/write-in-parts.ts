import type { Principal } from '../identity/principal/principal.ts';
import { takeTurn } from '../turns/take-turn.ts';
import type { AssetBody, Versioned } from './asset.ts';
import { checkNewAsset } from './body.ts';
import { checkUpdate, type Target, updateAsset } from './change-item.ts';
import { type Content, cutParts, isLong } from './content-store.ts';
import type { CatalogContext } from './context.ts';
import { checkNewPlace, createAsset } from './create-item.ts';

// Writes of a server, where each transaction blocks other callers: a long content is split into parts and stored in
// several transactions. The last transaction links the parts to their item; before that they are not visible. The next
// server of the home removes unfinished contents at its start, because only servers split contents.

/** Like `createAsset`. Rejects with its errors. */
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

/** Like `updateAsset`. Rejects with its errors. */
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

/** Removes unfinished contents of ended processes. Call it only while no process stores long contents. */
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

/** Contents that cannot be removed now, for example on a full disk, are removed at the next start. */
function discard(remove: () => void): void {
  try {
    remove();
  } catch {
    // The error of storing the content is more useful.
  }
}
