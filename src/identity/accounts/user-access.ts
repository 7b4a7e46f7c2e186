import { asManager, getUser } from '../context/account-context.ts';
import { accessErrors, profileErrors } from '../errors.ts';
import type { Principal } from '../principal/principal.ts';
import { createInvitationStore } from '../records/invitation-store.ts';
import type { SessionRecord } from '../records/session-store.ts';
import { createTokenStore } from '../records/token-store.ts';
import { type ChangeContext, changeAccount } from './change-account.ts';
import type { EndedAccessBody, UserSessionBody } from './session-body.ts';

/**
 * The access of users, for users who manage accounts (docs/reference/accounts.md#stopping-a-user). All other callers get
 * 403, and 404 is for an unknown user. Each change is one transaction.
 */
export interface UserAccess {
  /** The last used first. */
  listSessions(principal: Principal, userName: string): UserSessionBody[];
  /** Throws 404 for a session that is unknown, has ended, or belongs to another user. */
  endSession(principal: Principal, userName: string, sessionId: string): void;
  /** Ends all sessions of a user. */
  endSessions(principal: Principal, userName: string): void;
  /** Revokes all tokens of a user. */
  revokeTokens(principal: Principal, userName: string): void;
  /**
   * Disables a user, ends the user's sessions and revokes the user's tokens and invitation; executions are cancelled
   * after the commit.
   * Throws 409 for the principal and for the last active administrator.
   */
  stop(principal: Principal, userName: string): EndedAccessBody;
}

/** The access of the users of an open database. */
export function createUserAccess(context: ChangeContext): UserAccess {
  const { database, sessions, audit, announcements } = context;
  const tokens = createTokenStore(database);
  const invitations = createInvitationStore(database);

  function revokeTokens(userId: string): number {
    const ids = tokens.deleteOf(userId);
    for (const tokenId of ids) announcements.announce({ kind: 'token-revoked', tokenId });
    return ids.length;
  }

  return {
    listSessions: (principal, userName) =>
      asManager(context, principal, 'read', () =>
        sessions.listOf(getUser(context, userName).id).map(printUserSession),
      ),
    endSession: (principal, userName, sessionId) =>
      asManager(context, principal, 'write', () => {
        const user = getUser(context, userName);
        const isOfUser = sessions.listIds(user.id).includes(sessionId);
        if (!isOfUser || !sessions.end(sessionId)) throw profileErrors.sessionNotFound();
        audit.record(principal, { action: 'session.end', object: `${user.userName}: one session` });
      }),
    endSessions: (principal, userName) =>
      asManager(context, principal, 'write', () => sessions.endAllOf(principal, getUser(context, userName))),
    revokeTokens: (principal, userName) =>
      asManager(context, principal, 'write', () => {
        const user = getUser(context, userName);
        const count = revokeTokens(user.id);
        audit.record(principal, { action: 'token.delete', object: `${user.userName}: all ${count}` });
      }),
    stop: (principal, userName) =>
      asManager(context, principal, 'write', () => {
        const user = getUser(context, userName);
        if (user.id === principal.userId) throw accessErrors.stopsSelf();
        const ended = {
          user_name: user.userName,
          sessions: sessions.listOf(user.id).length,
          tokens: revokeTokens(user.id),
          invitations: invitations.deleteOf(user.id),
        };
        changeAccount(context, principal, user, { active: false });
        const counts = `sessions ${ended.sessions}, tokens ${ended.tokens}, invitations ${ended.invitations}`;
        audit.record(principal, { action: 'user.stop', object: `${user.userName}: ${counts}` });
        return ended;
      }),
  };
}

/** A session in responses. */
export function printUserSession({
  id,
  method,
  userAgent,
  address,
  createdAt,
  usedAt,
}: SessionRecord): UserSessionBody {
  return { id, method, user_agent: userAgent, address, started_at: createdAt, last_seen_at: usedAt };
}
