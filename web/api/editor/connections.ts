import { queryOptions } from '@tanstack/react-query';
import type { ConnectionListResponse } from '../../../src/server/manage/connections.ts';
import { request } from '../request.ts';

/** A connection that the user may use. */
export type ListedConnection = ConnectionListResponse['data'][number];

/** The first part of the keys of all queries about connections. */
export const CONNECTIONS = 'connections';

/** The connections that the user may use. */
export const connectionsQuery = queryOptions({
  queryKey: [CONNECTIONS],
  queryFn: ({ signal }) => request<ConnectionListResponse>('manage/connections', { signal }),
  select: ({ data }) => data,
  staleTime: 30_000,
});
