import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  RestoreBody,
  RevisionListResponse,
  RevisionResponse,
} from '../../../src/server/manage/revisions.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';
import { type CatalogItem, isFolder } from './catalog.ts';
import { encodePath } from './catalog-paths.ts';

/** A content in the history of a script; times are ISO 8601, UTC. */
export type Revision = RevisionListResponse['data'][number];

/** The last contents of a script, the newest first; at most 100. */
export function revisionsQuery(path: string) {
  return queryOptions({
    queryKey: ['catalog', 'revisions', path],
    queryFn: ({ signal }) =>
      request<RevisionListResponse>(`manage/revisions/${encodePath(path)}`, { signal }),
    select: ({ data }) => data,
    refetchOnWindowFocus: 'always',
  });
}

/** The newest content of a script if it is the current state of `item`; null after a rename or a move, and for a folder. */
export function latestVersionQuery({ path, type, etag }: Pick<CatalogItem, 'path' | 'type' | 'etag'>) {
  return queryOptions({
    queryKey: ['catalog', 'revisions', path, 'latest', etag],
    queryFn: async ({ signal }) => {
      const { data } = await request<RevisionListResponse>(`manage/revisions/${encodePath(path)}?limit=1`, {
        signal,
      });
      return data.find(({ revision }) => `"${revision}"` === etag) ?? null;
    },
    enabled: !isFolder(type),
  });
}

/** The text of a script in a revision, which never changes. */
export function revisionTextQuery(path: string, revision: number) {
  return queryOptions({
    queryKey: ['catalog', 'revision-text', path, revision],
    queryFn: ({ signal }) =>
      request<RevisionResponse>(`manage/revisions/${encodePath(path)}?revision=${revision}`, { signal }),
    select: ({ data }) => data.content ?? '',
    gcTime: 60_000,
  });
}

/** Gives a script the text of an earlier revision again, if it has not changed since; otherwise rejects with 412. */
export function restoreRevision(client: QueryClient, { path, etag }: CatalogItem, revision: number) {
  const body: RestoreBody = { revision };
  return request(`manage/revisions/${encodePath(path)}`, {
    method: 'POST',
    body,
    headers: { 'if-match': etag },
    csrfToken: getCsrfToken(client),
  });
}
