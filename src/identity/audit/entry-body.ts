import { type Static, Type } from 'typebox';
import { MaybeText, Timestamp } from '../../bodies/field-schemas.ts';

/** An entry of the audit log. */
export const AuditEntrySchema = Type.Object(
  {
    id: Type.String(),
    at: Timestamp,
    // The user name at that time; null for an unknown user.
    actor: MaybeText,
    // The id of the token that was used, if any.
    token: MaybeText,
    action: Type.String({ examples: ['token.create'] }),
    object: MaybeText,
    result: Type.Enum(['done', 'refused']),
    address: MaybeText,
    request_id: MaybeText,
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntrySchema>;
