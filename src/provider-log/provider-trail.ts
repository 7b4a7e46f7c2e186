import { type AccountContext, checkMayManage } from '../identity/context/account-context.ts';
import { checkPageLimit } from '../identity/log-range.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { readSideDatabase } from '../store/side-database.ts';
import { providerLogMigrations } from './migrations.ts';
import type { ScimRequestListBody, SsoFailureListBody } from './provider-log-body.ts';
import {
  type FailureCondition,
  findFailures,
  findRequests,
  type RequestCondition,
  toOldestFailure,
} from './store.ts';

/** Part of a log, newest first. */
interface LogPage {
  /** At most 1,000; 100 by default. */
  readonly limit?: number | undefined;
}

/** A filter of requests; entries must meet all conditions. */
type RequestFilter = Omit<RequestCondition, 'limit'> & LogPage;
/** A filter of failed sign-ins. */
type FailureFilter = Pick<FailureCondition, 'reference' | 'after'> & LogPage;

/**
 * Read access to the log of identity providers, for administrators of accounts. Both methods list entries newest first;
 * none when no server has written the log. They throw 403 without the right, 400 for an invalid limit, and a HomeError
 * for a log that cannot be read.
 */
export interface ProviderTrail {
  /** The last requests of provisioning (docs/reference/scim.md#the-log-of-requests). */
  listRequests(principal: Principal, filter: RequestFilter): ScimRequestListBody;
  /** The failed sign-ins of 30 days (docs/reference/saml-sign-in.md#failed-sign-ins). */
  listFailures(principal: Principal, filter: FailureFilter): SsoFailureListBody;
}

const EMPTY = { data: [], total: 0 };

/** Reads the log in `file`, which another process may write. */
export function createProviderTrail(
  file: string,
  { permissions, clock }: Pick<AccountContext, 'permissions' | 'clock'>,
): ProviderTrail {
  return {
    listRequests(principal, filter) {
      checkMayManage({ permissions }, principal);
      const condition = { ...filter, limit: checkPageLimit(filter.limit) };
      return (
        readSideDatabase(file, providerLogMigrations, (database) => findRequests(database, condition)) ??
        EMPTY
      );
    },
    listFailures(principal, filter) {
      checkMayManage({ permissions }, principal);
      const since = toOldestFailure(clock());
      const condition = { ...filter, since, limit: checkPageLimit(filter.limit) };
      return (
        readSideDatabase(file, providerLogMigrations, (database) => findFailures(database, condition)) ??
        EMPTY
      );
    },
  };
}
