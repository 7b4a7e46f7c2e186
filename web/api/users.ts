import { queryOptions } from '@tanstack/react-query';
import type { UserListResponse } from '../../src/server/manage/users.ts';
import { request } from './request.ts';

/** A possible owner of tokens. */
export type ListedUser = UserListResponse['data'][number];

/** The maximum number of users in a response. */
const PAGE = 1000;

/** All users, by name; for administrators. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => loadUsers(signal),
  staleTime: 30_000,
});

async function loadUsers(signal: AbortSignal): Promise<readonly ListedUser[]> {
  const users: ListedUser[] = [];
  for (;;) {
    const last = users.at(-1)?.user_name ?? '';
    const page = new URLSearchParams({ limit: String(PAGE), after: last });
    const { data } = await request<UserListResponse>(`manage/users?${page}`, { signal });
    users.push(...data);
    if (data.length < PAGE) return users;
  }
}
