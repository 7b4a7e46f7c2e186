import { isAtLeast } from '../../identity/principal/permissions.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { HUB_ROOT_ID } from '../../store/values/roots.ts';
import type { RestrictableEntry } from '../bin-rows.ts';
import type { CatalogContext } from '../context.ts';
import { deletedItemNotFound } from './errors.ts';

// An item of the bin from `@Personal` is for its owner alone. Any other is for administrators, and for the user who
// deleted it while that user might edit the item and its folder if both were still in their places.

/** Whether a principal sees an item; the levels on folders are cached. Use it within one transaction. */
type Judge = (item: RestrictableEntry) => boolean;

/** The judge for the items of the bin. The caller holds the transaction. */
export function createJudge(context: CatalogContext, principal: Principal): Judge {
  const { permissions } = context;
  const chains = new Map<string, readonly string[] | null>();
  const findChain = (folderId: string) => {
    const known = chains.get(folderId);
    if (known !== undefined) return known;
    const chain = findFormerChain(context, folderId);
    chains.set(folderId, chain);
    return chain;
  };
  const mayEdit = (chain: readonly string[]) => isAtLeast(permissions.levelOf(principal, chain), 'EDIT');
  return ({ ownerId, userId, parentId, itemId, restricted }) => {
    if (ownerId !== null) return ownerId === principal.userId;
    if (principal.superUser) return true;
    if (userId !== principal.userId) return false;
    const chain = findChain(parentId);
    if (chain === null || !mayEdit(chain)) return false;
    const isRestricted = restricted === 1 || parentId === HUB_ROOT_ID;
    return !isRestricted || mayEdit([...chain, itemId]);
  };
}

/** An item of the bin that the principal sees. Throws 404. The caller holds the transaction. */
export function findDeleted(context: CatalogContext, principal: Principal, id: string): RestrictableEntry {
  const item = context.store.findDeleted(id);
  if (item === undefined || !createJudge(context, principal)(item)) throw deletedItemNotFound(id);
  return item;
}

/**
 * The ids from the root of the namespace to a folder, as if everything in the bin was still in its place; null if one of
 * the folders is deleted permanently.
 */
function findFormerChain({ store }: CatalogContext, folderId: string): readonly string[] | null {
  const chain: string[] = [];
  for (let next = folderId; ; ) {
    const item = store.find(next);
    if (item === undefined) return null;
    chain.unshift(next);
    const parentId = item.parentId ?? (item.name === '' ? store.findDeletedItem(next)?.parentId : next);
    if (parentId === next) return chain;
    if (parentId === undefined) return null;
    next = parentId;
  }
}
