import { type AccountContext, checkMayManage } from '../identity/context/account-context.ts';
import { checkLogRange, type LogRange } from '../identity/log-range.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { readSideDatabase } from '../store/side-database.ts';
import { queryLogErrors } from './errors.ts';
import { queryLogMigrations } from './migrations.ts';
import { OUTCOMES, type QueryOutcome } from './query.ts';
import type { ConnectionUseBody, QueryBody } from './query-body.ts';
import { findQueries, findUse } from './store.ts';

/**
 * A filter of the query log; entries must meet all conditions.
 *
 * @internal
 */
export interface QueryFilter extends LogRange {
  /** A user name, which may be that of a deleted user. */
  readonly user?: string | undefined;
  readonly connection?: string | undefined;
  /** One of `OUTCOMES`. */
  readonly outcome?: string | undefined;
}

/** Read access to the query log of a server, for administrators of accounts. */
export interface QueryTrail {
  /**
   * Lists entries by request time, newest first; empty when no server has written a log. Throws 403 without the right,
   * 400 for an invalid filter, and a HomeError for a log that cannot be read.
   */
  list(principal: Principal, filter: QueryFilter): readonly QueryBody[];
  /** The last use of connections, by name; the caller checks the right to see it. Throws a HomeError as `list` does. */
  listUses(connections: readonly string[]): ReadonlyMap<string, ConnectionUseBody>;
}

const UNUSED: ConnectionUseBody = { last_used_at: null, last_error: null, last_error_at: null };

/** Reads the query log in `file`, which another process may write. */
export function createQueryTrail(
  file: string,
  { users, permissions }: Pick<AccountContext, 'users' | 'permissions'>,
): QueryTrail {
  return {
    list(principal, filter) {
      checkMayManage({ permissions }, principal);
      const { limit, user: name, outcome, ...others } = checkLogRange(filter);
      const user = name === undefined ? undefined : { name, id: users.findByUserName(name)?.id ?? null };
      const condition = { ...others, user, outcome: checkOutcome(outcome) };
      return (
        readSideDatabase(file, queryLogMigrations, (database) => findQueries(database, condition, limit)) ??
        []
      );
    },
    listUses: (connections) =>
      readSideDatabase(
        file,
        queryLogMigrations,
        (database) => new Map(connections.map((name) => [name, findUse(database, name)])),
      ) ?? new Map(connections.map((name) => [name, UNUSED])),
  };
}

function checkOutcome(outcome: string | undefined): QueryOutcome | undefined {
  const knownOutcome = OUTCOMES.find((known) => known === outcome);
  if (outcome !== undefined && knownOutcome === undefined) throw queryLogErrors.notAnOutcome();
  return knownOutcome;
}
