import { isAtLeast } from '../../identity/principal/permissions.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { hasScope } from '../../identity/principal/scopes.ts';
import { isFolder } from '../asset.ts';
import type { Content } from '../contents/content-store.ts';
import type { HistoryRow } from '../contents/history-store.ts';
import type { CatalogContext } from '../context.ts';
import { pathMustBeAsset, pathNotFound } from '../errors.ts';
import { findVisible, type LocatedItem } from '../find-item.ts';
import type { Item } from '../store.ts';
import { historyErrors } from './errors.ts';

/** The asset at a path that the caller may view. Throws 404, and 422 for a folder. */
export function findAsset(context: CatalogContext, principal: Principal, text: string): LocatedItem {
  const place = findVisible(context, principal, text);
  if (isFolder(place.item.type)) throw pathMustBeAsset();
  return place;
}

/** Like `findAsset`, for a caller who must have MANAGE, and a token with the scope `all`. */
export function findManagedAsset(context: CatalogContext, principal: Principal, text: string): LocatedItem {
  const place = findVisible(context, principal, text);
  const level = context.permissions.levelOf(principal, place.chain);
  if (!isAtLeast(level, 'MANAGE') || !hasScope(principal, 'all')) throw pathNotFound(text);
  if (isFolder(place.item.type)) throw pathMustBeAsset();
  return place;
}

/** A revision of an asset. */
export interface FoundRevision {
  readonly row: HistoryRow;
  /** Whether it is the current content. */
  readonly isCurrent: boolean;
}

/** A revision of an asset by its number. Throws 404. */
export function findRevision({ store }: CatalogContext, { id }: Item, revision: number): FoundRevision {
  const row = store.findRevision(id, revision);
  if (row === undefined) throw historyErrors.notFound(revision);
  return { row, isCurrent: store.findCurrent(id)?.id === row.id };
}

/** The text of a revision. Throws 404 if it was purged. */
export function readRevisionText(
  { store }: CatalogContext,
  { id }: Item,
  { row, isCurrent }: FoundRevision,
): Content {
  const content = isCurrent ? store.readContentBytes(id) : store.readFormer(row.id);
  if (content === undefined) throw historyErrors.purged(row.revision);
  return content;
}
