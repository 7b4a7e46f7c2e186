import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  ConnectionChangeBody,
  ConnectionKindsResponse,
  ConnectionListResponse,
  ConnectionResponse,
  ConnectionTestResponse,
  ConnectionUsersResponse,
  ListedConnectionResponse,
  NewConnectionBody,
} from '../../../src/server/manage/connections.ts';
import { CONNECTIONS } from '../editor/connections.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';

/** A connection of the list, with its last use. */
export type ConnectionRow = ListedConnectionResponse;
export type ConnectionSettings = NewConnectionBody;
export type ConnectionChange = ConnectionChangeBody;
export type ConnectionTest = ConnectionTestResponse;
export type StoredConnection = ConnectionResponse;
export type KindDescription = ConnectionKindsResponse['data'][number];
/** A user of a connection, with the reasons. */
export type ConnectionUser = ConnectionUsersResponse['data'][number];

const PATH = 'manage/connections';
const toPath = (name: string) => `${PATH}/${encodeURIComponent(name)}`;

/** Loads a page of the list, with the last use of each connection. */
export function loadConnections(query: string, signal: AbortSignal): Promise<ConnectionListResponse> {
  return request<ConnectionListResponse>(`${PATH}?use=last&${query}`, { signal });
}

/** The kinds of connections, with their options. */
export const connectionKindsQuery = queryOptions({
  queryKey: ['manage/connection-kinds'],
  queryFn: ({ signal }) => request<ConnectionKindsResponse>('manage/connection-kinds', { signal }),
  select: ({ data }) => data,
  staleTime: Number.POSITIVE_INFINITY,
});

/** One connection, without its secrets. */
export function connectionQuery(name: string) {
  return queryOptions({
    queryKey: [CONNECTIONS, 'one', name],
    queryFn: ({ signal }) => request<ConnectionResponse>(toPath(name), { signal }),
  });
}

/** Loads a page of the users of a connection; each page has the last use of the connection. */
export function loadConnectionUsers(
  name: string,
  query: string,
  signal: AbortSignal,
): Promise<ConnectionUsersResponse> {
  return request<ConnectionUsersResponse>(`${toPath(name)}/users?${query}`, { signal });
}

/** Loads again what is shown of connections. */
function reload(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [CONNECTIONS] });
}

/** Tests settings, which are not stored. */
export function testConnection(client: QueryClient, body: ConnectionSettings): Promise<ConnectionTest> {
  return request(`${PATH}/test`, { method: 'POST', body, csrfToken: getCsrfToken(client) });
}

/** Creates a connection. */
export async function createConnection(
  client: QueryClient,
  body: ConnectionSettings,
): Promise<StoredConnection> {
  const csrfToken = getCsrfToken(client);
  const created = await request<ConnectionResponse>(PATH, { method: 'POST', body, csrfToken });
  await reload(client);
  return created;
}

/** Changes some settings of a connection, if no other person has changed it since. */
export async function changeConnection(
  client: QueryClient,
  { name, revision }: Pick<StoredConnection, 'name' | 'revision'>,
  body: ConnectionChange,
): Promise<StoredConnection> {
  const csrfToken = getCsrfToken(client);
  const headers = { 'if-match': `"${revision}"` };
  const changed = await request<ConnectionResponse>(toPath(name), {
    method: 'PATCH',
    body,
    headers,
    csrfToken,
  });
  await reload(client);
  return changed;
}

/** Deletes a connection; its database stays. */
export async function deleteConnection(client: QueryClient, name: string): Promise<void> {
  await request(toPath(name), { method: 'DELETE', csrfToken: getCsrfToken(client) });
  await reload(client);
}
