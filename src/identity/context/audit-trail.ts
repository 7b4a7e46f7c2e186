import type { AuditEntry } from '../audit/audit.ts';
import { checkLogRange, type LogRange } from '../log-range.ts';
import type { Principal } from '../principal/principal.ts';
import { type AccountContext, checkMayManage } from './account-context.ts';

/** Which entries of the audit log are wanted: those for which all that is said holds. */
export interface AuditFilter extends LogRange {
  /** A user name; that of a deleted user, too. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** A part of the object. */
  readonly object?: string | undefined;
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
        const { limit, actor: name, ...others } = checkLogRange(filter);
        const actor = name === undefined ? undefined : { name, id: users.findByUserName(name)?.id ?? null };
        return audit.find({ ...others, actor }, limit);
      }),
  };
}
