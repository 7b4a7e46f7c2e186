import type { Principal } from '../../identity/principal/principal.ts';
import type { Versioned } from '../asset.ts';
import { type ChangeTarget, checkChangedItem, updateAsset } from '../change-item.ts';
import type { Content } from '../contents/content-store.ts';
import type { AssetBody } from '../item-body.ts';
import { updateAssetInParts } from '../write-in-parts.ts';
import type { HistoryContext } from './context.ts';
import { findAsset, findRevision, readRevisionText } from './find-revision.ts';

type Update = typeof updateAsset;

/**
 * Writes the text of a revision as the next content of the asset, by the rules of an update. Throws the errors of an
 * update, and 404 for a revision without a text.
 */
export function restoreRevision(
  context: HistoryContext,
  principal: Principal,
  target: ChangeTarget,
  revision: number,
): Versioned<AssetBody<Content>> {
  return context.database.write(() => {
    const content = findText(context, principal, target, revision);
    return createUpdate(context, revision)(context, principal, target, { content });
  });
}

/** Like `restoreRevision`, for a server. Rejects with its errors. */
export async function restoreInParts(
  context: HistoryContext,
  principal: Principal,
  target: ChangeTarget,
  revision: number,
): Promise<Versioned<AssetBody<Content>>> {
  const content = findText(context, principal, target, revision);
  return updateAssetInParts(context, principal, target, { content }, createUpdate(context, revision));
}

function findText(
  context: HistoryContext,
  principal: Principal,
  target: ChangeTarget,
  revision: number,
): Content {
  return context.database.read(() => {
    checkChangedItem(context, principal, target, 'asset');
    const { item } = findAsset(context, principal, target.path);
    return readRevisionText(context, item, findRevision(context, item, revision));
  });
}

/** An update that restores a revision, with its entry in the audit log. */
function createUpdate({ audit }: HistoryContext, revision: number): Update {
  return (context, principal, target, fields, prepared) =>
    context.database.write(() => {
      const updated = updateAsset(context, principal, target, fields, {
        ...prepared,
        restoredFrom: revision,
      });
      const object = `${updated.body.path} revision ${revision}`;
      audit.record(principal, { action: 'catalog.restore', object });
      return updated;
    });
}
