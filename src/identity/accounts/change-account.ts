import { toTimestamp } from '../../store/values/clock.ts';
import type { AccountContext } from '../context/account-context.ts';
import { lastAdministrator } from '../errors.ts';
import type { Principal } from '../principal/principal.ts';
import { isAdministrator, isViewer, roleOf } from '../principal/roles.ts';
import { createGroupStore } from '../records/group-store.ts';
import type { NewUser, User, UserChange } from '../records/users.ts';
import type { SessionService } from '../sessions/sessions.ts';
import type { Throttle } from '../sessions/throttle.ts';

/** What the making, changing and deleting of accounts needs besides. */
export interface ChangeContext extends AccountContext {
  readonly sessions: SessionService;
  readonly throttle: Throttle;
  /** Called within the transaction that deletes a user, before it: takes away what other modules keep for a user. */
  readonly onDelete: (user: User) => void;
}

// The one way, whatever interface it is asked for by; each is part of the transaction under way, which the caller holds,
// and leaves an entry in the audit log. Who may do it is for the caller to know.

/** Makes an account. Throws as `UserService.create` does. */
export function createAccount({ users, audit }: ChangeContext, principal: Principal, given: NewUser): User {
  const user = users.create(given);
  audit.record(principal, { action: 'user.create', object: printChange(user.userName, user, given) });
  return user;
}

/**
 * Changes an account, which stays as it is where nothing is said, and ends what went by the account as it was: sessions
 * with another password, more rights, or when the user is disabled; failed sign-ins with another password; executions
 * with fewer rights. Throws as `UserService.update` does, and 409 when nobody would be left in charge.
 */
export function changeAccount(
  context: ChangeContext,
  principal: Principal,
  user: User,
  change: UserChange,
): User {
  const { users, sessions, throttle, audit, announcements } = context;
  if (Object.keys(change).length === 0) return user;
  if (isDemotion(change) || change.active === false) checkNotLast(context, user);
  const changed = users.update(user, change);
  const { passwordHash, ...others } = change;
  if (passwordHash !== undefined) {
    audit.record(principal, { action: 'user.password', object: user.userName });
    throttle.forget([changed.userName, ...(changed.email === null ? [] : [changed.email])]);
  }
  if (Object.keys(others).length > 0) {
    audit.record(principal, { action: 'user.update', object: printChange(user.userName, changed, others) });
  }
  if (passwordHash !== undefined || !changed.active || rankOf(changed) > rankOf(user)) {
    sessions.endAllOf(principal, changed);
  }
  if (!changed.active) announcements.announce({ kind: 'user-disabled', userId: user.id });
  if (rankOf(changed) < rankOf(user)) announcements.announce({ kind: 'grant-changed' });
  return changed;
}

/** Deletes an account, with all that is its own. Throws 409 when nobody would be left in charge. */
export function deleteAccount(context: ChangeContext, principal: Principal, user: User): void {
  const { database, clock, users, audit, announcements, onDelete } = context;
  checkNotLast(context, user);
  onDelete(user);
  createGroupStore(database).renewGroupsOf(user.id, toTimestamp(clock()));
  users.delete(user.id);
  audit.record(principal, { action: 'user.delete', object: user.userName });
  announcements.announce({ kind: 'user-disabled', userId: user.id });
}

function isDemotion({ superUser, role }: UserChange): boolean {
  return !(superUser ?? (role === undefined || isAdministrator(role)));
}

function checkNotLast({ users }: ChangeContext, user: User): void {
  if (users.isLastAdministrator(user)) throw lastAdministrator(user.userName);
}

/** The more, the more an account may do. */
function rankOf(user: User): number {
  if (user.superUser) return 2;
  return isViewer(user) ? 0 : 1;
}

/** An account by the name it had, with what the log should tell of what is set: rights above all. */
function printChange(formerName: string, user: User, change: UserChange): string {
  const { userName, role, superUser, active, email, displayName, external, externalId, attributes } = change;
  const isProvisioned = (external ?? externalId ?? attributes) !== undefined;
  const parts = [
    ...(userName === undefined || userName === formerName ? [] : [`user name ${userName}`]),
    ...(role === undefined && superUser === undefined ? [] : [`role ${roleOf(user)}`]),
    ...(active === undefined ? [] : [active ? 'enabled' : 'disabled']),
    ...(email === undefined ? [] : [`e-mail ${email || 'none'}`]),
    ...(displayName === undefined ? [] : ['display name']),
    ...(isProvisioned ? ['attributes'] : []),
  ];
  return parts.length === 0 ? formerName : `${formerName}: ${parts.join(', ')}`;
}
