import type { Principal } from '../../identity/principal/principal.ts';
import type { QueryTrail } from '../../query-log/query-trail.ts';
import type { QueriesApi } from '../api/workspace-api.ts';

/** The query log for one principal. */
export function bindQueries(queries: QueryTrail, principal: Principal): QueriesApi {
  return { list: async (filter) => queries.list(principal, filter) };
}
