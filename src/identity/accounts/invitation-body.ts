import { type Static, Type } from 'typebox';
import { MaybeText, Timestamp } from '../../bodies/field-schemas.ts';

/** An invitation in responses. */
const InvitationSchema = Type.Object(
  {
    id: Type.String(),
    user_name: Type.String(),
    email: MaybeText,
    made_user: Type.Boolean({ description: 'Whether the user was created for the invitation' }),
    // Null if the creator was deleted.
    created_by: MaybeText,
    created_at: Timestamp,
    expires_at: Timestamp,
    expired: Type.Boolean(),
  },
  { title: 'Invitation' },
);
export type InvitationBody = Static<typeof InvitationSchema>;

/** A new invitation with its link, which no later response has. */
export const MadeInvitationSchema = Type.Object(
  {
    ...InvitationSchema.properties,
    link: Type.String({ description: 'Link with the secret, which is returned only once' }),
  },
  { title: 'MadeInvitation' },
);
export type MadeInvitationBody = Static<typeof MadeInvitationSchema>;

/** A page of invitations. */
export const InvitationListSchema = Type.Object(
  {
    data: Type.Immutable(Type.Array(InvitationSchema)),
    total: Type.Integer({ description: 'Number of invitations on all pages' }),
  },
  { title: 'InvitationList' },
);
export type InvitationListBody = Static<typeof InvitationListSchema>;

/** What a revocation did. */
export const RevokedInvitationSchema = Type.Object(
  {
    user_name: Type.String(),
    user_deleted: Type.Boolean({
      description:
        'Whether the user was deleted, because the invitation had created the account, which was never used',
    }),
  },
  { title: 'RevokedInvitation' },
);
export type RevokedInvitationBody = Static<typeof RevokedInvitationSchema>;
