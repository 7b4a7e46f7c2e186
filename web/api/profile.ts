import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  OwnSessionsResponse,
  PasswordChangeBody,
  ProfileChangeBody,
  ProfileResponse,
} from '../../src/server/console/profile.ts';
import { request } from './request.ts';
import { getCsrfToken } from './session.ts';

/** The user's own account. */
export type Profile = ProfileResponse;

/** A session of the user; times are ISO 8601, UTC. */
export type OwnSession = OwnSessionsResponse['data'][number];

/** The new password; the current one is required if there is one. */
export type PasswordChange = PasswordChangeBody;

const profileKey = ['profile'];
const sessionsKey = ['profile', 'sessions'];

/** The user's own account. */
export const profileQuery = queryOptions({
  queryKey: profileKey,
  queryFn: ({ signal }) => request<ProfileResponse>('profile', { signal }),
});

/** The user's sessions, the last used first. */
export const sessionsQuery = queryOptions({
  queryKey: sessionsKey,
  queryFn: ({ signal }) => request<OwnSessionsResponse>('profile/sessions', { signal }),
  select: ({ data }) => data,
});

/** Changes the display name, also where the shell shows it. */
export async function setDisplayName(client: QueryClient, name: string): Promise<void> {
  const body: ProfileChangeBody = { display_name: name };
  const changed = await request<ProfileResponse>('profile', {
    method: 'PUT',
    body,
    csrfToken: getCsrfToken(client),
  });
  client.setQueryData(profileKey, changed);
  await client.invalidateQueries({ queryKey: ['session'] });
}

/** Sets the password; all other sessions of the user end. */
export async function setPassword(client: QueryClient, body: PasswordChange): Promise<void> {
  await request('profile/password', { method: 'PUT', body, csrfToken: getCsrfToken(client) });
  // Without an administrator's password, the sign-in page shows a hint.
  for (const queryKey of [profileKey, ['session'], ['setup']]) await client.invalidateQueries({ queryKey });
}

/** Ends another session of the user. */
export async function endOwnSession(client: QueryClient, { id }: OwnSession): Promise<void> {
  const path = `profile/sessions/${encodeURIComponent(id)}`;
  await request(path, { method: 'DELETE', csrfToken: getCsrfToken(client) });
  await client.invalidateQueries({ queryKey: sessionsKey });
}

/** Ends all other sessions of the user. */
export async function endOtherSessions(client: QueryClient): Promise<void> {
  await request('profile/sessions', { method: 'DELETE', csrfToken: getCsrfToken(client) });
  await client.invalidateQueries({ queryKey: sessionsKey });
}
