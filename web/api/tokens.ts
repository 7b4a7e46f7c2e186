import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  MadeTokenResponse,
  NewTokenBody,
  TokenListResponse,
  TokenResponse,
} from '../../src/server/manage/tokens.ts';
import { request } from './request.ts';
import { getCsrfToken } from './session.ts';

/** A personal access token in lists; times are ISO 8601, UTC. */
export type ListedToken = TokenListResponse['data'][number];

/** A new token with its value, which is returned only once. */
export type NewToken = MadeTokenResponse;

/** The fields of a token to create. */
export type TokenRequest = NewTokenBody;

/** The first part of the keys of all queries about tokens. */
export const TOKENS = 'tokens';

/** The owner that stands for all users; for administrators. */
export const ALL_OWNERS = '*';

/** Returns a function that loads a page of the tokens of a user or of all users, by owner and name. */
export function loadTokens(owner: string) {
  return (query: string, signal: AbortSignal) =>
    request<TokenListResponse>(`${printPath(owner)}&${query}`, { signal });
}

/** One token of a user, by its id. */
export function tokenQuery(owner: string, id: string) {
  return queryOptions({
    queryKey: [TOKENS, 'one', owner, id],
    queryFn: ({ signal }) => request<TokenResponse>(printPath(owner, id), { signal }),
  });
}

/** The tokens of a user, by name. */
export function tokensQuery(owner: string) {
  return queryOptions({
    queryKey: [TOKENS, owner],
    queryFn: ({ signal }) => request<TokenListResponse>(printPath(owner), { signal }),
    select: ({ data }) => data,
  });
}

/** Creates a token; only this response contains its value. */
export async function createToken(client: QueryClient, body: TokenRequest): Promise<MadeTokenResponse> {
  const made = await request<MadeTokenResponse>('manage/tokens', {
    method: 'POST',
    body,
    csrfToken: getCsrfToken(client),
  });
  await client.invalidateQueries({ queryKey: [TOKENS] });
  return made;
}

/** Deletes a token; later requests with it are refused. */
export async function deleteToken(client: QueryClient, { id, owner }: ListedToken): Promise<void> {
  await request(printPath(owner, id), { method: 'DELETE', csrfToken: getCsrfToken(client) });
  await client.invalidateQueries({ queryKey: [TOKENS] });
}

function printPath(owner: string, id?: string): string {
  const path = id === undefined ? 'manage/tokens' : `manage/tokens/${encodeURIComponent(id)}`;
  return `${path}?${new URLSearchParams({ owner })}`;
}
