import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  GroupChangeBody,
  GroupListResponse,
  GroupMembersResponse,
  GroupResponse,
  ListedGroupResponse,
  NewGroupBody,
  NewMembersBody,
} from '../../../src/server/manage/groups.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';
import { USERS } from './users.ts';

/** A group with the number of its members. */
export type ListedGroup = ListedGroupResponse;

/** A member, and the sources that have added the user. */
export type GroupMember = GroupMembersResponse['data'][number];

/** The path of the list, which is the first part of the keys of all queries about groups. */
export const GROUPS = 'manage/groups';

const toPath = (name: string) => `${GROUPS}/${encodeURIComponent(name)}`;

/** Loads a page of the list. */
export function loadGroups(query: string, signal: AbortSignal): Promise<GroupListResponse> {
  return request<GroupListResponse>(`${GROUPS}?members=count&${query}`, { signal });
}

/** The groups whose names have a text, at most 50; for administrators. */
export function groupSearchQuery(text: string) {
  return queryOptions({
    queryKey: [GROUPS, 'picker', text],
    queryFn: ({ signal }) => loadGroups(String(new URLSearchParams({ q: text, limit: '50' })), signal),
    select: ({ data }) => data.map(({ name }) => name),
    staleTime: 30_000,
  });
}

/** One group with the number of its members; for administrators. */
export function groupQuery(name: string) {
  return queryOptions({
    queryKey: [GROUPS, 'one', name],
    queryFn: ({ signal }) => request<ListedGroupResponse>(`${toPath(name)}?members=count`, { signal }),
  });
}

/** Loads a page of the members of a group. */
export function loadMembers(
  group: string,
  query: string,
  signal: AbortSignal,
): Promise<GroupMembersResponse> {
  return request<GroupMembersResponse>(`${toPath(group)}/members?${query}`, { signal });
}

/** Loads again what is shown of groups and their members. */
async function reload(client: QueryClient): Promise<void> {
  await Promise.all([[USERS], [GROUPS]].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Creates a group. */
export async function createGroup(client: QueryClient, body: NewGroupBody): Promise<GroupResponse> {
  const csrfToken = getCsrfToken(client);
  const created = await request<GroupResponse>(GROUPS, { method: 'POST', body, csrfToken });
  await reload(client);
  return created;
}

/** Renames a group, or changes its display name. */
export async function changeGroup(
  client: QueryClient,
  name: string,
  body: GroupChangeBody,
): Promise<GroupResponse> {
  const csrfToken = getCsrfToken(client);
  const changed = await request<GroupResponse>(toPath(name), { method: 'PUT', body, csrfToken });
  await reload(client);
  return changed;
}

/** Deletes a group; its members keep their accounts. */
export async function deleteGroup(client: QueryClient, name: string): Promise<void> {
  await request(toPath(name), { method: 'DELETE', csrfToken: getCsrfToken(client) });
  await reload(client);
}

/** Adds a user to a group. */
export async function addMember(client: QueryClient, group: string, userName: string): Promise<void> {
  const body: NewMembersBody = { members: [userName] };
  const csrfToken = getCsrfToken(client);
  await request(`${toPath(group)}/members`, { method: 'POST', body, csrfToken });
  await reload(client);
}

/** Removes a user from a group. */
export async function removeMember(client: QueryClient, group: string, userName: string): Promise<void> {
  const path = `${toPath(group)}/members/${encodeURIComponent(userName)}`;
  await request(path, { method: 'DELETE', csrfToken: getCsrfToken(client) });
  await reload(client);
}
