import { createHash } from 'node:crypto';
import type { Principal } from '../identity/principal/principal.ts';
import { takeTurn } from '../turns/take-turn.ts';
import type { Versioned } from './asset.ts';
import { type AssetFields, checkNewAsset } from './body.ts';
import { type ChangeTarget, checkUpdate, updateAsset } from './change-item.ts';
import { type Content, cutParts, isLong } from './contents/content-store.ts';
import type { CatalogContext } from './context.ts';
import { checkNewPlace, createAsset } from './create-item.ts';
import { detachAsset } from './delete-item.ts';
import type { AssetBody } from './item-body.ts';
import type { PreparedContent } from './store-content.ts';

// Writes of a server, where each transaction blocks other callers: a long content is split into parts and stored in
// several transactions. The last transaction links the parts to their item; before that they are not visible. The next
// server of the home removes unfinished contents at its start, because only servers split contents.

/** Like `createAsset`. Rejects with its errors. */
export async function createAssetInParts(
  context: CatalogContext,
  principal: Principal,
  fields: AssetFields,
): Promise<Versioned<AssetBody<Content>>> {
  const asset = checkNewAsset(fields);
  const { content } = asset;
  if (!isLong(content)) return createAsset(context, principal, asset);
  checkNewPlace(context, principal, asset);
  return storeThen(context, content, (prepared) => createAsset(context, principal, asset, prepared));
}

/** Like `updateAsset`, or `update`, which does the same and more. Rejects with its errors. */
export async function updateAssetInParts(
  context: CatalogContext,
  principal: Principal,
  target: ChangeTarget,
  fields: AssetFields,
  update = updateAsset,
): Promise<Versioned<AssetBody<Content>>> {
  const { content } = checkUpdate(context, principal, target, fields).change;
  if (content === undefined || !isLong(content)) return update(context, principal, target, fields);
  return storeThen(context, content, (prepared) => update(context, principal, target, fields, prepared));
}

/** Like `deleteAsset`. Rejects with its errors. */
export async function deleteAssetInParts(
  context: CatalogContext,
  principal: Principal,
  target: ChangeTarget,
): Promise<void> {
  for (const longId of detachAsset(context, principal, target)) await tryRemoveLong(context, longId);
}

/** Removes unfinished contents of ended processes. Call it only while no process stores long contents. */
export function removeLeftParts({ database, store }: CatalogContext): void {
  database.write(() => store.removeUnlinked());
}

/** Removes a long content without an item, in several transactions; any other one stays. */
export async function removeLong({ database, store }: CatalogContext, longId: string): Promise<void> {
  while (database.write(() => store.removeLastPart(longId))) await takeTurn();
  database.write(() => store.removeUnlinked(longId));
}

async function storeThen<T>(
  context: CatalogContext,
  content: Content,
  link: (prepared: PreparedContent) => T,
): Promise<T> {
  const { database, store } = context;
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const longId = database.write(() => store.beginLong(bytes.length));
  const hash = createHash('sha256');
  try {
    for (const [part, piece] of cutParts(bytes).entries()) {
      await takeTurn();
      hash.update(piece);
      database.write(() => store.addPart(longId, part, piece));
    }
    await takeTurn();
    return link({ longId, sha256: hash.digest('hex') });
  } finally {
    // The error of storing the content is more useful. A linked content stays.
    await tryRemoveLong(context, longId);
  }
}

/** Like `removeLong`; contents that cannot be removed now, for example on a full disk, are removed at the next start. */
export async function tryRemoveLong(context: CatalogContext, longId: string): Promise<void> {
  await removeLong(context, longId).catch(() => undefined);
}
