import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { CountedGroupBody, GroupBody } from '../../../src/identity/accounts/group-body.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';
import { USERS } from './users.ts';

/** A group with the number of its members. */
export type CountedGroup = CountedGroupBody;

/** The path of the list, which is the first part of the keys of all queries about groups. */
export const GROUPS = 'manage/groups';

const toPath = (name: string) => `${GROUPS}/${encodeURIComponent(name)}`;

/** All groups, by name, with counts instead of members; for administrators. */
export const groupsQuery = queryOptions({
  queryKey: [GROUPS, 'all'],
  queryFn: ({ signal }) =>
    request<{ readonly data: readonly CountedGroup[] }>(`${GROUPS}?members=count`, { signal }),
  select: ({ data }) => data,
  staleTime: 30_000,
});

async function change(
  client: QueryClient,
  method: 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<void> {
  const options = { method, csrfToken: getCsrfToken(client), ...(body === undefined ? {} : { body }) };
  await request<GroupBody | undefined>(path, options);
  await Promise.all([[USERS], [GROUPS]].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Adds a user to a group. */
export function addMember(client: QueryClient, group: string, userName: string): Promise<void> {
  return change(client, 'POST', `${toPath(group)}/members`, { members: [userName] });
}

/** Removes a user from a group. */
export function removeMember(client: QueryClient, group: string, userName: string): Promise<void> {
  return change(client, 'DELETE', `${toPath(group)}/members/${encodeURIComponent(userName)}`);
}
