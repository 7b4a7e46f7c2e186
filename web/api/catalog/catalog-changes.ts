import type { QueryClient } from '@tanstack/react-query';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';
import { type Entry, type Item, isFolder } from './catalog.ts';
import { encodePath } from './catalog-paths.ts';

// After a change, the page calls `reloadCatalog`, when it no longer shows items at their old paths.

/** A folder to create. */
export interface NewFolder {
  readonly parent_path: string;
  readonly name: string;
  readonly folder_type?: 'REGULAR' | 'PROJECT';
  readonly description?: string;
}

/** A script to create. */
export interface NewAsset {
  readonly parent_path: string;
  readonly name: string;
  readonly content: string;
  readonly description?: string;
}

/** The fields of an item to change; absent fields stay. */
export interface Change {
  readonly name?: string;
  readonly parent_path?: string;
  readonly description?: string;
  readonly content?: string;
}

/** An item in a known revision. */
export type Versioned = Pick<Item, 'path' | 'type' | 'etag'>;

/** Creates a folder or a project. */
export function createFolder(client: QueryClient, body: NewFolder, signal?: AbortSignal): Promise<Entry> {
  return post(client, 'catalog/folders', body, signal);
}

/** Creates a script. */
export function createAsset(client: QueryClient, body: NewAsset, signal?: AbortSignal): Promise<Entry> {
  return post(client, 'catalog/assets', body, signal);
}

/** Changes an item, if it is still in the same revision; otherwise rejects with 412. */
export function changeItem(client: QueryClient, item: Versioned, change: Change, signal?: AbortSignal) {
  const kind = isFolder(item.type) ? 'folders' : 'assets';
  return request<Entry>(`catalog/${kind}/${encodePath(item.path)}`, {
    method: 'PUT',
    body: change,
    headers: { 'if-match': item.etag },
    csrfToken: getCsrfToken(client),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Deletes an item, a folder with everything in it, if it is still in the same revision; otherwise rejects with 412. */
export async function deleteItem(client: QueryClient, { path, type, etag }: Versioned): Promise<void> {
  const route = isFolder(type) ? 'manage/folders' : 'catalog/assets';
  await request(`${route}/${encodePath(path)}`, {
    method: 'DELETE',
    headers: { 'if-match': etag },
    csrfToken: getCsrfToken(client),
  });
}

function post(client: QueryClient, path: string, body: object, signal?: AbortSignal): Promise<Entry> {
  const csrfToken = getCsrfToken(client);
  return request<Entry>(path, {
    method: 'POST',
    body,
    csrfToken,
    ...(signal === undefined ? {} : { signal }),
  });
}
