import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { DeletedListResponse } from '../../../src/server/catalog/deleted.ts';
import type { FolderResponse, RestorePlaceBody } from '../../../src/server/catalog/schemas.ts';
import { readText } from '../address.ts';
import { toOlderPage } from '../older-page.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';
import { BIN } from './catalog.ts';

/** A deleted item (docs/reference/bin.md). */
export type DeletedItem = DeletedListResponse['data'][number];

/** What the bin shows, in the address. */
export interface BinSearch {
  readonly q?: string | undefined;
  /** The id of the item that the panel shows. */
  readonly item?: string | undefined;
}

/** Reads the search parameters of an address; ignores invalid ones. */
export function readBinSearch(search: Record<string, unknown>): BinSearch {
  return { q: readText(search.q), item: readText(search.item) };
}

/** Loads a page of the bin, the newest first. */
export function loadBin(query: string, signal?: AbortSignal): Promise<DeletedListResponse> {
  return request<DeletedListResponse>(`manage/deleted?${toOlderPage(query)}`, signal ? { signal } : {});
}

/** The item with an id; null if the bin does not have it. */
export function deletedItemQuery(id: string) {
  return queryOptions({
    queryKey: [...BIN, 'one', id],
    // Ids are compared as texts: the first item before this one is the item itself.
    queryFn: ({ signal }) => loadBin(String(new URLSearchParams({ after: `${id}~`, limit: '1' })), signal),
    select: ({ data }) => data.find((item) => item.id === id) ?? null,
  });
}

/** The item that was deleted last from a path; undefined if the bin does not have it. */
export async function findLastDeleted(path: string): Promise<DeletedItem | undefined> {
  const { data } = await loadBin(String(new URLSearchParams({ q: path })));
  return data.find((item) => item.path === path);
}

/** Moves an item from the bin back to the catalog, by default to its former place. */
export function restoreDeleted(
  client: QueryClient,
  id: string,
  place: RestorePlaceBody = {},
): Promise<FolderResponse> {
  return request<FolderResponse>(`manage/deleted/${encodeURIComponent(id)}/restore`, {
    method: 'POST',
    body: place,
    csrfToken: getCsrfToken(client),
  });
}

/** Deletes an item of the bin permanently. */
export async function deleteForever(client: QueryClient, id: string): Promise<void> {
  await request(`manage/deleted/${encodeURIComponent(id)}`, {
    method: 'DELETE',
    csrfToken: getCsrfToken(client),
  });
}
