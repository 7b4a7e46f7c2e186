import { MAX_NAME_LENGTH } from '../../errors/fields.ts';
import { checkText } from '../check-text.ts';
import { checkScope, getUser } from '../context/account-context.ts';
import { passwordErrors, profileErrors } from '../errors.ts';
import { checkPassword, type Passwords } from '../passwords/passwords.ts';
import type { Principal } from '../principal/principal.ts';
import { roleOf } from '../principal/roles.ts';
import { createGroupStore } from '../records/group-store.ts';
import type { AccountOrigin, User } from '../records/users.ts';
import type { SignInService } from '../sessions/sign-in.ts';
import { type ChangeContext, changeAccount } from './change-account.ts';
import type { UserSessionBody } from './session-body.ts';
import { printUserSession } from './user-access.ts';

/** A user's own account, as the user sees it. */
interface ProfileBody {
  readonly user_name: string;
  readonly display_name: string;
  readonly email: string | null;
  readonly role: string;
  /** The names of the user's groups, in alphabetical order. */
  readonly groups: readonly string[];
  readonly origin: AccountOrigin;
  /** Whether the display name can be changed here: not if a provisioning service or an identity provider sets it. */
  readonly is_local: boolean;
  /**
   * `change`: the user can change the password; `first`: the user can set the first password in this session; `none`: the
   * user is without a password; `external`: the user signs in elsewhere.
   */
  readonly password: 'change' | 'first' | 'none' | 'external';
}

/** A session, as its user sees it. */
interface OwnSessionBody extends UserSessionBody {
  /** Whether the request belongs to this session. */
  readonly is_current: boolean;
}

/**
 * A user's own account, password and sessions, for users who are signed in at the console
 * (docs/reference/sessions.md#the-users-own-account).
 */
export interface OwnAccount {
  get(principal: Principal): ProfileBody;
  /** Throws 400 for an invalid name, 403 where the name is kept elsewhere. */
  setDisplayName(principal: Principal, displayName: string): ProfileBody;
  /**
   * Sets the password and ends all other sessions. Without the current password, sets the first one, in a session of
   * `quern ui` alone. Throws 400, 403, 429 and 503 as `SignInService.changePassword` does.
   */
  setPassword(principal: Principal, change: OwnPassword): Promise<void>;
  /** The last used first. */
  listSessions(principal: Principal): OwnSessionBody[];
  /** Throws 404 for a session that is unknown, has ended, or belongs to another user. */
  endSession(principal: Principal, sessionId: string): void;
  /** Ends all sessions except the one of the request. */
  endOtherSessions(principal: Principal): void;
}

/** A new password. */
interface OwnPassword {
  /** Left out for the first password. */
  readonly current?: string | undefined;
  readonly next: string;
}

export interface OwnAccountContext extends ChangeContext {
  readonly passwords: Passwords;
  readonly signIn: Pick<SignInService, 'changePassword'>;
}

/** The own accounts of the users of an open database. */
export function createOwnAccount(context: OwnAccountContext): OwnAccount {
  const { database, sessions, audit, signIn } = context;
  return {
    get: (principal) => database.read(() => printProfile(context, principal)),
    setDisplayName: (principal, displayName) =>
      database.write(() => {
        checkScope(principal, 'all');
        checkText('Display name', displayName, MAX_NAME_LENGTH);
        const user = getUser(context, principal.userName);
        if (!isLocal(user)) throw profileErrors.keptElsewhere();
        changeAccount(context, principal, user, { displayName });
        return printProfile(context, principal);
      }),
    setPassword: (principal, { current, next }) => {
      if (current === undefined) return setFirstPassword(context, principal, next);
      return signIn.changePassword(principal, { current, next, sessionId: principal.origin?.sessionId });
    },
    listSessions: ({ userId, origin }) =>
      sessions.listOf(userId).map((session) => ({
        ...printUserSession(session),
        is_current: session.id === origin?.sessionId,
      })),
    endSession: (principal, sessionId) =>
      database.write(() => {
        checkScope(principal, 'all');
        const isOwn = sessions.listIds(principal.userId).includes(sessionId);
        if (!isOwn || !sessions.end(sessionId)) throw profileErrors.sessionNotFound();
        audit.record(principal, { action: 'session.end', object: `${principal.userName}: one session` });
      }),
    endOtherSessions: (principal) => {
      checkScope(principal, 'all');
      sessions.endAllOf(
        principal,
        { id: principal.userId, userName: principal.userName },
        principal.origin?.sessionId,
      );
    },
  };
}

function printProfile(context: OwnAccountContext, principal: Principal): ProfileBody {
  const user = getUser(context, principal.userName);
  const groups = createGroupStore(context.database).listGroupsOf([user.id]);
  return {
    user_name: user.userName,
    display_name: user.displayName,
    email: user.email,
    role: roleOf(user),
    groups: groups.map(({ name }) => name),
    origin: user.origin,
    is_local: isLocal(user),
    password: findPasswordState(context, principal, user),
  };
}

/** Provisioning and sign-in with an identity provider overwrite the attributes of accounts that they have created. */
function isLocal({ origin, external }: User): boolean {
  return origin === 'local' && !external;
}

function findPasswordState(
  { users, sessions }: Pick<OwnAccountContext, 'users' | 'sessions'>,
  { origin }: Principal,
  user: User,
): ProfileBody['password'] {
  if (user.external) return 'external';
  if (users.readPasswordHash(user.id) !== null) return 'change';
  const session = sessions.listOf(user.id).find(({ id }) => id === origin?.sessionId);
  return session?.method === 'ui' ? 'first' : 'none';
}

async function setFirstPassword(
  context: OwnAccountContext,
  principal: Principal,
  password: string,
): Promise<void> {
  const { database, users, passwords, sessions, throttle, audit } = context;
  checkScope(principal, 'all');
  const check = (user: User) => {
    const state = findPasswordState(context, principal, user);
    if (state === 'external') throw passwordErrors.external();
    if (state !== 'first') throw passwordErrors.notFirst();
  };
  const { userName, email } = getUser(context, principal.userName);
  database.read(() => check(getUser(context, principal.userName)));
  await checkPassword(password, { isTyped: true, names: [userName, email ?? ''] });
  const passwordHash = await passwords.hash(password);
  database.write(() => {
    // A concurrent request may have set a password, or ended the session.
    const user = getUser(context, principal.userName);
    check(user);
    users.update(user, { passwordHash });
    throttle.forget([user.userName, ...(user.email === null ? [] : [user.email])]);
    audit.record(principal, { action: 'user.password', object: user.userName });
    sessions.endAllOf(principal, user, principal.origin?.sessionId);
  });
}
