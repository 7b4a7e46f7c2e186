import { queryOptions } from '@tanstack/react-query';
import { request } from '../request.ts';

/** A connection that the user may use. */
export interface Connection {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  /** The options that a run may override (docs/reference/connections.md#what-a-connection-allows). */
  readonly allowed_overrides: readonly string[];
}

/** The connections that the user may use. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: ({ signal }) =>
    request<{ readonly data: readonly Connection[] }>('manage/connections', { signal }),
  select: ({ data }) => data,
  staleTime: 30_000,
});
