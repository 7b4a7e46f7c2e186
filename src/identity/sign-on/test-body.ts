import { type Static, Type } from 'typebox';
import { MaybeText, Timestamp } from '../../bodies/field-schemas.ts';

/** The outcome of a test sign-in. */
const TestOutcomeSchema = Type.Object({
  // Whether a sign-in with the same answer would succeed.
  passed: Type.Boolean(),
  // Null when all checks passed.
  check: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Name of the check that failed',
  }),
  // The result of the failed check, or what a sign-in would do with the account.
  text: Type.String(),
  // The identifier of the user at the provider; null when the response was refused before it was read.
  subject: MaybeText,
  // The attributes received, by name.
  attributes: Type.Record(Type.String(), Type.Immutable(Type.Array(Type.String()))),
});
export type TestOutcome = Static<typeof TestOutcomeSchema>;

/** A test sign-in in responses. */
export const SignOnTestSchema = Type.Object({
  id: Type.String(),
  status: Type.Enum(['waiting', 'finished']),
  outcome: Type.Union([TestOutcomeSchema, Type.Null()]),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type SignOnTestBody = Static<typeof SignOnTestSchema>;
