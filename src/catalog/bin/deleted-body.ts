import { type Static, Type } from 'typebox';
import { MaybeCount, Timestamp } from '../../bodies/field-schemas.ts';
import { FolderSchema } from '../item-body.ts';

/** An item in the bin (docs/reference/bin.md). */
export const DeletedItemSchema = Type.Object(
  {
    id: Type.String({ description: 'Id of the item in the bin' }),
    path: Type.String({ description: 'Path before the deletion', examples: ['@Shared/reports/monthly'] }),
    type: FolderSchema.properties.type,
    // The item and everything below it; null, as the size, while they are counted.
    items: MaybeCount,
    // The contents and their histories in UTF-8.
    bytes: MaybeCount,
    deleted_at: Timestamp,
    deleted_by: Type.String({ description: 'User name at that time', examples: ['ana'] }),
    kept_until: Timestamp,
  },
  { title: 'DeletedItem' },
);
export type DeletedItemBody = Static<typeof DeletedItemSchema>;
