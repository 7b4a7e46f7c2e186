import { onTestFinished } from 'vitest';
import { ServiceError } from '../../src/errors/service-error.ts';
import { createGroupService, type GroupService } from '../../src/identity/accounts/groups.ts';
import { createUserAccounts, type UserAccounts } from '../../src/identity/accounts/user-accounts.ts';
import { createAuditLog } from '../../src/identity/audit/audit.ts';
import type { AccountContext } from '../../src/identity/context/account-context.ts';
import { createAnnouncements } from '../../src/identity/context/announcements.ts';
import { type AuditTrail, createAuditTrail } from '../../src/identity/context/audit-trail.ts';
import { createPasswords, type Passwords } from '../../src/identity/passwords/passwords.ts';
import { createAccountPermissions } from '../../src/identity/principal/account-permissions.ts';
import type { Principal } from '../../src/identity/principal/principal.ts';
import type { DefaultRole } from '../../src/identity/principal/roles.ts';
import { createUserService, toPrincipal, type User } from '../../src/identity/records/users.ts';
import { createOwnerSignIn, type OwnerSignIn } from '../../src/identity/sessions/owner-sign-in.ts';
import { createSessionService, type SessionService } from '../../src/identity/sessions/sessions.ts';
import { createSignInService, type SignInService } from '../../src/identity/sessions/sign-in.ts';
import { createThrottle, type Throttle } from '../../src/identity/sessions/throttle.ts';
import { createTokenService, type TokenService } from '../../src/identity/tokens/tokens.ts';
import { createDatabase } from '../../src/store/database.ts';
import { createUuidV7 } from '../../src/store/values/uuid.ts';
import { makeFolder } from '../store/temporary-home.ts';

/** A home with three users and a clock that only tests move. */
export interface AccountWorld extends AccountContext {
  /** The home's folder. */
  readonly home: string;
  readonly accounts: UserAccounts;
  readonly groups: GroupService;
  readonly tokens: TokenService;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly sessions: SessionService;
  readonly signing: SignInService;
  readonly ownerSignIn: OwnerSignIn;
  readonly trail: AuditTrail;
  /** `admin`, the only administrator. */
  readonly owner: Principal;
  /** `ada`, an editor. */
  readonly ada: Principal;
  /** `bob`, an editor. */
  readonly bob: Principal;
  /** Users whose deletion was announced to other modules. */
  readonly deleted: User[];
  /** Moves the clock forward. */
  pass(milliseconds: number): void;
}

/** The options of a world; each has a default. */
export interface WorldOptions {
  readonly onDelete?: (user: User) => void;
  readonly passwords?: Passwords;
  /** An existing home, opened a second time. */
  readonly home?: string;
  /** The start time of the clock. */
  readonly now?: Date;
  /** How long to wait for another writer, in milliseconds. */
  readonly busyTimeout?: number;
  /** The role of users without a known role. */
  readonly defaultRole?: DefaultRole;
  /** Whether only administrators may sign in with a password; by default all users may. */
  readonly isSsoOnly?: () => boolean;
}

/** The default start time of the clock. */
export const START = new Date('2026-03-01T00:00:00.000Z');

/** The origin of a request. */
export const VISITOR = { address: '192.0.2.7', requestId: 'req-1' };

export function createAccountWorld(options: WorldOptions = {}): AccountWorld {
  const { onDelete = () => undefined, passwords = createPasswords(), home = makeFolder() } = options;
  let now = (options.now ?? START).getTime();
  const clock = () => new Date(now);
  const database = createDatabase(home, { clock, busyTimeout: options.busyTimeout ?? 5000 });
  onTestFinished(() => database.close());
  const newId = createUuidV7(clock);
  const defaultRole = () => options.defaultRole ?? 'EDITOR';
  const users = createUserService({ database, clock, newId, onCreated: () => undefined, defaultRole });
  const audit = createAuditLog(database, clock, newId);
  const announcements = createAnnouncements(database);
  const permissions = createAccountPermissions();
  const context = { database, clock, newId, users, permissions, audit, announcements };
  const sessions = createSessionService(context);
  const throttle = createThrottle(database, clock);
  const isSsoOnly = options.isSsoOnly ?? (() => false);
  const signing = { ...context, passwords, sessions, throttle, isSsoOnly };
  const deleted: User[] = [];
  const ensure = (userName: string, email?: string) =>
    users.findByUserName(userName) ?? users.create({ userName, ...(email === undefined ? {} : { email }) });
  return {
    ...signing,
    home,
    accounts: createUserAccounts({
      ...signing,
      onDelete: (user) => {
        deleted.push(user);
        onDelete(user);
      },
    }),
    groups: createGroupService(context),
    tokens: createTokenService(context),
    signing: createSignInService(signing),
    ownerSignIn: createOwnerSignIn(signing),
    trail: createAuditTrail(context),
    owner: toPrincipal(users.ensureOwner()),
    ada: toPrincipal(ensure('ada', 'ada@example.org')),
    bob: toPrincipal(ensure('bob')),
    deleted,
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** The error of a call, as "status detail"; fails the test when the call succeeds. */
export async function refusalOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${error.status} ${error.detail}`;
  }
  throw new Error('not refused');
}
