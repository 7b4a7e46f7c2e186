import type { Database } from '../../store/database.ts';
import type { Clock } from '../../store/values/clock.ts';
import { createUuidV7 } from '../../store/values/uuid.ts';
import { createAuditLog } from '../audit/audit.ts';
import { createInvitationStore } from '../records/invitation-store.ts';
import { createSessionStore } from '../records/session-store.ts';
import { createTokenStore } from '../records/token-store.ts';

/**
 * The number of sessions and personal access tokens of a restored home that were deleted, and the number of tokens
 * kept.
 */
export interface EndedAccess {
  readonly sessionsEnded: number;
  readonly tokensEnded: number;
  readonly tokensKept: number;
}

/**
 * Ends all sessions of a restored database, revokes all invitations, and deletes all tokens when `endTokens` returns true for their number.
 * Otherwise, credentials revoked after the backup would become valid again.
 */
export async function endAccess(
  database: Database,
  clock: Clock,
  endTokens: (count: number) => Promise<boolean>,
): Promise<EndedAccess> {
  const sessions = createSessionStore(database);
  const tokens = createTokenStore(database);
  const audit = createAuditLog(database, clock, createUuidV7(clock));
  const count = tokens.count();
  const endsTokens = count > 0 && (await endTokens(count));
  return database.write(() => {
    const sessionsEnded = sessions.deleteAll();
    const invitationsEnded = createInvitationStore(database).deleteAll();
    if (endsTokens) tokens.deleteAll();
    const by = { address: null, requestId: null };
    if (sessionsEnded > 0) audit.recordVisitor(by, { action: 'session.end', object: 'all, by a restore' });
    if (invitationsEnded > 0) {
      audit.recordVisitor(by, {
        action: 'invitation.delete',
        object: `all ${invitationsEnded}, by a restore`,
      });
    }
    if (endsTokens) audit.recordVisitor(by, { action: 'token.delete', object: `all ${count}, by a restore` });
    return { sessionsEnded, tokensEnded: endsTokens ? count : 0, tokensKept: endsTokens ? 0 : count };
  });
}
