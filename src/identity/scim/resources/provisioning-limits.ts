import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../../principal/principal.ts';
import { isAdministrator } from '../../principal/roles.ts';
import { hasScope } from '../../principal/scopes.ts';
import { createGrantStore } from '../../records/grant-store.ts';
import type { GroupRow } from '../../records/group-store.ts';
import type { User, UserChange } from '../../records/users.ts';
import { scimErrors } from '../protocol/errors.ts';
import type { ScimObject } from '../protocol/resource.ts';
import type { ScimContext } from './scim-context.ts';

// The limits of a token with the scope `scim`: it leads neither to an administrator, nor to MANAGE through a role or a
// group (docs/reference/scim.md#limits-of-a-token). The functions check a change before it is made, within its
// transaction; a token with the scope `all` has no such limits. All throw 403.

/** A change of a user as the columns of the account, and as documents before and after it. */
interface UserRevision {
  readonly change: UserChange;
  readonly before: ScimObject;
  readonly after: ScimObject;
}

/** Checks the values of a new user: no rights of administrators. */
export function checkNewUser(principal: Principal, change: UserChange): void {
  if (hasLimits(principal)) checkRights(change);
}

/** Checks the change of a user. */
export function checkUserRevision(
  context: ScimContext,
  principal: Principal,
  user: User,
  { change, before, after }: UserRevision,
): void {
  if (!hasLimits(principal)) return;
  checkRights(change);
  if (change.passwordHash !== undefined) throw scimErrors.beyondScope('password', user.userName);
  const isProtected = user.superUser || createGrantStore(context.database).manages('user', user.id);
  if (isProtected) {
    if (change.userName !== undefined) throw scimErrors.beyondScope('userName', user.userName);
    if (change.email !== undefined || !isDeepStrictEqual(before.emails, after.emails))
      throw scimErrors.beyondScope('emails', user.userName);
  }
  if (!user.superUser) return;
  if (change.role !== undefined || !isDeepStrictEqual(before.roles, after.roles))
    throw scimErrors.beyondScope('roles', user.userName);
  if (change.superUser !== undefined) throw scimErrors.beyondScope('superUser', user.userName);
  if (change.external !== undefined) throw scimErrors.beyondScope('external', user.userName);
  if (change.active === true) throw scimErrors.beyondScope('active', user.userName);
}

/** Checks a password in the document of an existing user, before it is hashed. */
export function checkPasswordChange(principal: Principal, { userName }: User): void {
  if (hasLimits(principal)) throw scimErrors.beyondScope('password', userName);
}

/** Checks the deletion of a user. */
export function checkUserDeletion(principal: Principal, { superUser, userName }: User): void {
  if (hasLimits(principal) && superUser) throw scimErrors.beyondDeletion('user', userName);
}

/** Checks a group that is changed or deleted. */
export function checkGroup(context: ScimContext, principal: Principal, { id, name }: GroupRow): void {
  if (hasLimits(principal) && createGrantStore(context.database).manages('group', id))
    throw scimErrors.beyondGroup(name);
}

const hasLimits = (principal: Principal): boolean => !hasScope(principal, 'all');

function checkRights({ superUser, role }: UserChange): void {
  if (role !== undefined && isAdministrator(role)) throw scimErrors.beyondRights('roles');
  if (superUser === true) throw scimErrors.beyondRights('superUser');
}
