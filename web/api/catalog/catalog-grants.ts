import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';
import type { Level } from './catalog.ts';

/** The levels that can be granted on an item. */
export type GrantedLevel = Exclude<Level, 'NONE'>;

/** A grant on an item; the subject is `user:NAME`, `group:NAME` or `everyone`. */
export interface Grant {
  readonly subject: string;
  readonly level: GrantedLevel;
  readonly target: string;
}

/** A reason for a user's level. */
export interface Reason {
  readonly kind: 'disabled' | 'super_user' | 'own_home' | 'other_home' | 'namespace' | 'grant' | 'role';
  readonly level?: string;
  readonly subject?: string;
  readonly target?: string;
  /** The path of the restricted item that takes the effect from a grant. */
  readonly cut_off_by?: string | null;
  readonly role?: string;
}

/** A user with access to an item. */
export interface Access {
  readonly user: string;
  readonly display_name: string;
  readonly level: Level;
  readonly reasons: readonly Reason[];
}

/** The users with access to an item; for its managers. */
export function accessQuery(target: string) {
  return queryOptions({
    queryKey: ['catalog', 'access', target],
    queryFn: ({ signal }) =>
      request<{ readonly restricted: boolean; readonly data: readonly Access[] }>(
        `manage/grants/access?${new URLSearchParams({ target })}`,
        { signal },
      ),
    refetchOnWindowFocus: 'always',
  });
}

/** The grants on an item itself; for its managers. */
export function grantsQuery(target: string) {
  return queryOptions({
    queryKey: ['catalog', 'grants', target],
    queryFn: ({ signal }) =>
      request<{ readonly data: readonly Grant[] }>(`manage/grants?${new URLSearchParams({ target })}`, {
        signal,
      }),
    select: ({ data }) => data,
    refetchOnWindowFocus: 'always',
  });
}

/** The names of all groups; for administrators. */
export const groupNamesQuery = queryOptions({
  queryKey: ['group-names'],
  queryFn: ({ signal }) =>
    request<{ readonly data: readonly { readonly name: string }[] }>('manage/groups', { signal }),
  select: ({ data }) => data.map(({ name }) => name),
  staleTime: 30_000,
});

/** Grants a level, instead of the subject's earlier one. */
export function setGrant(client: QueryClient, grant: Grant): Promise<Grant> {
  return request('manage/grants', { method: 'PUT', body: grant, csrfToken: getCsrfToken(client) });
}

/** Revokes a grant. */
export function deleteGrant(client: QueryClient, { subject, target }: Grant): Promise<void> {
  const query = new URLSearchParams({ subject, target });
  return request(`manage/grants?${query}`, { method: 'DELETE', csrfToken: getCsrfToken(client) });
}

/** Restricts an item, or lifts its restriction. */
export function restrictItem(client: QueryClient, target: string, restricted: boolean): Promise<void> {
  const body = { target, restricted };
  return request('manage/grants/restrict', { method: 'POST', body, csrfToken: getCsrfToken(client) });
}
