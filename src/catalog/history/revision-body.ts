import { type Static, Type } from 'typebox';
import { MaybeCount, MaybeText, MaybeTimestamp, Timestamp } from '../../bodies/field-schemas.ts';
import type { Content } from '../contents/content-store.ts';
import { HISTORY_ACTIONS, HISTORY_SOURCES } from '../contents/history-store.ts';
import { type AssetData, DataSchema } from '../item-body.ts';

/** One of some words, or null. */
const oneOrNull = <const Word extends string>(words: readonly Word[], description: string) =>
  Type.Unsafe<Word | null>({ enum: [...words, null], description });

/** A content in the history of an asset. */
export const RevisionSchema = Type.Object(
  {
    revision: Type.Integer({
      minimum: 1,
      description: 'Revision of the asset when it got this content',
      examples: [5],
    }),
    ordinal: Type.Integer({ minimum: 1, description: 'Number of this content of the asset, from 1' }),
    is_current: Type.Boolean({ description: 'Whether the asset has this content now' }),
    created_at: Timestamp,
    // Null, as the next three, for a content of a version that kept no history.
    user_id: MaybeText,
    user_name: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'User name at that time; null, like the action, if an earlier version stored the content',
    }),
    action: oneOrNull(HISTORY_ACTIONS, 'How the asset got the content'),
    source: oneOrNull(HISTORY_SOURCES, 'Where the content came from'),
    // The revision whose text was restored.
    restored_from: MaybeCount,
    bytes: Type.Integer({ minimum: 0, description: 'Size of the content in UTF-8' }),
    sha256: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Hash of the content in hexadecimal; null if it is unknown, or the content was purged',
    }),
    purged_at: MaybeTimestamp,
    // The name of the user who purged the text, at that time.
    purged_by: MaybeText,
  },
  { title: 'Revision' },
);
export type RevisionBody = Static<typeof RevisionSchema>;

/** A revision with its text. */
export const FullRevisionSchema = Type.Object(
  { ...RevisionSchema.properties, data: DataSchema },
  { title: 'RevisionWithContent' },
);

/** A revision with its text; a long one is bytes. */
export type FullRevisionBody = RevisionBody & { readonly data: AssetData<Content> };
