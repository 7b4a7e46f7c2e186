import { type Static, Type } from 'typebox';
import { MaybeText } from '../../../bodies/field-schemas.ts';

/** One difference between two descriptions of an identity provider; null for a value that one of them does not have. */
export const MetadataDifferenceSchema = Type.Object({
  // A certificate is represented by its SHA-256 fingerprint; a new one has no `before`.
  field: Type.Enum([
    'entity_id',
    'sign_on_redirect_url',
    'sign_on_post_url',
    'logout_redirect_url',
    'logout_post_url',
    'wants_signed_requests',
    'certificate',
  ]),
  before: MaybeText,
  after: MaybeText,
});
export type MetadataDifference = Static<typeof MetadataDifferenceSchema>;
