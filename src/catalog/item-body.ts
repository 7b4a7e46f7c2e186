import { type Static, Type } from 'typebox';
import { Timestamp } from '../bodies/field-schemas.ts';
import { GRANTED_LEVELS } from '../identity/principal/permissions.ts';
import { listKeys } from '../invariants/narrow.ts';
import { ASSET_KINDS } from './asset-type.ts';

const Name = Type.String({ examples: ['monthly'] });
const Path = Type.String({ examples: ['@Shared/reports/monthly'] });
const ItemType = Type.Enum(listKeys(ASSET_KINDS), { description: 'Type of the item' });
/** The description of an item, in bodies. */
export const ItemDescription = Type.String();
/** The content of a script, in bodies. */
export const ItemContent = Type.String({ description: 'Source of the script, at most 15 MB in UTF-8' });

/** A list entry, and the response to creating or updating a folder (docs/reference/http-catalog.md#items). */
export const FolderSchema = Type.Object(
  { name: Name, path: Path, type: ItemType, created_at: Timestamp, updated_at: Timestamp },
  { title: 'Folder' },
);
export type FolderBody = Static<typeof FolderSchema>;

/** An item in a list; the fields after `updated_at` are details (docs/reference/http-catalog.md#details-of-a-folder). */
const ListedItemSchema = Type.Object(
  {
    ...FolderSchema.properties,
    description: Type.Optional(ItemDescription),
    level: Type.Optional(
      Type.Enum(['NONE', ...GRANTED_LEVELS.item], { description: 'Level of the caller on the item' }),
    ),
    updated_by: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'Name of the user who wrote the content; null for a folder, or if it is unknown',
      }),
    ),
    bytes: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        description: 'Size of the content in UTF-8; null for a folder',
      }),
    ),
  },
  { title: 'ListedItem' },
);

/** The direct children of a folder (docs/reference/http-catalog.md#reading). */
export const FolderListSchema = Type.Object(
  {
    data: Type.Immutable(Type.Array(ListedItemSchema)),
    total: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Number of items on all pages, with details' }),
    ),
  },
  { title: 'List' },
);
export type FolderListBody = Static<typeof FolderListSchema>;

/** A list entry with details. */
export type DetailedItemBody = Required<FolderListBody['data'][number]>;

/** A page of the direct children of a folder, with details. */
export interface DetailedListBody extends Required<FolderListBody> {
  readonly data: readonly DetailedItemBody[];
}

/** The data of a single item: its content, or empty for items without one. */
export const DataSchema = Type.Object({ content: Type.Optional(ItemContent) });

/** The same; a long content is bytes before it is sent. */
export type AssetData<Text = string> =
  | Readonly<Record<keyof Static<typeof DataSchema>, Text>>
  | Readonly<Record<string, never>>;

interface WithData<Text> {
  readonly data: AssetData<Text>;
}

/** The response to creating or updating an asset (docs/reference/http-catalog.md#changing). */
export const AssetSchema = Type.Object(
  { name: Name, path: Path, type: ItemType, data: DataSchema, created_at: Timestamp, updated_at: Timestamp },
  { title: 'Asset' },
);
export type AssetBody<Text = string> = Omit<Static<typeof AssetSchema>, 'data'> & WithData<Text>;

/** A single item, read by its path (docs/reference/http-catalog.md#reading). */
export const ItemSchema = Type.Object(
  {
    name: Name,
    description: ItemDescription,
    path: Path,
    type: ItemType,
    data: DataSchema,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Item' },
);
export type ItemBody<Text = string> = Omit<Static<typeof ItemSchema>, 'data'> & WithData<Text>;

/** A found item; `line` and `excerpt` belong to the first match in a content. */
const FoundSchema = Type.Object(
  {
    ...FolderSchema.properties,
    line: Type.Optional(Type.Integer({ minimum: 1, description: 'Line of the first match in the content' })),
    // The line is cut around the match. Characters are UTF-16 units.
    excerpt: Type.Optional(Type.String({ description: 'This line, at most 200 characters of it' })),
  },
  { title: 'FoundItem' },
);
export type FoundBody = Static<typeof FoundSchema>;

/** The found items: by name, the best first; by content, in no particular order. */
export const FoundListSchema = Type.Object(
  {
    data: Type.Immutable(Type.Array(FoundSchema)),
    is_complete: Type.Boolean({ description: 'Whether all matching items are listed' }),
  },
  { title: 'FoundItemList' },
);
export type FoundListBody = Static<typeof FoundListSchema>;

/** The number of items below a folder. */
export const FolderSizeSchema = Type.Object(
  {
    folders: Type.Integer({ description: 'Folders below this folder that the caller may view' }),
    scripts: Type.Integer({ description: 'Other items below this folder that the caller may view' }),
    is_complete: Type.Boolean({ description: 'Whether all items were counted; counting stops after 10,000' }),
  },
  { title: 'FolderSize' },
);
export type FolderSizeBody = Static<typeof FolderSizeSchema>;
