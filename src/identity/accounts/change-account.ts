import { toTimestamp } from '../../store/values/clock.ts';
import type { AccountContext } from '../context/account-context.ts';
import { lastAdministrator } from '../errors.ts';
import type { Principal } from '../principal/principal.ts';
import { isAdministrator, isViewer, roleOf } from '../principal/roles.ts';
import { createGroupStore } from '../records/group-store.ts';
import type { NewUser, User, UserChange } from '../records/users.ts';
import type { SessionService } from '../sessions/sessions.ts';
import type { Throttle } from '../sessions/throttle.ts';

/** Services for creating, changing and deleting accounts. */
export interface ChangeContext extends AccountContext {
  readonly sessions: SessionService;
  readonly throttle: Throttle;
  /**
   * Called within the transaction that deletes a user, before the deletion: removes what other modules store for the
   * user.
   */
  readonly onDelete: (user: User) => void;
}

// All interfaces use these functions. Each is part of the caller's transaction and writes an entry to the audit log.
// The caller checks permissions.

/** Creates an account. Throws as `UserService.create` does. */
export function createAccount({ users, audit }: ChangeContext, principal: Principal, fields: NewUser): User {
  const user = users.create(fields);
  audit.record(principal, { action: 'user.create', object: printChange(user.userName, user, fields) });
  return user;
}

/**
 * Changes an account; omitted properties stay as they are. Another password, more rights or disabling ends the
 * sessions. Another password resets the failed sign-ins. Fewer rights cancel executions. Throws as `UserService.update`
 * does, and 409 when no active administrator would be left.
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

/** Deletes an account and everything that belongs to it. Throws 409 when no active administrator would be left. */
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

/** A higher number means more rights. */
function rankOf(user: User): number {
  if (user.superUser) return 2;
  return isViewer(user) ? 0 : 1;
}

/** The former name of an account and the changes for the audit log, rights first. */
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
