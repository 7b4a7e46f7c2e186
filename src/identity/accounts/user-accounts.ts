import { MAX_NAME_LENGTH } from '../../errors/fields.ts';
import { checkEmail, checkName, checkText, checkUserName } from '../check-text.ts';
import { checkMayManage, checkMayWrite, getUser } from '../context/account-context.ts';
import { checkLimit } from '../log-range.ts';
import { checkPassword } from '../passwords/check-password.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Principal } from '../principal/principal.ts';
import { roleOf } from '../principal/roles.ts';
import type { User } from '../records/users.ts';
import { type ChangeContext, changeAccount, createAccount, deleteAccount } from './change-account.ts';

/** An account as it is returned. */
export interface UserBody {
  readonly id: string;
  readonly user_name: string;
  readonly email: string | null;
  readonly display_name: string;
  readonly role: string;
  readonly active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A page of accounts, ordered by user name. */
interface UserPage {
  /** At most 1,000; 100 by default. */
  readonly limit?: number | undefined;
  /** A user name, in any case: only accounts after it. The user does not have to exist. */
  readonly after?: string | undefined;
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
  /** By user name; without a page, all accounts. Throws 400 for an invalid limit. */
  list(principal: Principal, page?: UserPage): UserBody[];
  /** Throws 404. */
  get(principal: Principal, userName: string): UserBody;
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

  const accounts: UserAccounts = {
    list: (principal, page) =>
      database.read(() => {
        checkMayManage(context, principal);
        const found =
          page === undefined ? users.list() : users.listAfter(page.after ?? '', checkLimit(page.limit));
        return found.map(toBody);
      }),
    get: (principal, userName) =>
      database.read(() => {
        checkMayManage(context, principal);
        return toBody(getUser(context, userName));
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
