import { type Static, Type } from 'typebox';
import { Timestamp } from '../../bodies/field-schemas.ts';
import { FolderSchema } from '../item-body.ts';

/** An item in the bin (docs/reference/bin.md). */
export const DeletedItemSchema = Type.Object(
  {
    id: Type.String({ description: 'Id of the item in the bin' }),
    path: Type.String({ description: 'Path before the deletion', examples: ['@Shared/reports/monthly'] }),
    type: FolderSchema.properties.type,
    items: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      description: 'The item and everything in it; null while they are counted',
    }),
    bytes: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Size of the contents and their histories in UTF-8; null while the items are counted',
    }),
    deleted_at: Timestamp,
    deleted_by: Type.String({ description: 'User name at that time', examples: ['ana'] }),
    kept_until: Timestamp,
  },
  { title: 'DeletedItem' },
);
export type DeletedItemBody = Static<typeof DeletedItemSchema>;
