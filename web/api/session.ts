import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, request } from './request.ts';

/** Who is signed in. */
export interface SessionUser {
  readonly user_name: string;
  readonly display_name: string;
  readonly email: string | null;
  readonly role: string;
}

/** A session as its page sees it. */
export interface Session {
  readonly user: SessionUser;
  readonly csrf_token: string;
}

/** What somebody signs in with. */
export interface Credentials {
  readonly login: string;
  readonly password: string;
}

const key = ['session'];

/** The session of this browser; null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => request<Session>('session', { signal }).catch(toNobody),
  staleTime: 60_000,
});

function toNobody(error: unknown): null {
  if (error instanceof ApiError && error.status === 401) return null;
  throw error;
}

/** Begins a session; what was known under another user is forgotten. */
export async function signIn(client: QueryClient, credentials: Credentials): Promise<void> {
  const session = await request<Session>('sign-in', { method: 'POST', body: credentials });
  forgetAnswers(client);
  client.setQueryData(key, session);
}

/** Ends the session, also when it has ended already, and goes on to the identity provider where that has one of its own; whether it does. */
export async function signOut(client: QueryClient): Promise<boolean> {
  const csrfToken = getCsrfToken(client);
  const sent = await request<{ sign_out_url: string } | undefined>('sign-out', {
    method: 'POST',
    csrfToken,
  }).catch(toNobody);
  client.setQueryData(key, null);
  if (!sent) return false;
  window.location.assign(sent.sign_out_url);
  return true;
}

/** Notes that there is no session any more; whether there was one. */
export function endSession(client: QueryClient): boolean {
  if (!client.getQueryData<Session | null>(key)) return false;
  client.setQueryData(key, null);
  return true;
}

/** Forgets all that was answered in a session that is over. */
export function forgetAnswers(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== key[0] });
}

/** What requests that change something carry; empty, and so refused, when nobody is signed in. */
export function getCsrfToken(client: QueryClient): string {
  return client.getQueryData<Session | null>(key)?.csrf_token ?? '';
}

/** Whether this user manages the accounts of others. */
export function isAdministrator({ role }: SessionUser): boolean {
  return role === 'ADMIN';
}
