import { hash, randomBytes } from 'node:crypto';
import { toTimestamp } from '../../store/values/clock.ts';
import type { Visitor } from '../audit/audit.ts';
import type { AccountContext } from '../context/account-context.ts';
import type { Principal } from '../principal/principal.ts';
import { createSessionStore, type SessionRecord, type SignInMethod } from '../records/session-store.ts';
import { createUseNotes } from '../records/use-notes.ts';
import { toPrincipal, type User } from '../records/users.ts';

/** The lifetime of sessions, in milliseconds. */
interface SessionLimits {
  /** Without a request, to the minute. */
  readonly idle: number;
  /** Since the sign-in. */
  readonly absolute: number;
}

const DEFAULT_LIMITS: SessionLimits = { idle: 8 * 3_600_000, absolute: 7 * 86_400_000 };
/** How long after a sign-in a session may do what needs a recent one. */
const RECENT_MS = 10 * 60_000;
/** The maximum for one user; a further session ends the oldest one. */
const MAX_SESSIONS = 20;
/** The maximum length of a stored `User-Agent`, in UTF-16 code units. */
const MAX_USER_AGENT = 400;
const RANDOM_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** A new session; the cookie's value is returned only here. */
export interface StartedSession {
  readonly sessionId: string;
  readonly cookieValue: string;
  /** The value that requests with changes must carry in addition to the cookie. */
  readonly csrfToken: string;
  readonly expiresAt: Date;
}

/** The circumstances of a sign-in. */
export interface SessionStart {
  /** `password` by default. */
  readonly method?: SignInMethod;
  readonly address?: string | null;
  /** The browser's `User-Agent`, as it was sent. */
  readonly userAgent?: string | undefined;
  /** When the session ends at the latest. */
  readonly end?: Date | null;
}

/** The principal and the properties of a valid session. */
interface VerifiedSession {
  readonly principal: Principal;
  readonly sessionId: string;
  readonly csrfToken: string;
}

/**
 * Sessions of users in the console (docs/reference/sessions.md). Each call is one transaction, or part of the current
 * one.
 */
export interface SessionService {
  /** Starts a session. Each sign-in starts a new one. */
  start(user: User, how?: SessionStart): StartedSession;
  /**
   * The principal of a cookie, with the user's current rights. Null for a cookie that is unknown, ended or expired, or
   * whose user is disabled. Records the use, at most once a minute. Deletes an expired session.
   */
  verify(cookieValue: string, visitor: Visitor): VerifiedSession | null;
  /** A user's sessions that have not ended, the last used first. The caller checks permissions. */
  listOf(userId: string): SessionRecord[];
  /** The ids of a user's sessions. The caller checks permissions. */
  listIds(userId: string): string[];
  /**
   * Whether the principal has signed in a short time ago, with a password or single sign-on; true without a session
   * (docs/reference/sessions.md#signing-in).
   */
  isRecent(principal: Principal): boolean;
  /** Returns whether the session existed. */
  end(sessionId: string): boolean;
  /** Ends a user's sessions, except one if given; `principal` performs the action. */
  endAllOf(principal: Principal, user: Pick<User, 'id' | 'userName'>, except?: string): void;
}

