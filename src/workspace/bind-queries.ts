import type { Principal } from '../identity/principal.ts';
import type { QueryTrail } from '../query-log/query-trail.ts';
import type { QueriesApi } from './workspace-api.ts';

/** The query log for one principal. */
export function bindQueries(queries: QueryTrail, principal: Principal): QueriesApi {
  return { list: async (filter) => queries.list(principal, filter) };
}
