import { MAX_NAME_LENGTH } from '../../errors/fields.ts';
import type { Visitor } from '../audit/audit.ts';
import { type AccountContext, checkScope } from '../context/account-context.ts';
import { mayNotManage, passwordErrors, signInErrors, userNotFound } from '../errors.ts';
import { checkPassword, isOutdatedHash, type Passwords } from '../passwords/passwords.ts';
import type { Principal } from '../principal/principal.ts';
import { toPrincipal, type User } from '../records/users.ts';
import { isTransientError } from '../transient-error.ts';
import type { SessionService, SessionStart, StartedSession } from './sessions.ts';
import type { Attempt, Throttle } from './throttle.ts';

/** The credentials of a sign-in. */
interface SignInRequest {
  /** A user name, or an e-mail address. */
  readonly login: string;
  readonly password: string;
  /** Where failures are counted, instead of the visitor's address. */
  readonly countedAt?: string | undefined;
  /** The browser's `User-Agent`. */
  readonly userAgent?: string | undefined;
}

/** A user who has signed in. */
export interface SignedIn {
  readonly principal: Principal;
  readonly session: StartedSession;
}

/** A change of the caller's own password. */
interface PasswordChange {
  readonly current: string;
  readonly next: string;
  /** The session that continues; all other sessions of the user end. */
  readonly sessionId?: string | undefined;
}

/**
 * Signs users in and out with a password (docs/reference/sessions.md#signing-in). A failed sign-in does not reveal
 * whether the user exists or is disabled: the response and the time are the same. After many failures, further attempts
 * must wait, even with the correct password.
 */
export interface SignInService {
  /** Throws 401 for a wrong password or user, 429 with the seconds to wait, 503 when too many users sign in at once. */
  signIn(request: SignInRequest, visitor: Visitor): Promise<SignedIn>;
  /** Ends a session. */
  signOut(principal: Principal, sessionId: string): void;
  /**
   * Throws 400 for a wrong current password and for an invalid new one, 403 for a caller with a token and for a user who
   * signs in elsewhere, 429 and 503.
   */
  changePassword(principal: Principal, change: PasswordChange): Promise<void>;
}

export interface SignInContext extends AccountContext {
  readonly passwords: Passwords;
  readonly sessions: SessionService;
  readonly throttle: Throttle;
  /**
   * Whether only administrators may use passwords, because all other users sign in elsewhere
   * (docs/reference/saml.md#settings).
   */
  readonly isSsoOnly: () => boolean;
}

/** Signing in to an open database. */
export function createSignInService(context: SignInContext): SignInService {
  const { database, sessions, audit } = context;
  return {
    signIn: async (request, visitor) => {
      const started = await signIn(context, request, visitor);
      if (started === null) throw signInErrors.wrong();
      return started;
    },
    signOut: (principal, sessionId) =>
      database.write(() => {
        if (!sessions.end(sessionId)) return;
        audit.record(principal, { action: 'sign-out', object: principal.userName });
      }),
    changePassword: (principal, change) => changePassword(context, principal, change),
  };
}

async function signIn(
  context: SignInContext,
  { login, password, countedAt, userAgent }: SignInRequest,
  visitor: Visitor,
) {
  const { database, users, throttle, audit } = context;
  const attempt = { login, address: countedAt ?? visitor.address };
  const event = { action: 'sign-in', object: shorten(login) } as const;
  begin(context, attempt, () => audit.recordVisitor(visitor, { ...event, result: 'refused' }));
  const user = users.findByLogin(login);
  const proven = await prove(context, user, password, attempt);
  return database.write(() => {
    const now = proven && findUnchanged(context, proven);
    // A different response would reveal that the password is correct.
    if (!now || (!now.superUser && context.isSsoOnly())) {
      audit.recordVisitor(visitor, { ...event, result: 'refused' });
      return null;
    }
    throttle.succeed(attempt);
    return startSession(context, now, visitor, { userAgent, object: event.object });
  });
}

/**
 * Starts a session of a user who has proven who they are, and records the sign-in with `object`. The caller holds the
 * transaction.
 */
