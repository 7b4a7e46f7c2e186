import { type Static, Type } from 'typebox';
import { MaybeText } from '../../bodies/field-schemas.ts';

/** What a change of several users did: one outcome for each, in the order of the request. */
export const UserOutcomesSchema = Type.Object(
  {
    data: Type.Immutable(
      Type.Array(
        Type.Object({
          user_name: Type.String({ description: 'As in the request' }),
          done: Type.Boolean({ description: 'Whether the user was changed' }),
          // Null for a user who was changed.
          code: MaybeText,
          message: MaybeText,
        }),
      ),
    ),
  },
  { title: 'UserOutcomes' },
);
export type UserOutcomesBody = Static<typeof UserOutcomesSchema>;
