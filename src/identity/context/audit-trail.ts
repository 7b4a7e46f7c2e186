import type { AuditEntry } from '../audit/entry-body.ts';
import { checkLogRange, type LogRange } from '../log-range.ts';
import type { Principal } from '../principal/principal.ts';
import { type AccountContext, checkMayManage } from './account-context.ts';

/**
 * A filter of the audit log; an entry must meet all conditions.
 *
 * @internal
 */
export interface AuditFilter extends LogRange {
  /** A user name; may be that of a deleted user. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** A part of the object. */
  readonly object?: string | undefined;
}

/** The audit log, for users who manage accounts (docs/reference/audit.md#reading). */
export interface AuditTrail {
  /** Newest first. Throws 403 unless the caller manages accounts, and 400 for an invalid filter. */
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
