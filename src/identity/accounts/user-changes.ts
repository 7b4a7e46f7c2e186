import { fieldErrors } from '../../errors/fields.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { checkName } from '../check-text.ts';
import { asManager, checkMayWrite, getUser } from '../context/account-context.ts';
import { accessErrors } from '../errors.ts';
import type { Principal } from '../principal/principal.ts';
import type { User } from '../records/users.ts';
import { type ChangeContext, changeAccount, deleteAccount } from './change-account.ts';
import type { GroupService } from './groups.ts';
import type { UserAccess } from './user-access.ts';
import type { UserOutcomesBody } from './user-changes-body.ts';

/** The number of users that one request changes. */
export const MAX_USERS = 500;

/** One change of several users: exactly one of its properties is set. */
interface SharedChange {
  readonly active?: boolean | undefined;
  readonly role?: string | undefined;
  /** Names of groups. */
  readonly addGroups?: readonly string[] | undefined;
  readonly removeGroups?: readonly string[] | undefined;
  readonly endSessions?: boolean | undefined;
  readonly revokeTokens?: boolean | undefined;
  readonly delete?: boolean | undefined;
}

/** Users, by name, and their change. */
export interface UsersToChange extends SharedChange {
  readonly users: readonly string[];
}

/**
 * Changes of several users (docs/reference/accounts.md#changing-several-users), for users who manage accounts; all other
 * callers get 403. Each user is changed in a transaction, as if alone, and has an outcome.
 */
export interface UserChanges {
  /** Throws 400 without users, with more than 500 and for no change or several. */
  apply(principal: Principal, request: UsersToChange): UserOutcomesBody;
}

export interface UserChangesContext extends ChangeContext {
  readonly groups: Pick<GroupService, 'addMembers' | 'removeMembers'>;
  readonly access: Pick<UserAccess, 'endSessions' | 'revokeTokens'>;
}

/** The changes of several users of an open database. */
export function createUserChanges(context: UserChangesContext): UserChanges {
  return {
    apply: (principal, { users, ...change }) => {
      checkMayWrite(context, principal);
      if (users.length === 0) throw fieldErrors.required('Users');
      if (users.length > MAX_USERS) throw fieldErrors.invalid('Users', `must be at most ${MAX_USERS} names`);
      const apply = readChange(context, principal, change);
      return { data: users.map((name) => changeOne(context, principal, name, apply)) };
    },
  };
}

/** Changes one user within a transaction. */
type Apply = (user: User) => void;

/** Throws 400 for no change or several, and for an invalid role. */
function readChange(context: UserChangesContext, principal: Principal, change: SharedChange): Apply {
  const { active, role, addGroups, removeGroups, endSessions, revokeTokens } = change;
  const { groups, access } = context;
  const given = Object.values(change).filter((value) => value !== undefined && value !== false);
  const count = given.length + (active === false ? 1 : 0);
  if (count !== 1) throw accessErrors.oneChange(count);
  if (active !== undefined) return (user) => void changeAccount(context, principal, user, { active });
  if (role !== undefined) {
    checkName('Role', role);
    return (user) => void changeAccount(context, principal, user, { role });
  }
  if (addGroups !== undefined) {
    return ({ userName }) => {
      for (const group of addGroups) groups.addMembers(principal, group, [userName]);
    };
  }
  if (removeGroups !== undefined) {
    return ({ userName }) => {
      for (const group of removeGroups) groups.removeMembers(principal, group, [userName]);
    };
  }
  if (endSessions === true) return ({ userName }) => access.endSessions(principal, userName);
  if (revokeTokens === true) return ({ userName }) => access.revokeTokens(principal, userName);
  return (user) => deleteAccount(context, principal, user);
}

function changeOne(
  context: UserChangesContext,
  principal: Principal,
  name: string,
  apply: Apply,
): UserOutcomesBody['data'][number] {
  try {
    asManager(context, principal, 'write', () => {
      const user = getUser(context, name);
      if (user.id === principal.userId) throw accessErrors.changesSelf();
      apply(user);
    });
    return { user_name: name, done: true, code: null, message: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { user_name: name, done: false, code: error.code, message: error.message };
  }
}
