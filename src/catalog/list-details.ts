import { checkPageLimit } from '../identity/log-range.ts';
import { isAtLeast } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { listKeys } from '../invariants/narrow.ts';
import { foldCase } from '../store/values/fold-case.ts';
import { isFolder, toFolderBody } from './asset.ts';
import type { AssetType } from './asset-type.ts';
import type { CatalogContext } from './context.ts';
import { noSuchItem } from './errors.ts';
import { findVisibleById } from './find-item.ts';
import type { DetailedItemBody, DetailedListBody } from './item-body.ts';
import { isTop, printPath } from './path.ts';
import { findListed, listRoots } from './read-items.ts';

/** The values by which the items of a folder are sorted, which are by name already; those without one are last. */
const COLUMNS = {
  name: () => null,
  type: ({ type }: DetailedItemBody) => type,
  updated_at: (item: DetailedItemBody) => item.updated_at,
  updated_by: (item: DetailedItemBody) => item.updated_by,
  bytes: ({ bytes }: DetailedItemBody) => bytes,
};
type Column = keyof typeof COLUMNS;

/** The orders of the items of a folder; with a minus in front, downwards. */
export const ITEM_SORTS = listKeys(COLUMNS).flatMap((column) => [column, `-${column}`] as const);

/** Which items of a folder are listed, and in which order; folders are always first. */
export interface DetailsRequest {
  readonly projectVersion?: string | undefined;
  /** A part of the name or the description, without regard to case. */
  readonly q?: string | undefined;
  readonly type?: AssetType | undefined;
  /** Whether only folders are listed in which the caller may create items, and those on the way to them. */
  readonly places?: boolean | undefined;
  /** Defaults to `name`. */
  readonly sort?: Column | `-${Column}` | undefined;
  /** Defaults to 100. */
  readonly limit?: number | undefined;
  /** The name of an item of the folder: only the items after it. */
  readonly after?: string | undefined;
}

/**
 * `GET /catalog/list?details=true` (docs/reference/http-catalog.md#details-of-a-folder): a page of the children of a
 * folder that the caller may view. Throws the errors of a list, and 400 for an invalid limit or an unknown `after`.
 */
export function listDetails(
  context: CatalogContext,
  principal: Principal,
  text: string,
  request: DetailsRequest,
): DetailedListBody {
  const limit = checkPageLimit(request.limit);
  return context.database.read(() => {
    const all = isTop(text)
      ? listDetailedRoots(context, principal)
      : listDetailedChildren(context, principal, text, request);
    const matching = sortItems(
      all.filter(({ body }) => matches(body, request)).filter(createPlaceFilter(context, principal, request)),
      request.sort,
    );
    const start = findStart(matching, request.after);
    return { data: matching.slice(start, start + limit), total: matching.length };
  });
}

/** An item of the list. */
interface Listed {
  readonly id: string;
  readonly body: DetailedItemBody;
}

function listDetailedRoots(context: CatalogContext, principal: Principal): Listed[] {
  return listRoots(context, principal).map(({ item: { id, description }, body }) => {
    const level = context.permissions.levelOf(principal, [id]);
    return { id, body: { ...body, description, level, updated_by: null, bytes: null } };
  });
}

function listDetailedChildren(
  context: CatalogContext,
  principal: Principal,
  text: string,
  { projectVersion }: DetailsRequest,
): Listed[] {
  const { item: folder, chain, path } = findListed(context, principal, text, projectVersion);
  const parentPath = printPath(path);
  const levelOf = context.permissions.levelsBelow(principal, chain);
  return context.store.listDetailedChildren(folder.id).flatMap((child) => {
    const level = levelOf(child.id);
    if (!isAtLeast(level, 'VIEW')) return [];
    const { description, updatedBy, bytes } = child;
    const body = toFolderBody(child, `${parentPath}/${child.name}`);
    return [{ id: child.id, body: { ...body, description, level, updated_by: updatedBy, bytes } }];
  });
}

/** Keeps the folders in which the caller may create items, and those on the way to them, if these are requested. */
function createPlaceFilter(
  context: CatalogContext,
  principal: Principal,
  { places = false }: DetailsRequest,
): (item: Listed) => boolean {
  if (!places) return () => true;
  let ways: ReadonlySet<string> | undefined;
  return ({ id, body: { type, level } }) => {
    if (!isFolder(type)) return false;
    if (isAtLeast(level, 'EDIT')) return true;
    ways ??= findWays(context, principal);
    return ways.has(id);
  };
}

/** The folders above those in which the caller may create items by a grant. */
function findWays(context: CatalogContext, principal: Principal): ReadonlySet<string> {
  const ways = new Set<string>();
  for (const id of context.permissions.listEditGrants(principal)) {
    const place = findVisibleById(context, principal, id);
    if (place === null || !isFolder(place.item.type)) continue;
    if (!isAtLeast(context.permissions.levelOf(principal, place.chain), 'EDIT')) continue;
    for (const above of place.chain.slice(0, -1)) ways.add(above);
  }
  return ways;
}

function matches(
  { name, description, type }: DetailedItemBody,
  { q, type: wanted }: DetailsRequest,
): boolean {
  if (wanted !== undefined && type !== wanted) return false;
  if (q === undefined) return true;
  const text = foldCase(q);
  return foldCase(name).includes(text) || foldCase(description).includes(text);
}

/** Folders first; items with the same value by name, upwards, as they were listed. */
function sortItems(items: readonly Listed[], sort: DetailsRequest['sort'] = 'name'): DetailedItemBody[] {
  const column = listKeys(COLUMNS).find((name) => sort.endsWith(name)) ?? 'name';
  const direction = sort.startsWith('-') ? -1 : 1;
  const read = COLUMNS[column];
  const bodies = items.map(({ body }) => body);
  const byName = sort === '-name' ? bodies.toReversed() : bodies;
  const sorted = byName.toSorted((one, other) => compare(read(one), read(other), direction));
  return [...sorted.filter(({ type }) => isFolder(type)), ...sorted.filter(({ type }) => !isFolder(type))];
}

type Value = string | number | null;

function compare(one: Value, other: Value, direction: number): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return one < other ? -direction : direction;
}

function findStart(items: readonly DetailedItemBody[], after: string | undefined): number {
  if (after === undefined) return 0;
  const index = items.findIndex(({ name }) => name === after);
  if (index === -1) throw noSuchItem(after);
  return index + 1;
}
