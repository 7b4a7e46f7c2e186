import { queryOptions } from '@tanstack/react-query';
import type { FoundListResponse } from '../../../src/server/manage/search.ts';
import { request } from '../request.ts';

/** A found item; the line and the excerpt belong to the first match in a content. */
export type Found = FoundListResponse['data'][number];

/** The maximum of found items, which is also the server's. */
const LIMIT = '200';

/** The items whose name, or whose content, contains a text, without regard to case. */
export function foundQuery(text: string, where: 'name' | 'content') {
  return queryOptions({
    queryKey: ['catalog', 'found', where, text],
    queryFn: ({ signal }) =>
      request<FoundListResponse>(`manage/search?${new URLSearchParams({ [where]: text, limit: LIMIT })}`, {
        signal,
      }),
    staleTime: 10_000,
    gcTime: 60_000,
  });
}
