import { present } from '../../invariants/must.ts';
import type { Database } from '../../store/database.ts';
import type { Clock } from '../../store/values/clock.ts';
import type { NewId } from '../../store/values/uuid.ts';
import type { AuditLog } from '../audit/audit.ts';
import { mayNotManage, tokenErrors, userNotFound } from '../errors.ts';
import type { AccountPermissions } from '../principal/account-permissions.ts';
import type { Principal } from '../principal/principal.ts';
import { hasScope, type LeastScope, type TokenScope } from '../principal/scopes.ts';
import type { User, UserService } from '../records/users.ts';
import type { Announcements } from './announcements.ts';

/** The parts that the services of users, groups and tokens share. */
export interface AccountContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly users: UserService;
  readonly permissions: AccountPermissions;
  readonly audit: AuditLog;
  readonly announcements: Announcements;
}

/**
 * Throws 403 for a token whose scope does not include `least` (docs/reference/tokens.md#scopes). A session has no token,
 * and every scope.
 */
export function checkScope(principal: Principal, least: LeastScope): void {
  if (!hasScope(principal, least)) throw tokenErrors.scopeTooSmall(present(principal.origin).scope, least);
}

/** Throws 403 unless the principal manages users, groups and the tokens of others. */
export function checkMayManage(
  { permissions }: Pick<AccountContext, 'permissions'>,
  principal: Principal,
): void {
  if (!permissions.mayManage(principal)) throw mayNotManage();
}

/** Throws 403 unless the caller may change accounts, with a scope that includes `least`. */
export function checkMayWrite(
  context: Pick<AccountContext, 'permissions'>,
  principal: Principal,
  least: TokenScope = 'all',
): void {
  checkScope(principal, least);
  checkMayManage(context, principal);
}

/**
 * Runs an operation on accounts as one transaction. Throws 403 unless the caller manages accounts; changes need a scope
 * that includes `least`.
 */
export function asManager<T>(
  context: Pick<AccountContext, 'database' | 'permissions'>,
  principal: Principal,
  mode: 'read' | 'write',
  work: () => T,
  least?: TokenScope,
): T {
  return context.database[mode](() => {
    if (mode === 'write') checkMayWrite(context, principal, least);
    else checkMayManage(context, principal);
    return work();
  });
}

/** A user by name. Throws 404, which reveals whether a user exists: the caller checks permissions first. */
export function getUser({ users }: AccountContext, userName: string): User {
  const user = users.findByUserName(userName);
  if (user !== undefined) return user;
  throw userNotFound(userName, users.listNamesAround(userName));
}

/**
 * The owner of the requested tokens, by user name or e-mail address; without one, the caller. Throws 403 for other
 * users, unless the caller manages them.
 */
export function getOwner(context: AccountContext, principal: Principal, login: string | undefined): User {
  const user =
    login === undefined ? context.users.findById(principal.userId) : context.users.findByLogin(login);
  if (user?.id === principal.userId) return user;
  if (login === undefined) throw userNotFound(principal.userName, []);
  checkMayManage(context, principal);
  return user ?? getUser(context, login);
}
