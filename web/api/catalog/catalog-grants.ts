import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  AccessResponse,
  GrantListResponse,
  NewGrantBody,
  NewRestrictionBody,
} from '../../../src/server/manage/grants.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';
import type { AccessLevel } from './catalog.ts';

/** The levels that can be granted on an item. */
export type GrantableLevel = Exclude<AccessLevel, 'NONE'>;

/** A grant on an item; the subject is `user:NAME`, `group:NAME` or `everyone`. */
export type ItemGrant = NewGrantBody;

/** A user with access to an item. */
export type Access = AccessResponse['data'][number];

/** A reason for a user's level. */
export type Reason = Access['reasons'][number];

/** The first parts of the keys of queries about the access to an item. */
export const ACCESS = ['catalog', 'access'];

/** Loads a page of the users with access to an item; for its managers. */
export function loadAccess(target: string, query: string, signal: AbortSignal): Promise<AccessResponse> {
  return request<AccessResponse>(`manage/grants/access?${new URLSearchParams({ target })}&${query}`, {
    signal,
  });
}

/** Whether an item is restricted; for its managers. */
export function restrictedQuery(target: string) {
  return queryOptions({
    queryKey: [...ACCESS, target],
    queryFn: ({ signal }) => loadAccess(target, 'limit=1', signal),
    select: ({ restricted }) => restricted,
    refetchOnWindowFocus: 'always',
  });
}

/** The grants on an item itself; for its managers. */
export function grantsQuery(target: string) {
  return queryOptions({
    queryKey: ['catalog', 'grants', target],
    queryFn: ({ signal }) =>
      request<GrantListResponse>(`manage/grants?${new URLSearchParams({ target })}`, {
        signal,
      }),
    select: ({ data }) => data,
    refetchOnWindowFocus: 'always',
  });
}

/** All grants that affect a subject, those of a user's groups too; for administrators. */
export function subjectGrantsQuery(subject: string) {
  return queryOptions({
    queryKey: ['catalog', 'grants-of', subject],
    queryFn: ({ signal }) =>
      request<GrantListResponse>(`manage/grants?${new URLSearchParams({ subject })}`, { signal }),
    select: ({ data }) => data,
  });
}

/** Grants a level, instead of the subject's earlier one. */
export async function setGrant(client: QueryClient, grant: ItemGrant): Promise<void> {
  await request('manage/grants', { method: 'PUT', body: grant, csrfToken: getCsrfToken(client) });
}

/** Revokes a grant. */
export function deleteGrant(client: QueryClient, { subject, target }: ItemGrant): Promise<void> {
  const query = new URLSearchParams({ subject, target });
  return request(`manage/grants?${query}`, { method: 'DELETE', csrfToken: getCsrfToken(client) });
}

/** Restricts an item, or lifts its restriction. */
export function restrictItem(client: QueryClient, target: string, restricted: boolean): Promise<void> {
  const body: NewRestrictionBody = { target, restricted };
  return request('manage/grants/restrict', { method: 'POST', body, csrfToken: getCsrfToken(client) });
}
