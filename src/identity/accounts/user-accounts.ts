import { MAX_NAME_LENGTH } from '../../errors/fields.ts';
import { checkEmail, checkName, checkText, checkUserName } from '../check-text.ts';
import { asManager, checkMayManage, checkMayWrite, getUser } from '../context/account-context.ts';
import { searchErrors } from '../errors.ts';
import { checkPageLimit } from '../log-range.ts';
import { checkPassword, type Passwords } from '../passwords/passwords.ts';
import type { Principal } from '../principal/principal.ts';
import { roleOf } from '../principal/roles.ts';
import { createGroupStore, type GroupStore } from '../records/group-store.ts';
import { createInvitationStore } from '../records/invitation-store.ts';
import { createTokenStore } from '../records/token-store.ts';
import type { UserFilter, UserOrder } from '../records/user-filter.ts';
import type { User } from '../records/users.ts';
import { type ChangeContext, changeAccount, createAccount, deleteAccount } from './change-account.ts';
import { getGroupRow } from './groups.ts';
import type { ListedUserBody, UserBody, UserListBody } from './user-body.ts';

/** Which accounts a list has, and in which order: by user name by default. */
interface UserSearch extends Omit<UserFilter, 'groupId' | 'grantedOn'>, Pick<UserOrder, 'after'> {
  readonly sort?: UserOrder['sort'] | undefined;
  /** The name of a group. */
  readonly group?: string | undefined;
  /** At most 1,000; 100 by default. Null: all. */
  readonly limit?: number | null | undefined;
}

/** The settings of an account. Omitted ones stay as they are, or get the defaults of a new account. */
export interface UserSettings {
  /** An empty string removes the address. */
  readonly email?: string | undefined;
  readonly displayName?: string | undefined;
  /** An unknown role is stored as it is. */
  readonly role?: string | undefined;
  readonly password?: string | undefined;
  /** Whether a person typed the password and can choose another one. If so, an easily guessed password is refused. */
  readonly passwordIsTyped?: boolean | undefined;
  readonly active?: boolean | undefined;
}

type NewPassword = Pick<UserSettings, 'passwordIsTyped'> & { readonly password: string };

/**
 * The accounts of a home, for users who manage accounts (docs/reference/accounts.md#who-may-manage-accounts). All other
 * callers get 403. User names and e-mail addresses are compared without regard to case. The last active administrator
 * cannot lose the role: 409. Each change is one transaction.
 */
export interface UserAccounts {
  /** All accounts, by user name. */
  list(principal: Principal): UserBody[];
  /** Throws 400 for an invalid limit, or a user in `after` who does not exist; 404 for an unknown group. */
  search(principal: Principal, search: UserSearch): UserListBody;
  /** Throws 404. */
  get(principal: Principal, userName: string): ListedUserBody;
  /** The principal's own account, which every user may read. Throws 404 when it has just been deleted. */
  getOwn(principal: Principal): UserBody;
  /** Throws 400 for invalid settings, 409 for a user name or an e-mail address that is taken. */
  create(principal: Principal, userName: string, settings: UserSettings): Promise<UserBody>;
  /**
   * Throws 404, 400, 409 as above. Another password, more rights or disabling ends the user's sessions. Another
   * password resets the failed sign-ins.
   */
  set(principal: Principal, userName: string, settings: UserSettings): Promise<UserBody>;
  /** Sets a user's password without checking the current one. Without a user name, sets the caller's password. */
  resetPassword(principal: Principal, userName: string | undefined, password: NewPassword): Promise<UserBody>;
  /** Deletes an account, its tokens, its memberships and all content of its `@Personal`. Throws 404, 409. */
  delete(principal: Principal, userName: string): void;
  /** Whether an active administrator has a password. Needs no permission. */
  administratorHasPassword(): boolean;
}

export interface UserAccountOptions extends ChangeContext {
  readonly passwords: Passwords;
}

const ADMINISTRATORS_WITH_PASSWORD = `
  SELECT 1 FROM users WHERE super_user = 1 AND active = 1 AND password_hash IS NOT NULL LIMIT 1
`;

