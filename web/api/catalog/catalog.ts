import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { exchange, request } from '../request.ts';
import { encodePath } from './catalog-paths.ts';

/** The types of items (docs/reference/catalog.md). */
export type ItemType =
  | 'REGULAR_FOLDER'
  | 'USER_HOME'
  | 'PROJECT'
  | 'SQL_SCRIPT'
  | 'SERVICE_SCRIPT'
  | 'PROJECT_MANIFEST'
  | 'SCHEDULED_EVENTS'
  | 'UPLOAD_TEMPLATE'
  | 'DATA_INSERT_TEMPLATE';

/** An item in listings; times are ISO 8601, UTC. */
export interface Entry {
  readonly name: string;
  readonly path: string;
  readonly type: ItemType;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A single item with its ETag, a quoted revision (docs/reference/catalog.md#two-people-one-script). */
export interface Item extends Entry {
  readonly description: string;
  /** Only scripts and manifests have a content. */
  readonly data: { readonly content?: string };
  readonly etag: string;
}

/** The number of items below a folder that the user may view. */
export interface FolderSize {
  readonly folders: number;
  readonly scripts: number;
  /** Whether all items were counted. */
  readonly is_complete: boolean;
}

export type Level = 'NONE' | 'VIEW' | 'EDIT' | 'MANAGE';

/** The keys of all cached responses about the catalog. */
const ALL = ['catalog'];

/** The order of the namespaces on pages. */
const NAMESPACES = ['@Personal', '@Shared', '@Project Hub'];

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
  const target = path === '' ? 'catalog/list' : `catalog/list/${encodePath(path)}`;
  return (await request<{ readonly data: readonly Entry[] }>(target, { signal })).data;
}

function sortNamespaces(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((one, other) => NAMESPACES.indexOf(one.name) - NAMESPACES.indexOf(other.name));
}

/** An item with its content. An unchanged item is not transferred again. */
export function itemQuery(path: string) {
  const queryKey = [...ALL, 'item', path];
  return queryOptions({
    queryKey,
    queryFn: ({ client, signal }) => readItem(path, signal, client.getQueryData<Item>(queryKey)),
    staleTime: 2_000,
    refetchOnWindowFocus: 'always',
    // Contents can have 15 MB.
    gcTime: 60_000,
  });
}

/** Reads an item from the server, which does not send its content again if `known` is the current revision. */
export async function readItem(path: string, signal: AbortSignal, known?: Item): Promise<Item> {
  const headers: Record<string, string> = known === undefined ? {} : { 'if-none-match': known.etag };
  const answer = await exchange<Omit<Item, 'etag'>>(`catalog/by-path/${encodePath(path)}`, {
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
      request<{ readonly level: Level }>(`manage/grants/level?${new URLSearchParams({ target: path })}`, {
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
    queryFn: ({ signal }) => request<FolderSize>(`manage/folders/${encodePath(path)}`, { signal }),
  });
}

/** Reloads the shown parts of the catalog, and drops the others. */
export async function reloadCatalog(client: QueryClient): Promise<void> {
  client.removeQueries({ queryKey: ALL, type: 'inactive' });
  await client.invalidateQueries({ queryKey: ALL });
}

/** Whether a level includes another one. */
export function isAtLeast(level: Level | undefined, wanted: Level): boolean {
  const order: readonly Level[] = ['NONE', 'VIEW', 'EDIT', 'MANAGE'];
  return level !== undefined && order.indexOf(level) >= order.indexOf(wanted);
}

/** Whether items of a type contain others. */
export function isFolder(type: ItemType): boolean {
  return type === 'REGULAR_FOLDER' || type === 'USER_HOME' || type === 'PROJECT';
}
