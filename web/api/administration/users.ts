import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { MadeInvitationResponse, NewInvitationBody } from '../../../src/server/manage/invitations.ts';
import type { StoppedResponse, UserSessionsResponse } from '../../../src/server/manage/user-access.ts';
import type { UserChangesBody, UserOutcomesResponse } from '../../../src/server/manage/user-changes.ts';
import type {
  ListedUserResponse,
  NewUserBody,
  UserChangeBody,
  UserListResponse,
  UserResponse,
} from '../../../src/server/manage/users.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';

/** An account, with the facts by which administrators recognize it. */
export type ListedUser = ListedUserResponse;

/** A new invitation with its link, which the server returns only once. */
export type MadeInvitation = MadeInvitationResponse;

/** Whom to invite. */
export type NewInvitation = NewInvitationBody;

/** An account to create. */
export type NewAccount = NewUserBody;

/** The numbers of sessions, tokens and executions that a stop has ended. */
export type StoppedUser = StoppedResponse;

/** The path of the list, which is the first part of the keys of all queries about accounts. */
export const USERS = 'manage/users';

const toPath = (name: string) => `${USERS}/${encodeURIComponent(name)}`;

/** One account; for administrators. */
export function userQuery(name: string) {
  return queryOptions({
    queryKey: [USERS, 'one', name],
    queryFn: ({ signal }) => request<ListedUserResponse>(toPath(name), { signal }),
  });
}

/** The accounts with a text in the user name, the e-mail address or the display name. */
export function userSearchQuery(text: string) {
  return queryOptions({
    queryKey: [USERS, 'picker', text],
    queryFn: ({ signal }) =>
      request<UserListResponse>(`${USERS}?${new URLSearchParams({ q: text, limit: '20' })}`, { signal }),
    select: ({ data }) => data,
    staleTime: 30_000,
  });
}

/** The sessions of an account, the last used first. */
export function userSessionsQuery(name: string) {
  return queryOptions({
    queryKey: [USERS, 'sessions', name],
    queryFn: ({ signal }) => request<UserSessionsResponse>(`${toPath(name)}/sessions`, { signal }),
    select: ({ data }) => data,
  });
}

/** Loads a page of the list. */
export function loadUsers(query: string, signal: AbortSignal): Promise<UserListResponse> {
  return request<UserListResponse>(`${USERS}?${query}`, { signal });
}

/** Loads again what is shown of accounts. */
async function reload(client: QueryClient): Promise<void> {
  const keys = [[USERS], ['manage/groups'], ['tokens']];
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Creates an account. */
export async function createUser(client: QueryClient, body: NewUserBody): Promise<UserResponse> {
  const csrfToken = getCsrfToken(client);
  const created = await request<UserResponse>(USERS, { method: 'POST', body, csrfToken });
  await reload(client);
  return created;
}

/** Changes an account; absent fields stay. */
export async function changeUser(
  client: QueryClient,
  name: string,
  body: UserChangeBody,
): Promise<UserResponse> {
  const csrfToken = getCsrfToken(client);
  const changed = await request<UserResponse>(toPath(name), { method: 'PUT', body, csrfToken });
  await reload(client);
  return changed;
}

/** Makes one change to several users; returns an outcome for each. */
export async function changeUsers(client: QueryClient, body: UserChangesBody): Promise<UserOutcomesResponse> {
  const csrfToken = getCsrfToken(client);
  const outcomes = await request<UserOutcomesResponse>(`${USERS}/changes`, {
    method: 'POST',
    body,
    csrfToken,
  });
  await reload(client);
  return outcomes;
}

/** Deletes an account with its tokens and its `@Personal`. */
export async function deleteUser(client: QueryClient, name: string): Promise<void> {
  await request(toPath(name), { method: 'DELETE', csrfToken: getCsrfToken(client) });
  await reload(client);
}

/** Disables a user, and ends sessions, tokens, the invitation and executions. */
export async function stopUser(client: QueryClient, name: string): Promise<StoppedResponse> {
  const csrfToken = getCsrfToken(client);
  const stopped = await request<StoppedResponse>(`${toPath(name)}/stop`, { method: 'POST', csrfToken });
  await reload(client);
  return stopped;
}

/** Ends a session of a user; without one, all of them. */
export async function endUserSessions(client: QueryClient, name: string, id?: string): Promise<void> {
  const session = id === undefined ? '' : `/${encodeURIComponent(id)}`;
  const path = `${toPath(name)}/sessions${session}`;
  await request(path, { method: 'DELETE', csrfToken: getCsrfToken(client) });
  await reload(client);
}

/** Invites a new user, or one who exists. */
export async function inviteUser(
  client: QueryClient,
  body: NewInvitationBody,
): Promise<MadeInvitationResponse> {
  const csrfToken = getCsrfToken(client);
  const made = await request<MadeInvitationResponse>('manage/invitations', {
    method: 'POST',
    body,
    csrfToken,
  });
  await reload(client);
  return made;
}
