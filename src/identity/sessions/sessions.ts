import { hash, randomBytes } from 'node:crypto';
import { toTimestamp } from '../../store/values/clock.ts';
import type { Visitor } from '../audit/audit.ts';
import type { AccountContext } from '../context/account-context.ts';
import type { Principal } from '../principal/principal.ts';
import { createSessionStore, type SessionRecord } from '../records/session-store.ts';
import { createUseNotes } from '../records/use-notes.ts';
import { toPrincipal, type User } from '../records/users.ts';

/** How long sessions last, in milliseconds. */
export interface SessionLimits {
  /** Without a request; counted to the minute. */
  readonly idle: number;
  /** In any case. */
  readonly absolute: number;
}

const DEFAULT_LIMITS: SessionLimits = { idle: 8 * 3_600_000, absolute: 7 * 86_400_000 };
/** Of one user at a time; the oldest end before there are more. */
const MAX_SESSIONS = 20;
const RANDOM_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** A new session; what the cookie holds is given this once. */
export interface StartedSession {
  readonly sessionId: string;
  readonly cookieValue: string;
  /** What requests that change something must carry besides the cookie. */
  readonly csrfToken: string;
  readonly expiresAt: Date;
}

/** Who acts in a session. */
export interface VerifiedSession {
  readonly principal: Principal;
  readonly sessionId: string;
  readonly csrfToken: string;
}

/** Sessions of people at the console (identity 1). Each call is one transaction, or part of the one under way. */
export interface SessionService {
  /**
   * Begins a session, which ends at `end` at the latest; one is begun at each sign-in, and never taken over from before.
   */
  start(user: User, end?: Date | null): StartedSession;
  /**
   * Who acts with this cookie, by the user's rights as they are now; null for one that is not ours, has ended or expired,
   * or whose user is disabled. Notes the use, at most once a minute.
   */
  verify(cookieValue: string, visitor: Visitor): VerifiedSession | null;
  /** The ids of a user's sessions; whoever asks must be allowed to know them. */
  listIds(userId: string): string[];
  /** Whether there was such a session. */
  end(sessionId: string): boolean;
  /** Ends the sessions of a user, but perhaps one; `principal` is who has it done. */
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
  const idleSince = (now: Date) => toTimestamp(new Date(now.getTime() - limits.idle));

  function isOver({ expiresAt, usedAt }: SessionRecord, now: Date): boolean {
    return expiresAt <= toTimestamp(now) || usedAt <= idleSince(now);
  }

  function find(cookieValue: string, now: Date) {
    const record = store.findByHash(toHash(cookieValue));
    if (record === undefined || isOver(record, now)) return null;
    const user = users.findById(record.userId);
    return user?.active === true ? { record, user } : null;
  }

  return {
    start: (user, end = null) =>
      database.write(() => {
        const now = clock();
        const at = toTimestamp(now);
        store.deleteEnded(at, idleSince(now));
        store.deleteOldest(user.id, MAX_SESSIONS - 1);
        const [cookieValue, csrfToken] = [createRandomText(), createRandomText()];
        const expiresAt = new Date(
          Math.min(now.getTime() + limits.absolute, end?.getTime() ?? Number.POSITIVE_INFINITY),
        );
        const times = { createdAt: at, usedAt: at, expiresAt: toTimestamp(expiresAt) };
        const sessionId = newId();
        store.insert({ id: sessionId, userId: user.id, csrfToken, ...times }, toHash(cookieValue));
        return { sessionId, cookieValue, csrfToken, expiresAt };
      }),
    verify: (cookieValue, visitor) => {
      if (!SHAPE.test(cookieValue)) return null;
      const now = clock();
      const found = database.read(() => find(cookieValue, now));
      if (found === null) return null;
      const { id, usedAt, csrfToken } = found.record;
      notes.note(usedAt, now, () => store.writeUse(id, toTimestamp(now)));
      const principal = toPrincipal(found.user, {
        ...visitor,
        tokenId: null,
        sessionId: id,
        readOnly: false,
      });
      return { principal, sessionId: id, csrfToken };
    },
    listIds: (userId) => database.read(() => store.listIds(userId)),
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

function createRandomText(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/** What is kept of a cookie. It has 256 random bits, so that no slow hash is needed. */
function toHash(cookieValue: string): string {
  return hash('sha256', cookieValue);
}
