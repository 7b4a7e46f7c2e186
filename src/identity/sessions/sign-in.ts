import type { Visitor } from '../audit/audit.ts';
import { type AccountContext, checkMayChange } from '../context/account-context.ts';
import { mayNotManage, passwordErrors, signInErrors, userNotFound } from '../errors.ts';
import { checkPassword } from '../passwords/check-password.ts';
import { isOutdatedHash, type Passwords } from '../passwords/passwords.ts';
import type { Principal } from '../principal/principal.ts';
import { toPrincipal, type User } from '../records/users.ts';
import { isTransientError } from '../transient-error.ts';
import type { SessionService, StartedSession } from './sessions.ts';
import type { Attempt, Throttle } from './throttle.ts';

/** Characters of a login that the audit log keeps. */
const MAX_OBJECT_LENGTH = 255;

/** What somebody signs in with. */
export interface SignInRequest {
  /** A user name, or an e-mail address. */
  readonly login: string;
  readonly password: string;
  /** Where failures are counted, in place of the visitor's address. */
  readonly countedAt?: string | undefined;
}

/** What somebody changes the own password with. */
interface PasswordChange {
  readonly current: string;
  readonly next: string;
  /** The session that goes on; all others of the user end. */
  readonly sessionId?: string | undefined;
}

/**
 * Signing in and out with a password (identity 1). Who fails learns neither whether there is such a user nor whether it
 * is disabled: the answer and the work for it are the same. Who fails often has to wait, with the right password, too.
 */
export interface SignInService {
  /** Throws 401 for a wrong password or user, 429 with the seconds to wait, 503 when too many sign in at once. */
  signIn(
    request: SignInRequest,
    visitor: Visitor,
  ): Promise<{ readonly principal: Principal; readonly session: StartedSession }>;
  /** Ends a session. */
  signOut(principal: Principal, sessionId: string): void;
  /** Throws 400 for a wrong current password and one that is refused, 403 for who came by a token, 429 and 503. */
  changePassword(principal: Principal, change: PasswordChange): Promise<void>;
}

/** What signing in is made of. */
export interface SignInContext extends AccountContext {
  readonly passwords: Passwords;
  readonly sessions: SessionService;
  readonly throttle: Throttle;
  /** Whether passwords are for administrators alone, since all others sign in elsewhere (identity 4). */
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
  { login, password, countedAt }: SignInRequest,
  visitor: Visitor,
) {
  const { database, users, throttle, sessions, audit } = context;
  const attempt = { login, address: countedAt ?? visitor.address };
  const event = { action: 'sign-in', object: shorten(login) } as const;
  begin(context, attempt, () => audit.recordVisitor(visitor, { ...event, result: 'refused' }));
  const user = users.findByLogin(login);
  const proven = await prove(context, user, password, attempt);
  return database.write(() => {
    const now = proven && findUnchanged(context, proven);
    // Told apart from a wrong password, this would say that it is the right one.
    if (!now || (!now.superUser && context.isSsoOnly())) {
      audit.recordVisitor(visitor, { ...event, result: 'refused' });
      return null;
    }
    throttle.succeed(attempt);
    const session = sessions.start(now);
    const origin = { ...visitor, tokenId: null, sessionId: session.sessionId, readOnly: false };
    const principal = toPrincipal(now, origin);
    audit.record(principal, event);
    return { principal, session };
  });
}

async function changePassword(
  context: SignInContext,
  principal: Principal,
  { current, next, sessionId }: PasswordChange,
): Promise<void> {
  const { database, users, throttle, passwords, sessions, audit } = context;
  checkMayChange(principal);
  if (principal.origin?.tokenId) throw mayNotManage();
  const user = users.findById(principal.userId);
  if (user === undefined) throw userNotFound(principal.userName, []);
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

/** Throws 429 when the attempt has to wait; of those that do, the first after a failure is recorded. */
function begin({ database, throttle }: SignInContext, attempt: Attempt, record: () => void): void {
  const turn = database.write(() => {
    const given = throttle.begin(attempt);
    if (!given.isAllowed && given.isFirst) record();
    return given;
  });
  if (!turn.isAllowed) throw signInErrors.tooMany(turn.seconds);
}

/** Whom a password has proven to be there, and by which hash. */
interface Proof {
  readonly userId: string;
  readonly hash: string;
}

/** Null for a wrong password; verifying costs the same for a user who has none, or is not there. */
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
    const kept = await renew(context, user.id, hash, password);
    return kept === null ? null : { userId: user.id, hash: kept };
  } catch (error) {
    throttle.giveBack(attempt);
    throw error;
  }
}

/**
 * Puts a hash of today's cost in place of a cheaper one, if there is time for it. The password's hash that is there now;
 * null when it has become another password's.
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
    // Somebody else who signs in may have been faster.
    const other = users.readPasswordHash(userId);
    return (await passwords.verify(password, other)) ? other : null;
  } catch (error) {
    if (!isTransientError(error)) throw error;
    return hash;
  }
}

/** The user as it is now, unless it was disabled, deleted or given another password since. */
function findUnchanged({ users }: SignInContext, { userId, hash }: Proof): User | null {
  const user = users.findById(userId);
  return user?.active === true && users.readPasswordHash(userId) === hash ? user : null;
}

/** A login as the audit log keeps it. */
function shorten(login: string): string {
  return [...login.slice(0, 2 * MAX_OBJECT_LENGTH).toWellFormed()].slice(0, MAX_OBJECT_LENGTH).join('');
}
