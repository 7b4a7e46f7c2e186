import { type AccountContext, checkMayManage } from '../identity/context/account-context.ts';
import { checkLogRange, type LogRange } from '../identity/log-range.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { readSideDatabase } from '../store/side-database.ts';
import { queryLogErrors } from './errors.ts';
import { migrations } from './migrations.ts';
import { OUTCOMES, type QueryBody, type QueryOutcome } from './query.ts';
import { findQueries } from './store.ts';

/** Which entries of the query log are wanted: those for which all that is said holds. */
export interface QueryFilter extends LogRange {
  /** A user name; that of a deleted user, too. */
  readonly user?: string | undefined;
  readonly connection?: string | undefined;
  /** One of `OUTCOMES`. */
  readonly outcome?: string | undefined;
}

/** What a server has run, for those who manage accounts. */
export interface QueryTrail {
  /**
   * Newest first, by when they were asked for; nothing where no server has kept a log. Throws 403 for anybody else, 400
   * for a filter that is none, a HomeError for a log that cannot be read.
   */
  list(principal: Principal, filter: QueryFilter): readonly QueryBody[];
}

/** The query log in `file`, whoever writes it. */
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
      return readSideDatabase(file, migrations, (database) => findQueries(database, condition, limit)) ?? [];
    },
  };
}

function checkOutcome(outcome: string | undefined): QueryOutcome | undefined {
  const found = OUTCOMES.find((known) => known === outcome);
  if (outcome !== undefined && found === undefined) throw queryLogErrors.notAnOutcome();
  return found;
}
