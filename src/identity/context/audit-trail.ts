import { elementAt } from '../../invariants/must.ts';
import { AUDIT_ACTIONS } from '../audit/audit.ts';
import type { AuditEntry } from '../audit/entry-body.ts';
import { logErrors } from '../errors.ts';
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
  /** A part of the actor, the action, the object or the address. */
  readonly q?: string | undefined;
}

/** The audit log, for users who manage accounts (docs/reference/audit.md#reading). */
export interface AuditTrail {
  /** Newest first. Throws 403 unless the caller manages accounts, and 400 for an invalid filter. */
  list(principal: Principal, filter: AuditFilter): AuditEntry[];
  /** The names of all actions. Throws 403 as above. */
  listActions(principal: Principal): readonly string[];
  /**
   * All entries that a filter selects, newest first. Throws 403 and 400 as above, and 409 until the `end` of another export.
   */
  export(principal: Principal, filter: Omit<AuditFilter, 'limit'>): AuditExport;
}

/** The entries of an export; each page is one short transaction. */
export interface AuditExport {
  readonly pages: Iterable<readonly AuditEntry[]>;
  /** Lets another export run; called once, also after a failure. */
  readonly end: () => void;
}

/** The entries that an export reads at once. */
const EXPORT_PAGE = 1_000;

/** The audit log of an open database. */
export function createAuditTrail(context: AccountContext): AuditTrail {
  const { database, users, audit } = context;
  let isExporting = false;

  function list(principal: Principal, filter: AuditFilter): AuditEntry[] {
    return database.read(() => {
      checkMayManage(context, principal);
      const { limit, actor: name, ...others } = checkLogRange(filter);
      const actor = name === undefined ? undefined : { name, id: users.findByUserName(name)?.id ?? null };
      return audit.find({ ...others, actor }, limit);
    });
  }

  function* readPages(
    principal: Principal,
    filter: AuditFilter,
    first: readonly AuditEntry[],
  ): Generator<readonly AuditEntry[], void> {
    for (let page = first; page.length > 0; ) {
      yield page;
      page = list(principal, { ...filter, limit: EXPORT_PAGE, before: elementAt(page, -1).id });
    }
  }

  return {
    list,
    listActions: (principal) => {
      checkMayManage(context, principal);
      return AUDIT_ACTIONS;
    },
    export: (principal, filter) => {
      const first = list(principal, { ...filter, limit: EXPORT_PAGE });
      if (isExporting) throw logErrors.exportRunning();
      isExporting = true;
      const end = () => {
        isExporting = false;
      };
      return { pages: readPages(principal, filter, first), end };
    },
  };
}