export function startSession(
  { sessions, audit }: Pick<SignInContext, 'sessions' | 'audit'>,
  user: User,
  visitor: Visitor,
  { object, ...how }: Pick<SessionStart, 'method' | 'userAgent'> & { readonly object: string },
): SignedIn {
  const session = sessions.start(user, { ...how, address: visitor.address });
  const origin = { ...visitor, tokenId: null, sessionId: session.sessionId, scope: 'all' as const };
  const principal = toPrincipal(user, origin);
  audit.record(principal, { action: 'sign-in', object });
  return { principal, session };
}

async function changePassword(
  context: SignInContext,
  principal: Principal,
  { current, next, sessionId }: PasswordChange,
): Promise<void> {
  const { database, users, throttle, passwords, sessions, audit } = context;
  checkScope(principal, 'all');
  if (principal.origin?.tokenId) throw mayNotManage();
  const user = users.findById(principal.userId);
  if (user === undefined) throw userNotFound(principal.userName, []);
  if (user.external) throw passwordErrors.external();
  await checkPassword(next, { isTyped: true, names: [user.userName, user.email ?? ''] });
  const passwordHash = await passwords.hash(next);
  const attempt = { login: user.userName, address: principal.origin?.address ?? null };
  const event = { action: 'user.password', object: user.userName } as const;
  begin(context, attempt, () => audit.record(principal, { ...event, result: 'refused' }));
  const proven = await prove(context, user, current, attempt);
  const isDone = database.write(() => {
    const now = proven && findUnchanged(context, proven);
    if (!now) {
      audit.record(principal, { ...event, result: 'refused' });
      return false;
    }
    throttle.succeed(attempt);
    users.update(now, { passwordHash });
    audit.record(principal, event);
    sessions.endAllOf(principal, now, sessionId);
    return true;
  });
  if (!isDone) throw passwordErrors.wrong();
}

/** Throws 429 when the attempt must wait. Of such attempts, only the first after a failure is recorded. */
export function begin(
  { database, throttle }: Pick<SignInContext, 'database' | 'throttle'>,
  attempt: Attempt,
  record: () => void,
): void {
  const permit = database.write(() => {
    const permit = throttle.begin(attempt);
    if (!permit.isAllowed && permit.isFirst) record();
    return permit;
  });
  if (!permit.isAllowed) throw signInErrors.tooMany(permit.seconds);
}

/** The user whom a password has authenticated, and the hash that it matched. */
interface Proof {
  readonly userId: string;
  readonly hash: string;
}

/** Null for a wrong password. Takes the same time for a user who has no password or does not exist. */
async function prove(
  context: SignInContext,
  user: User | undefined,
  password: string,
  attempt: Attempt,
): Promise<Proof | null> {
  const { users, passwords, throttle } = context;
  const hash = user === undefined ? null : users.readPasswordHash(user.id);
  try {
    if (!(await passwords.verify(password, hash)) || user?.active !== true || hash === null) return null;
    const newHash = await renew(context, user.id, hash, password);
    return newHash === null ? null : { userId: user.id, hash: newHash };
  } catch (error) {
    throttle.giveBack(attempt);
    throw error;
  }
}

/**
 * Replaces a hash of a lower cost with a current one, unless the server is too busy. Returns the current hash of the
 * password; null when the user has another password by now.
 */
async function renew(
  { users, passwords }: SignInContext,
  userId: string,
  hash: string,
  password: string,
): Promise<string | null> {
  if (!isOutdatedHash(hash)) return hash;
  try {
    const fresh = await passwords.hash(password);
    if (users.renewPasswordHash(userId, hash, fresh)) return fresh;
    // A concurrent sign-in may have replaced the hash first.
    const other = users.readPasswordHash(userId);
    return (await passwords.verify(password, other)) ? other : null;
  } catch (error) {
    if (!isTransientError(error)) throw error;
    return hash;
  }
}

/** The current user; null when it was disabled, deleted or got another password in the meantime. */
function findUnchanged({ users }: SignInContext, { userId, hash }: Proof): User | null {
  const user = users.findById(userId);
  return user?.active === true && users.readPasswordHash(userId) === hash ? user : null;
}

/** Shortens a login for the audit log. */
function shorten(login: string): string {
  return [...login.slice(0, 2 * MAX_NAME_LENGTH).toWellFormed()].slice(0, MAX_NAME_LENGTH).join('');
}
