import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { FolderListResponse, ItemResponse } from '../../../src/server/catalog/schemas.ts';
import type { FolderSizeResponse } from '../../../src/server/manage/folders.ts';
import type { OwnLevelResponse } from '../../../src/server/manage/grants.ts';
import { exchange, request } from '../request.ts';
import { encodePath, PERSONAL } from './catalog-paths.ts';

/** An item in listings; times are ISO 8601, UTC. */
export type Entry = FolderListResponse['data'][number];

/** An item in the table of a folder. */
export type DetailedEntry = Required<Entry>;

/** The types of items (docs/reference/catalog.md). */
export type ItemType = Entry['type'];

/** A single item with its ETag, a quoted revision (docs/reference/catalog.md#two-people-one-script). */
export type CatalogItem = ItemResponse & { readonly etag: string };

/** The number of items below a folder that the user may view. */
export type FolderItemCount = FolderSizeResponse;

export type AccessLevel = OwnLevelResponse['level'];

/** The keys of all cached responses about the catalog. */
const ALL = ['catalog'];

/** The first parts of the keys of the bin. */
export const BIN = [...ALL, 'bin'];

/** The order of the namespaces on pages. */
const NAMESPACES = [PERSONAL, '@Shared', '@Project Hub'];

/** The children of a folder; the namespaces for the empty path. */
export function childrenQuery(path: string) {
  return queryOptions({
    queryKey: [...ALL, 'children', path],
    queryFn: ({ signal }) => listChildren(path, signal),
    ...(path === '' ? { select: sortNamespaces } : {}),
    staleTime: 2_000,
    refetchOnWindowFocus: 'always',
  });
}

/** Lists the children of a folder from the server. */
export async function listChildren(path: string, signal: AbortSignal): Promise<readonly Entry[]> {
  return (await request<FolderListResponse>(toListPath(path), { signal })).data;
}

/** The first parts of the key of a folder's table. */
export function toFolderKey(path: string): readonly string[] {
  return [...ALL, 'folder', path];
}

/** Loads a page of the table of a folder; the namespaces for the empty path. */
export async function loadFolder(
  path: string,
  query: string,
  signal: AbortSignal,
): Promise<Required<FolderListResponse> & { readonly data: readonly DetailedEntry[] }> {
  return request(`${toListPath(path)}?details=true&${query}`, { signal });
}

/** The rows of one page, at most. */
const ROWS_AT_ONCE = 1_000;

/** All items of a folder that a search finds, with details. */
export async function listDetailed(
  path: string,
  search: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly DetailedEntry[]> {
  const all: DetailedEntry[] = [];
  for (let rows: readonly DetailedEntry[] | null = null; rows === null || rows.length === ROWS_AT_ONCE; ) {
    const after = all.at(-1)?.name;
    const query = { ...search, limit: String(ROWS_AT_ONCE), ...(after === undefined ? {} : { after }) };
    rows = (await loadFolder(path, String(new URLSearchParams(query)), signal)).data;
    all.push(...rows);
  }
  return all;
}

/**
 * The folders of a folder in which the user may create items, and those on the way to them, whose level is lower; the
 * namespaces for the empty path.
 */
export function placesQuery(path: string) {
  return queryOptions({
    queryKey: [...ALL, 'places', path],
    queryFn: ({ signal }): Promise<readonly Entry[]> => listDetailed(path, { places: 'true' }, signal),
    ...(path === '' ? { select: sortNamespaces } : {}),
    staleTime: 2_000,
    refetchOnWindowFocus: 'always',
  });
}

function toListPath(path: string): string {
  return path === '' ? 'catalog/list' : `catalog/list/${encodePath(path)}`;
}

function sortNamespaces(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((one, other) => NAMESPACES.indexOf(one.name) - NAMESPACES.indexOf(other.name));
}

/** An item with its content. An unchanged item is not transferred again. */
export function itemQuery(path: string) {
  const queryKey = [...ALL, 'item', path];
  return queryOptions({
    queryKey,
    queryFn: ({ client, signal }) => readItem(path, signal, client.getQueryData<CatalogItem>(queryKey)),
    staleTime: 2_000,
    refetchOnWindowFocus: 'always',
    // Contents can have 15 MB.
    gcTime: 60_000,
  });
}

/** Reads an item from the server, which does not send its content again if `known` is the current revision. */
export async function readItem(path: string, signal: AbortSignal, known?: CatalogItem): Promise<CatalogItem> {
  const headers: Record<string, string> = known === undefined ? {} : { 'if-none-match': known.etag };
  const answer = await exchange<ItemResponse>(`catalog/by-path/${encodePath(path)}`, {
    headers,
    signal,
  });
  if (answer.status === 304 && known !== undefined) return known;
  return { ...answer.body, etag: answer.headers.get('etag') ?? '' };
}

/** The user's own level on an item. */
export function levelQuery(path: string) {
  return queryOptions({
    queryKey: [...ALL, 'level', path],
    queryFn: ({ signal }) =>
      request<OwnLevelResponse>(`manage/grants/level?${new URLSearchParams({ target: path })}`, {
        signal,
      }),
    select: ({ level }) => level,
    staleTime: 2_000,
    refetchOnWindowFocus: 'always',
  });
}

/** The number of items below a folder. */
export function folderSizeQuery(path: string) {
  return queryOptions({
    queryKey: [...ALL, 'size', path],
    queryFn: ({ signal }) => request<FolderSizeResponse>(`manage/folders/${encodePath(path)}`, { signal }),
  });
}

/** Reloads the shown parts of the catalog, and drops the others. */
export async function reloadCatalog(client: QueryClient): Promise<void> {
  client.removeQueries({ queryKey: ALL, type: 'inactive' });
  await client.invalidateQueries({ queryKey: ALL });
}

/** Whether a level includes another one. */
export function isAtLeast(level: AccessLevel | undefined, wanted: AccessLevel): boolean {
  const order: readonly AccessLevel[] = ['NONE', 'VIEW', 'EDIT', 'MANAGE'];
  return level !== undefined && order.indexOf(level) >= order.indexOf(wanted);
}

/** Whether items of a type contain others. */
export function isFolder(type: ItemType): boolean {
  return type === 'REGULAR_FOLDER' || type === 'USER_HOME' || type === 'PROJECT';
}
