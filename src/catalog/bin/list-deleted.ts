import { checkLimit } from '../../identity/log-range.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { toTimestamp } from '../../store/values/clock.ts';
import type { BinEntry } from '../bin-rows.ts';
import type { CatalogContext } from '../context.ts';
import { findTop } from '../find-item.ts';
import type { DeletedItemBody } from './deleted-body.ts';
import { deletedItemNotFound } from './errors.ts';
import { createJudge, findDeleted } from './find-deleted.ts';

/** Which items of the bin are listed, newest first. */
export interface DeletedRange {
  /** A part of the path, ignoring case. */
  readonly q?: string | undefined;
  /** At most 1,000; 100 by default. */
  readonly limit?: number | undefined;
  /** The id of an item: only those that were deleted earlier. */
  readonly before?: string | undefined;
}

const DAY_MS = 86_400_000;
/** The number of rows that one statement reads. */
const ROWS_AT_ONCE = 200;
/** The number of items among which one is found by its path. */
const MAX_NAMED = 1_000;

/** `GET /manage/deleted` (docs/reference/bin.md). Throws 400 for an invalid limit. */
export function listDeleted(
  context: CatalogContext,
  principal: Principal,
  { q: text = '', limit, before = undefined }: DeletedRange,
): readonly DeletedItemBody[] {
  const { store, database } = context;
  const count = checkLimit(limit);
  return database.read(() => {
    const isVisible = createJudge(context, principal);
    const { userId, superUser: isAdministrator } = principal;
    const found: BinEntry[] = [];
    for (let last = before ?? null; found.length < count; ) {
      const page = { userId, isAdministrator, text, before: last, limit: ROWS_AT_ONCE };
      const rows = store.listDeleted(page);
      found.push(...rows.filter(isVisible));
      if (rows.length < ROWS_AT_ONCE) break;
      last = rows.at(-1)?.id ?? null;
    }
    return found.slice(0, count).map((item) => toDeletedBody(context, item));
  });
}

/**
 * The newest item of the bin with an id or a former path that the principal sees. Throws 404.
 */
export function findDeletedBody(
  context: CatalogContext,
  principal: Principal,
  idOrPath: string,
): DeletedItemBody {
  if (!idOrPath.includes('@'))
    return context.database.read(() => toDeletedBody(context, findDeleted(context, principal, idOrPath)));
  const path = idOrPath.replace(/^\/|\/$/g, '');
  const found = listDeleted(context, principal, { q: path, limit: MAX_NAMED });
  const item = found.find((one) => one.path === path);
  if (item === undefined) throw deletedItemNotFound(idOrPath);
  return item;
}

/** The items of the bin that the principal sees and that have or had a content with this hash. */
export function listDeletedWith(
  context: CatalogContext,
  principal: Principal,
  sha256: string,
): readonly DeletedItemBody[] {
  const { store, database } = context;
  return database.read(() => {
    const isVisible = createJudge(context, principal);
    const tops = new Set(store.listWithContent(sha256).map((id) => findTop(context, id)?.id));
    return [...tops].flatMap((id) => {
      const item = id === undefined ? undefined : store.findDeletedItem(id);
      return item !== undefined && isVisible(item) ? [toDeletedBody(context, item)] : [];
    });
  });
}

/** The last time at which an item of the bin was deleted that is not kept any more. */
export function findOverdueTime({ clock, findBinDays }: CatalogContext): string {
  return toTimestamp(new Date(clock().getTime() - findBinDays() * DAY_MS));
}

/** Converts an item of the bin. The caller holds the transaction. */
function toDeletedBody({ findBinDays }: CatalogContext, item: BinEntry): DeletedItemBody {
  const { id, path, type, items, bytes, deletedAt } = item;
  const end = new Date(Date.parse(deletedAt) + findBinDays() * DAY_MS);
  return {
    id,
    path,
    type,
    items,
    bytes,
    deleted_at: deletedAt,
    deleted_by: item.userName,
    kept_until: toTimestamp(end),
  };
}
