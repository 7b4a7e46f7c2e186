import { queryOptions } from '@tanstack/react-query';
import { request } from '../request.ts';
import type { Entry } from './catalog.ts';

/** A found item; the line and the excerpt belong to the first match in a content. */
export interface Found extends Entry {
  /** From 1. */
  readonly line?: number;
  readonly excerpt?: string;
}

interface FoundList {
  readonly data: readonly Found[];
  /** Whether all matching items are listed. */
  readonly is_complete: boolean;
}

/** The maximum of found items, which is also the server's. */
const LIMIT = '200';

/** The items whose name, or whose content, contains a text, without regard to case. */
export function foundQuery(text: string, where: 'name' | 'content') {
  return queryOptions({
    queryKey: ['catalog', 'found', where, text],
    queryFn: ({ signal }) =>
      request<FoundList>(`manage/search?${new URLSearchParams({ [where]: text, limit: LIMIT })}`, { signal }),
    staleTime: 10_000,
    gcTime: 60_000,
  });
}
