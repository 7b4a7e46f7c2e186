import { type AccountContext, checkMayManage } from './account-context.ts';
import type { AuditEntry } from './audit.ts';
import { auditErrors } from './errors.ts';
import type { Principal } from './principal.ts';

const MOST_ENTRIES = 1_000;
const USUAL_ENTRIES = 100;

/** Which entries of the audit log are wanted: those for which all that is said holds. */
export interface AuditFilter {
  /** A user name; that of a deleted user, too. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** A part of the object. */
  readonly object?: string | undefined;
  readonly since?: Date | undefined;
  /** The moment after the last one wanted. */
  readonly until?: Date | undefined;
  /** At most 1,000; 100 by default. */
  readonly limit?: number | undefined;
  /** The id of an entry: older ones only. */
  readonly before?: string | undefined;
}

/** The audit log, for those who manage accounts (identity 1). */
export interface AuditTrail {
  /** Newest first. Throws 403 for anybody else, 400 for a filter that is none. */
  list(principal: Principal, filter: AuditFilter): AuditEntry[];
}

/** The audit log of an open database. */
export function createAuditTrail(context: AccountContext): AuditTrail {
  const { database, users, audit } = context;
  return {
    list: (principal, filter) =>
      database.read(() => {
        checkMayManage(context, principal);
        checkFilter(filter);
        const { limit = USUAL_ENTRIES, actor: name, ...others } = filter;
        const actor = name === undefined ? undefined : { name, id: users.findByUserName(name)?.id ?? null };
        return audit.find({ ...others, actor }, limit);
      }),
  };
}

function checkFilter({ limit = USUAL_ENTRIES, since, until }: AuditFilter): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ENTRIES) throw auditErrors.limit(MOST_ENTRIES);
  const times = [since, until].filter((time) => time !== undefined);
  if (times.some((time) => Number.isNaN(time.getTime()))) throw auditErrors.notATime();
}
