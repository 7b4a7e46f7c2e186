import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { MadeInvitationBody } from '../../../src/identity/accounts/invitation-body.ts';
import type { ListedUserBody, UserBody, UserListBody } from '../../../src/identity/accounts/user-body.ts';
import type { NewInvitationBody } from '../../../src/server/manage/invitations.ts';
import type { StoppedResponse, UserSessionsResponse } from '../../../src/server/manage/user-access.ts';
import type { NewUserBody, UserChangeBody } from '../../../src/server/manage/users.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';

/** An account, with the facts by which administrators recognize it. */
export type Account = ListedUserBody;

/** A session of another user; times are ISO 8601, UTC. */
export type UserSession = UserSessionsResponse['data'][number];

/** A new invitation with its link, which the server returns only once. */
export type MadeInvitation = MadeInvitationBody;

/** Whom to invite. */
export type NewInvitation = NewInvitationBody;

/** An account to create. */
export type NewAccount = NewUserBody;

/** What was ended when a user was stopped. */
export type StoppedUser = StoppedResponse;

/** The path of the list, which is the first part of the keys of all queries about accounts. */
export const USERS = 'manage/users';

const toPath = (name: string) => `${USERS}/${encodeURIComponent(name)}`;

/** One account; for administrators. */
export function userQuery(name: string) {
  return queryOptions({
    queryKey: [USERS, 'one', name],
    queryFn: ({ signal }) => request<Account>(toPath(name), { signal }),
  });
}

/** The accounts with a text in the user name, the e-mail address or the display name. */
export function userSearchQuery(text: string) {
  return queryOptions({
    queryKey: [USERS, 'picker', text],
    queryFn: ({ signal }) =>
      request<UserListBody>(`${USERS}?${new URLSearchParams({ q: text, limit: '20' })}`, { signal }),
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

/** Sends a change about accounts, and loads again what is shown of them. */
async function change<Answer>(
  client: QueryClient,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
) {
  const options = { method, csrfToken: getCsrfToken(client), ...(body === undefined ? {} : { body }) };
  const answer = await request<Answer>(path, options);
  await Promise.all(
    [[USERS], ['manage/groups'], ['tokens']].map((queryKey) => client.invalidateQueries({ queryKey })),
  );
  return answer;
}

/** Creates an account. */
export function createUser(client: QueryClient, body: NewAccount): Promise<UserBody> {
  return change(client, 'POST', USERS, body);
}

/** Changes an account; absent fields stay. */
export function changeUser(client: QueryClient, name: string, body: UserChangeBody): Promise<UserBody> {
  return change(client, 'PUT', toPath(name), body);
}

/** Deletes an account with its tokens and its `@Personal`. */
export function deleteUser(client: QueryClient, name: string): Promise<void> {
  return change(client, 'DELETE', toPath(name));
}

/** Disables a user, and ends sessions, tokens, the invitation and executions. */
export function stopUser(client: QueryClient, name: string): Promise<StoppedUser> {
  return change(client, 'POST', `${toPath(name)}/stop`);
}

/** Ends a session of a user; without one, all of them. */
export function endUserSessions(client: QueryClient, name: string, id?: string): Promise<void> {
  const end = id === undefined ? '' : `/${encodeURIComponent(id)}`;
  return change(client, 'DELETE', `${toPath(name)}/sessions${end}`);
}

/** Invites a new user, or one who exists. */
export function inviteUser(client: QueryClient, body: NewInvitation): Promise<MadeInvitation> {
  return change(client, 'POST', 'manage/invitations', body);
}