/** The accounts of an open database. */
export function createUserAccounts(context: UserAccountOptions): UserAccounts {
  const { database, users } = context;
  const groups = createGroupStore(database);

  const accounts: UserAccounts = {
    list: (principal) => asManager(context, principal, 'read', () => users.list().map(toBody)),
    search: (principal, search) =>
      asManager(context, principal, 'read', () => searchUsers(context, groups, search)),
    get: (principal, userName) =>
      database.read(() => {
        checkMayManage(context, principal);
        return toListedBody(context, groups, getUser(context, userName));
      }),
    getOwn: ({ userName }) => database.read(() => toBody(getUser(context, userName))),
    create: async (principal, userName, settings) => {
      checkMayWrite(context, principal);
      checkUserName(userName);
      const fields = await toStored(context, settings, [userName]);
      return database.write(() => toBody(createAccount(context, principal, { userName, ...fields })));
    },
    set: async (principal, userName, settings) => {
      checkMayWrite(context, principal);
      const { email } = getUser(context, userName);
      const fields = await toStored(context, settings, [userName, email ?? '']);
      return database.write(() =>
        toBody(changeAccount(context, principal, getUser(context, userName), fields)),
      );
    },
    delete: (principal, userName) =>
      database.write(() => {
        checkMayWrite(context, principal);
        deleteAccount(context, principal, getUser(context, userName));
      }),
    resetPassword: (principal, userName = principal.userName, password) =>
      accounts.set(principal, userName, password),
    administratorHasPassword: () => database.statement(ADMINISTRATORS_WITH_PASSWORD).get() !== undefined,
  };
  return accounts;
}

/** The names of groups of a user that a list shows. */
const MAX_GROUPS = 20;

function searchUsers(
  context: UserAccountOptions,
  groups: GroupStore,
  { group, limit, sort = 'user_name', after, ...filter }: UserSearch,
): UserListBody {
  const { users } = context;
  const groupId = group === undefined ? undefined : getGroupRow(groups, group).id;
  if (after !== undefined && !sort.endsWith('user_name') && users.findByUserName(after) === undefined) {
    throw searchErrors.noSuchUser(after);
  }
  const page = users.search({ ...filter, groupId }, { sort, after, limit: checkPageLimit(limit) });
  return { data: page.users.map((user) => toListedBody(context, groups, user)), total: page.total };
}

function toListedBody(context: UserAccountOptions, groups: GroupStore, user: User): ListedUserBody {
  const { database, sessions } = context;
  const names = groups.listGroupsOf([user.id]).map(({ name }) => name);
  const userSessions = sessions.listOf(user.id);
  const tokens = createTokenStore(database).listOf(user.id);
  const seen = [
    ...userSessions.map(({ usedAt }) => usedAt),
    ...tokens.map(({ lastUsedAt }) => lastUsedAt ?? ''),
  ];
  return {
    ...toBody(user),
    state: findState(context, user),
    source: user.origin,
    external: user.external,
    groups: names.slice(0, MAX_GROUPS),
    group_count: names.length,
    last_seen_at: seen.toSorted().at(-1) || null,
    session_count: userSessions.length,
    token_count: tokens.length,
  };
}

function findState({ database, users }: UserAccountOptions, user: User): ListedUserBody['state'] {
  if (!user.active) return user.isWaiting ? 'waiting' : 'disabled';
  const hasInvitation = createInvitationStore(database).findOf(user.id) !== undefined;
  return hasInvitation && users.readPasswordHash(user.id) === null ? 'invited' : 'active';
}

/** Checks the settings of an account called `names`, and hashes its password. Omitted properties stay omitted. */
async function toStored(
  { passwords }: Pick<UserAccountOptions, 'passwords'>,
  { email, displayName, role, password, passwordIsTyped: isTyped = false, active }: UserSettings,
  names: readonly string[],
) {
  if (email) checkEmail(email);
  if (displayName !== undefined) checkText('Display name', displayName, MAX_NAME_LENGTH);
  if (role !== undefined) checkName('Role', role);
  if (password !== undefined) await checkPassword(password, { isTyped, names: [...names, email ?? ''] });
  return {
    ...(email === undefined ? {} : { email }),
    ...(displayName === undefined ? {} : { displayName }),
    ...(role === undefined ? {} : { role }),
    ...(active === undefined ? {} : { active }),
    ...(password === undefined ? {} : { passwordHash: await passwords.hash(password) }),
  };
}

function toBody(user: User): UserBody {
  return {
    id: user.id,
    user_name: user.userName,
    email: user.email,
    display_name: user.displayName,
    role: roleOf(user),
    active: user.active,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}