/** The sessions of an open database. */
export function createSessionService(
  context: Pick<AccountContext, 'database' | 'clock' | 'newId' | 'users' | 'audit' | 'announcements'>,
  limits: SessionLimits = DEFAULT_LIMITS,
): SessionService {
  const { database, clock, newId, users, audit, announcements } = context;
  const store = createSessionStore(database);
  const notes = createUseNotes(database);
  const deleteEnded = (now: Date) => store.deleteEnded(toTimestamp(now), idleSince(now, limits));

  function find(cookieValue: string) {
    const record = store.findByHash(toHash(cookieValue));
    return record === undefined ? null : { record, user: users.findById(record.userId) };
  }

  return {
    start: (user, { method = 'password', address = null, userAgent, end = null } = {}) =>
      database.write(() => {
        const now = clock();
        const at = toTimestamp(now);
        deleteEnded(now);
        store.deleteOldest(user.id, MAX_SESSIONS - 1);
        const [cookieValue, csrfToken] = [createRandomText(), createRandomText()];
        const expiresAt = findEnd(now, limits, end);
        const times = { createdAt: at, usedAt: at, expiresAt: toTimestamp(expiresAt) };
        const sessionId = newId();
        const details = { method, address, userAgent: toStoredUserAgent(userAgent) };
        const record = { id: sessionId, userId: user.id, csrfToken, ...times, ...details };
        store.insert(record, toHash(cookieValue));
        return { sessionId, cookieValue, csrfToken, expiresAt };
      }),
    verify: (cookieValue, visitor) => {
      if (!SHAPE.test(cookieValue)) return null;
      const now = clock();
      const match = database.read(() => find(cookieValue));
      if (match === null) return null;
      const { user, record } = match;
      if (isOver(record, now, limits)) {
        // Else it would be valid again after the clock is set back.
        notes.note(null, now, () => deleteEnded(now));
        return null;
      }
      if (user?.active !== true) return null;
      const { id, usedAt, csrfToken } = record;
      notes.note(usedAt, now, () => store.writeUse(id, toTimestamp(now), visitor.address));
      const principal = toPrincipal(user, {
        ...visitor,
        tokenId: null,
        sessionId: id,
        scope: 'all',
      });
      return { principal, sessionId: id, csrfToken };
    },
    listOf: (userId) => {
      const now = clock();
      return database.read(() => store.listOf(userId)).filter((record) => !isOver(record, now, limits));
    },
    listIds: (userId) => database.read(() => store.listIds(userId)),
    isRecent: (principal) =>
      isRecentSignIn(principal, clock(), (userId) => database.read(() => store.listOf(userId))),
    end: (sessionId) =>
      database.write(() => {
        if (!store.delete(sessionId)) return false;
        announcements.announce({ kind: 'session-ended', sessionId });
        return true;
      }),
    endAllOf: (principal, { id, userName }, except) =>
      database.write(() => {
        const ended = store.deleteAllOf(id, except ?? null);
        if (ended.length === 0) return;
        for (const sessionId of ended) announcements.announce({ kind: 'session-ended', sessionId });
        audit.record(principal, { action: 'session.end', object: userName });
      }),
  };
}

function findEnd(now: Date, { absolute }: SessionLimits, end: Date | null): Date {
  return new Date(Math.min(now.getTime() + absolute, end?.getTime() ?? Number.POSITIVE_INFINITY));
}

function isRecentSignIn(
  { userId, origin }: Principal,
  now: Date,
  listOf: (userId: string) => readonly SessionRecord[],
): boolean {
  if (origin?.sessionId === undefined) return true;
  const session = listOf(userId).find(({ id }) => id === origin.sessionId);
  if (session === undefined || session.method === 'ui') return false;
  return session.createdAt >= toTimestamp(new Date(now.getTime() - RECENT_MS));
}

function isOver({ expiresAt, usedAt }: SessionRecord, now: Date, limits: SessionLimits): boolean {
  return expiresAt <= toTimestamp(now) || usedAt <= idleSince(now, limits);
}

function idleSince(now: Date, { idle }: SessionLimits): string {
  return toTimestamp(new Date(now.getTime() - idle));
}

/** A bounded `User-Agent` without control characters; null without one. */
function toStoredUserAgent(header = ''): string | null {
  const text = header
    .slice(0, MAX_USER_AGENT)
    .replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed()
    .trim();
  return text === '' ? null : text;
}

function createRandomText(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/** The stored hash of a cookie. The value has 256 random bits, so it needs no slow hash. */
function toHash(cookieValue: string): string {
  return hash('sha256', cookieValue);
}
