import type { QueryClient } from '@tanstack/react-query';
import type {
  AssetChangeBody,
  FolderResponse,
  NewAssetBody,
  NewFolderBody,
} from '../../../src/server/catalog/schemas.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';
import { type CatalogItem, isFolder } from './catalog.ts';
import { encodePath } from './catalog-paths.ts';

// After a change, the page calls `reloadCatalog`, when it no longer shows items at their old paths.

/** The fields of an item to change; absent fields stay. */
export type Change = AssetChangeBody;

/** An item in a known revision. */
type Versioned = Pick<CatalogItem, 'path' | 'type' | 'etag'>;

/** Creates a folder or a project. */
export function createFolder(
  client: QueryClient,
  body: NewFolderBody,
  signal?: AbortSignal,
): Promise<FolderResponse> {
  return post(client, 'catalog/folders', body, signal);
}

/** Creates a script. */
export function createAsset(
  client: QueryClient,
  body: NewAssetBody,
  signal?: AbortSignal,
): Promise<FolderResponse> {
  return post(client, 'catalog/assets', body, signal);
}

/** Changes an item, if it is still in the same revision; otherwise rejects with 412. */
export function changeItem(client: QueryClient, item: Versioned, change: Change, signal?: AbortSignal) {
  const kind = isFolder(item.type) ? 'folders' : 'assets';
  return request<FolderResponse>(`catalog/${kind}/${encodePath(item.path)}`, {
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

function post(
  client: QueryClient,
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<FolderResponse> {
  const csrfToken = getCsrfToken(client);
  return request<FolderResponse>(path, {
    method: 'POST',
    body,
    csrfToken,
    ...(signal === undefined ? {} : { signal }),
  });
}
