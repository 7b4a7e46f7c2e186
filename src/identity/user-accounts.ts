import { type AccountContext, checkMayChange, checkMayManage, getUser } from './account-context.ts';
import { checkPassword } from './check-password.ts';
import { checkName, checkText, LONGEST_NAME } from './check-text.ts';
import { lastSuperUser, notAnEmail } from './errors.ts';
import type { Passwords } from './passwords.ts';
import type { Principal } from './principal.ts';
import { isAdministrator, isViewer, roleOf, toStoredRole } from './roles.ts';
import type { SessionService } from './sessions.ts';
import type { Throttle } from './throttle.ts';
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
  /** Whether a person typed the password, and can think of another: one that is easily guessed is refused. */
  readonly passwordIsTyped?: boolean | undefined;
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
  /**
   * Throws 404, 400, 409 as above. Ends the user's sessions with another password, more rights, or when it disables the
   * user; with another password, failed sign-ins are forgotten.
   */
  set(principal: Principal, userName: string, settings: UserSettings): Promise<UserBody>;
  /** Deletes an account, its tokens, memberships, and `@Personal` with all that is in it. Throws 404, 409. */
  delete(principal: Principal, userName: string): void;
}

/** What the accounts of users need besides. */
export interface UserAccountOptions extends AccountContext {
  readonly passwords: Passwords;
  readonly sessions: SessionService;
  readonly throttle: Throttle;
  /** Called within the transaction that deletes a user, before it: takes away what other modules keep for a user. */
  readonly onDelete: (user: User) => void;
}

/** The accounts of an open database. */
export function createUserAccounts(context: UserAccountOptions): UserAccounts {
  const { database, users, audit, announcements, onDelete } = context;

  function checkMayWrite(principal: Principal): void {
    checkMayChange(principal);
    checkMayManage(context, principal);
  }

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
      checkMayWrite(principal);
      checkName('User name', userName);
      const given = await toStored(context, settings, [userName]);
      return database.write(() => {
        const user = users.create({ userName, ...given });
        audit.record(principal, { action: 'user.create', object: printChange(userName, given) });
        return toBody(user);
      });
    },
    set: async (principal, userName, settings) => {
      checkMayWrite(principal);
      const { email } = getUser(context, userName);
      const given = await toStored(context, settings, [userName, email ?? '']);
      return database.write(() => toBody(change(context, principal, userName, given)));
    },
    delete: (principal, userName) =>
      database.write(() => {
        checkMayWrite(principal);
        const user = getUser(context, userName);
        checkNotLast(context, user);
        onDelete(user);
        users.delete(user.id);
        audit.record(principal, { action: 'user.delete', object: user.userName });
        announcements.announce({ kind: 'user-disabled', userId: user.id });
      }),
  };
}

type StoredSettings = Awaited<ReturnType<typeof toStored>>;

/** Changes an account, and ends what went by the account as it was; the caller holds the transaction. */
function change(
  context: UserAccountOptions,
  principal: Principal,
  userName: string,
  given: StoredSettings,
): User {
  const { users, sessions, throttle, audit, announcements } = context;
  const user = getUser(context, userName);
  const isDemoted = given.role !== undefined && !isAdministrator(given.role);
  if (isDemoted || given.active === false) checkNotLast(context, user);
  const changed = users.update(user, given);
  const { passwordHash, ...others } = given;
  if (passwordHash !== undefined) {
    audit.record(principal, { action: 'user.password', object: user.userName });
    throttle.forget([user.userName, ...(changed.email === null ? [] : [changed.email])]);
  }
  if (Object.keys(others).length > 0) {
    audit.record(principal, { action: 'user.update', object: printChange(user.userName, others) });
  }
  if (passwordHash !== undefined || !changed.active || rankOf(changed) > rankOf(user)) {
    sessions.endAllOf(principal, changed);
  }
  if (!changed.active) announcements.announce({ kind: 'user-disabled', userId: user.id });
  if (rankOf(changed) < rankOf(user)) announcements.announce({ kind: 'grant-changed' });
  return changed;
}

/** The more, the more an account may do. */
function rankOf(user: User): number {
  if (user.superUser) return 2;
  return isViewer(user) ? 0 : 1;
}

/** An account, with what the log should tell of what is set: rights above all. */
function printChange(
  userName: string,
  { role, active, email, displayName }: Partial<StoredSettings>,
): string {
  const parts = [
    ...(role === undefined ? [] : [`role ${toStoredRole(role)}`]),
    ...(active === undefined ? [] : [active ? 'enabled' : 'disabled']),
    ...(email === undefined ? [] : [`e-mail ${email || 'none'}`]),
    ...(displayName === undefined ? [] : ['display name']),
  ];
  return parts.length === 0 ? userName : `${userName}: ${parts.join(', ')}`;
}

function checkNotLast({ users }: AccountContext, user: User): void {
  if (!user.superUser || !user.active) return;
  const others = users.list().filter((other) => other.superUser && other.active && other.id !== user.id);
  if (others.length === 0) throw lastSuperUser(user.userName);
}

/**
 * Checks what is said about an account called `names`, and has its password hashed. Properties that are left out stay so.
 */
async function toStored(
  { passwords }: UserAccountOptions,
  { email, displayName, role, password, passwordIsTyped: isTyped = false, active }: UserSettings,
  names: readonly string[],
) {
  if (email) checkEmail(email);
  if (displayName !== undefined) checkText('Display name', displayName, LONGEST_NAME);
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

function checkEmail(email: string): void {
  checkText('E-mail', email, LONGEST_NAME);
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw notAnEmail(email);
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
