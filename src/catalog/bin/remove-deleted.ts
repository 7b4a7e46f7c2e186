import type { Principal } from '../../identity/principal/principal.ts';
import { hasScope } from '../../identity/principal/scopes.ts';
import type { CatalogContext } from '../context.ts';
import { countDeleted, removeDetached } from '../tree-in-parts.ts';
import { tryRemoveLong } from '../write-in-parts.ts';
import type { BinContext } from './context.ts';
import { deletedItemNotFound } from './errors.ts';
import { findDeleted } from './find-deleted.ts';
import { findOverdueTime } from './list-deleted.ts';

/** The size of what the bin keeps, in bytes of UTF-8; beyond it, the oldest items are removed. */
const MAX_BIN_BYTES = 512 * 1024 ** 2;
/** The number of items that one transaction takes out of the bin. */
const ENTRIES_AT_ONCE = 100;

/**
 * Deletes an item of the bin permanently, in several short transactions. Rejects with 404 for an item that the principal
 * does not see, or that contains a restricted item which the principal may not edit, and without the scope `all`.
 */
export async function removeDeleted(context: BinContext, principal: Principal, id: string): Promise<void> {
  const { database, store, permissions, audit } = context;
  const itemId = database.write(() => {
    const deleted = findDeleted(context, principal, id);
    if (!hasScope(principal, 'all')) throw deletedItemNotFound(id);
    if (deleted.ownerId === null && !permissions.mayTakeHome(principal, deleted.itemId))
      throw deletedItemNotFound(id);
    store.removeDeleted(deleted.id);
    const { ownerId, path: object } = deleted;
    if (ownerId === null) audit.record(principal, { action: 'catalog.delete', object });
    return deleted.itemId;
  });
  await removeTree(context, itemId);
}

/**
 * Removes the items that the bin does not keep any more, in several short transactions. Counts those first that an
 * ended process has not counted.
 */
export async function removeOverdue(context: CatalogContext): Promise<void> {
  const { database, store } = context;
  for (const itemId of database.read(() => store.listUncounted())) await countDeleted(context, itemId);
  for (let isDone = false; !isDone; ) {
    const overdue = database.write(() => {
      const some = store.listOverdue(findOverdueTime(context), MAX_BIN_BYTES, ENTRIES_AT_ONCE);
      for (const { id } of some) store.removeDeleted(id);
      return some;
    });
    for (const { itemId } of overdue) await removeTree(context, itemId);
    isDone = overdue.length < ENTRIES_AT_ONCE;
  }
}

/** Deletes a detached item that is not in the bin. */
async function removeTree(context: CatalogContext, itemId: string): Promise<void> {
  const { database, store } = context;
  const longIds = database.write(() => store.unlinkLong(itemId));
  await removeDetached(context, itemId);
  for (const longId of longIds) await tryRemoveLong(context, longId);
}
