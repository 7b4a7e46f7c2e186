import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';

/** A possible owner of tokens. */
export interface User {
  readonly user_name: string;
  readonly display_name: string;
  readonly active: boolean;
}

/** All users, by name; for administrators. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => request<{ readonly data: readonly User[] }>('users', { signal }),
  select: ({ data }) => data,
  staleTime: 30_000,
});
