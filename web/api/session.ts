import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { SessionBody } from '../../src/server/console/get-session.ts';
import type { RedemptionBody } from '../../src/server/console/redeem-invitation.ts';
import type { SignInBody } from '../../src/server/console/sign-in.ts';
import type { SignOutBody } from '../../src/server/console/sign-out.ts';
import { ApiError, request } from './request.ts';

/** A session of the console. */
export type ConsoleSession = SessionBody;

/** The signed-in user. */
export type SessionUser = SessionBody['user'];

/** A user name or an e-mail address, and the password. */
export type Credentials = SignInBody;

const key = ['session'];

/** The session of this browser; null without one. */
export const sessionQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => request<SessionBody>('session', { signal }).catch(toNobody),
  staleTime: 60_000,
});

function toNobody(error: unknown): null {
  if (error instanceof ApiError && error.status === 401) return null;
  throw error;
}

/** Creates a session and clears the cache of an earlier user. */
export async function signIn(client: QueryClient, credentials: Credentials): Promise<void> {
  begin(client, await request<SessionBody>('sign-in', { method: 'POST', body: credentials }));
}

/**
 * Signs the user of this page in again, whose session is then recent. Rejects with a plain Error for a wrong password: an
 * ApiError would end the session.
 */
export async function signInAgain(client: QueryClient, credentials: Credentials): Promise<void> {
  try {
    const session = await request<SessionBody>('sign-in', { method: 'POST', body: credentials });
    client.setQueryData(key, session);
  } catch (error) {
    throw error instanceof ApiError && error.status === 401 ? new Error(error.message) : error;
  }
}

/** Sets the password of an invited person, and creates a session. */
export async function redeemInvitation(client: QueryClient, body: RedemptionBody): Promise<void> {
  begin(client, await request<SessionBody>('invitations', { method: 'POST', body }));
}

function begin(client: QueryClient, session: SessionBody): void {
  forgetAnswers(client);
  client.setQueryData(key, session);
}

/** Ends the session, even an expired one; returns whether the browser is redirected to the identity provider. */
export async function signOut(client: QueryClient): Promise<boolean> {
  const csrfToken = getCsrfToken(client);
  const sent = await request<SignOutBody | undefined>('sign-out', {
    method: 'POST',
    csrfToken,
  }).catch(toNobody);
  client.setQueryData(key, null);
  if (!sent) return false;
  window.location.assign(sent.sign_out_url);
  return true;
}

/** Records the end of the session; returns whether one existed. */
export function endSession(client: QueryClient): boolean {
  if (!client.getQueryData<ConsoleSession | null>(key)) return false;
  client.setQueryData(key, null);
  return true;
}

/** Clears the cached responses of an ended session. */
export function forgetAnswers(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== key[0] });
}

/** The CSRF token for requests that change something; empty, and so refused, without a session. */
export function getCsrfToken(client: QueryClient): string {
  return client.getQueryData<ConsoleSession | null>(key)?.csrf_token ?? '';
}

/** Whether the user may create anything. */
export function mayCreate({ role }: SessionUser): boolean {
  return role !== 'VIEWER';
}

/** Whether the user is an administrator. */
export function isAdministrator({ role }: SessionUser): boolean {
  return role === 'ADMIN';
}
