import { type Static, Type } from 'typebox';
import { MaybeText, Timestamp } from '../../bodies/field-schemas.ts';
import { SIGN_IN_METHODS, type SignInMethod } from '../records/session-store.ts';

/** A session of a user in responses. */
export const UserSessionSchema = Type.Object(
  {
    id: Type.String(),
    // Null for a session that was started by an earlier version.
    method: Type.Unsafe<SignInMethod | null>({
      type: ['string', 'null'],
      enum: [...SIGN_IN_METHODS, null],
      description: 'How the session was started; null if unknown',
    }),
    user_agent: MaybeText,
    address: MaybeText,
    started_at: Timestamp,
    // To the minute.
    last_seen_at: Timestamp,
  },
  { title: 'Session' },
);
export type UserSessionBody = Static<typeof UserSessionSchema>;

/** What ended when a user was stopped. */
export const EndedAccessSchema = Type.Object({
  user_name: Type.String(),
  sessions: Type.Integer({ description: 'Sessions that were ended' }),
  tokens: Type.Integer({ description: 'Tokens that were revoked' }),
  invitations: Type.Integer({ description: 'Invitations that were revoked' }),
});
export type EndedAccessBody = Static<typeof EndedAccessSchema>;
