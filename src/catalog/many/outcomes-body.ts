import { type Static, Type } from 'typebox';
import { MaybeText } from '../../bodies/field-schemas.ts';

/** The fields of each outcome; code and message are null for an item that was changed. */
const OUTCOME = { done: Type.Boolean(), code: MaybeText, message: MaybeText };

/** What a change of several items did: one outcome for each, in the order of the request. */
export const ItemOutcomesSchema = Type.Object(
  {
    data: Type.Immutable(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'As in the request' }),
          ...OUTCOME,
          new_path: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'Path after a move; null if the item was not moved',
          }),
          deleted_id: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'Id of a deleted item in the bin; null if the bin does not keep it',
          }),
        }),
      ),
    ),
  },
  { title: 'ItemOutcomes' },
);
export type ItemOutcomesBody = Static<typeof ItemOutcomesSchema>;

/** What a restoration of several items did: one outcome for each, in the order of the request. */
export const RestoreOutcomesSchema = Type.Object(
  {
    data: Type.Immutable(
      Type.Array(
        Type.Object({
          id: Type.String({ description: 'As in the request' }),
          ...OUTCOME,
          path: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'Path of the restored item; null if it was not restored',
          }),
        }),
      ),
    ),
  },
  { title: 'RestoreOutcomes' },
);
export type RestoreOutcomesBody = Static<typeof RestoreOutcomesSchema>;
