import { type AccountContext, checkMayManage, getUser } from './account-context.ts';
import { checkName, checkText, LONGEST_NAME } from './check-text.ts';
import { lastSuperUser, notAnEmail, passwordRefused } from './errors.ts';
import { findPasswordFault, hashPassword } from './passwords.ts';
import type { Principal } from './principal.ts';
import { isAdministrator, roleOf } from './roles.ts';
import type { User } from './users.ts';

/** An account as it is shown. */
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

/** What is said about an account; the rest is left as it is, or as accounts are made. */
export interface UserSettings {
  /** Empty: none. */
  readonly email?: string | undefined;
  readonly displayName?: string | undefined;
  /** A role that we do not know is kept. */
  readonly role?: string | undefined;
  readonly password?: string | undefined;
  readonly active?: boolean | undefined;
}

/**
 * The accounts of a home, for those who manage them (identity 1): 403 for anybody else. User names and e-mail addresses
 * are compared without regard to case. The last active super-user stays one: 409. Each change is one transaction.
 */
export interface UserAccounts {
  /** By user name. */
  list(principal: Principal): UserBody[];
  /** Throws 404. */
  get(principal: Principal, userName: string): UserBody;
  /** Throws 400 for what cannot be, 409 for a name or an e-mail that is taken. */
  create(principal: Principal, userName: string, settings: UserSettings): Promise<UserBody>;
  /** Throws 404, 400, 409 as above. */
  set(principal: Principal, userName: string, settings: UserSettings): Promise<UserBody>;
  /** Deletes an account, its tokens, memberships, and `@Personal` with all that is in it. Throws 404, 409. */
  delete(principal: Principal, userName: string): void;
}

/** What the accounts of users need besides. */
export interface UserAccountOptions extends AccountContext {
  /** Called within the transaction that deletes a user, before it: takes away what other modules keep for a user. */
  readonly onDelete: (user: User) => void;
}

/** The accounts of an open database. */
export function createUserAccounts(context: UserAccountOptions): UserAccounts {
  const { database, users, onDelete } = context;
  return {
    list: (principal) =>
      database.read(() => {
        checkMayManage(context, principal);
        return users.list().map(toBody);
      }),
    get: (principal, userName) =>
      database.read(() => {
        checkMayManage(context, principal);
        return toBody(getUser(context, userName));
      }),
    create: async (principal, userName, settings) => {
      checkMayManage(context, principal);
      checkName('User name', userName);
      const given = await toStored(settings);
      return toBody(users.create({ userName, ...given }));
    },
    set: async (principal, userName, settings) => {
      checkMayManage(context, principal);
      const given = await toStored(settings);
      return database.write(() => {
        const user = getUser(context, userName);
        const isDemoted = given.role !== undefined && !isAdministrator(given.role);
        if (isDemoted || given.active === false) checkNotLast(context, user);
        return toBody(users.update(user, given));
      });
    },
    delete: (principal, userName) =>
      database.write(() => {
        checkMayManage(context, principal);
        const user = getUser(context, userName);
        checkNotLast(context, user);
        onDelete(user);
        users.delete(user.id);
      }),
  };
}

function checkNotLast({ users }: AccountContext, user: User): void {
  if (!user.superUser || !user.active) return;
  const others = users.list().filter((other) => other.superUser && other.active && other.id !== user.id);
  if (others.length === 0) throw lastSuperUser(user.userName);
}

/** Checks what is said about an account, and has its password hashed. Properties that are left out stay so. */
async function toStored({ email, displayName, role, password, active }: UserSettings) {
  if (email) checkEmail(email);
  if (displayName !== undefined) checkText('Display name', displayName, LONGEST_NAME);
  if (role !== undefined) checkName('Role', role);
  return {
    ...(email === undefined ? {} : { email }),
    ...(displayName === undefined ? {} : { displayName }),
    ...(role === undefined ? {} : { role }),
    ...(active === undefined ? {} : { active }),
    ...(password === undefined ? {} : { passwordHash: await toHash(password) }),
  };
}

function checkEmail(email: string): void {
  checkText('E-mail', email, LONGEST_NAME);
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw notAnEmail(email);
}

function toHash(password: string): Promise<string> {
  const fault = findPasswordFault(password);
  if (fault !== null) throw passwordRefused(fault);
  return hashPassword(password);
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
