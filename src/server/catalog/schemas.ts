import { type Static, Type } from 'typebox';
import { FOLDER_TYPES, type FolderType } from '../../catalog/body.ts';
import {
  type AssetSchema,
  type FolderListSchema,
  type FolderSchema,
  ItemContent,
  ItemDescription,
  type ItemSchema,
} from '../../catalog/item-body.ts';
import { MAX_NAME_LENGTH, readString } from '../../errors/fields.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { isKeyOf, listKeys } from '../../invariants/narrow.ts';
import { defineFields, type Field } from '../fields/define-fields.ts';
import { expectedText, text } from '../fields/kinds.ts';
import { projectVersion } from '../fields/project-version.ts';

const allowedName = {
  description: `At most ${MAX_NAME_LENGTH} characters, without \`/\` and control characters`,
  maxLength: MAX_NAME_LENGTH,
  pattern: '^(?!\\.{1,2}$)[^/\\u0000-\\u001f\\u007f-\\u009f]*$',
};
const NewName = Type.String({ ...allowedName, minLength: 1 });
const ChangedName = Type.String(allowedName);
const namespacePath = {
  description: 'Path of the parent folder; starts with `@Personal`, `@Shared` or `@Project Hub`',
};
const ParentPath = Type.String({ ...namespacePath, minLength: 1 });
const ChangedParentPath = Type.String(namespacePath);
export type FolderListResponse = Static<typeof FolderListSchema>;
export type FolderResponse = Static<typeof FolderSchema>;
export type AssetResponse = Static<typeof AssetSchema>;
export type ItemResponse = Static<typeof ItemSchema>;

const folderType = {
  schema: Type.Optional(Type.Enum(listKeys(FOLDER_TYPES), { description: 'Defaults to REGULAR' })),
  read(fields, key) {
    const value = fields[key] ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value === 'string' && isKeyOf(FOLDER_TYPES, value)) return value;
    throw new ServiceError(400, 'folder_type_invalid', 'Invalid value for folder_type');
  },
} satisfies Field<FolderType | undefined>;

/** A long content arrives as bytes. */
const content = {
  schema: ItemContent,
  read(fields, key) {
    const value = fields[key];
    return value instanceof Uint8Array ? value : readString(fields, key, 'Content');
  },
} satisfies Field<string | Uint8Array | undefined>;
const description = text('Description', ItemDescription);
const parentPath = expectedText('Parent path', ParentPath);
const name = expectedText('Name', NewName);
const changed = { name: text('Name', ChangedName), parentPath: text('Parent path', ChangedParentPath) };

// The fields of a body are in the order of the checks (docs/reference/http-catalog.md#checks).

/** The body of `POST /catalog/folders` (docs/reference/http-catalog.md#creating). */
export const newFolder = defineFields({
  parent_path: parentPath,
  name,
  folder_type: folderType,
  description,
});
export type NewFolderBody = Static<typeof newFolder.schema>;

/** The body of `POST /catalog/assets` (docs/reference/http-catalog.md#creating). */
export const newAsset = defineFields({ parent_path: parentPath, name, content, description });
export type NewAssetBody = Static<typeof newAsset.schema>;

/** The body of `PUT /catalog/folders/{path}` (docs/reference/http-catalog.md#changing). */
export const folderChange = defineFields({
  name: changed.name,
  parent_path: changed.parentPath,
  description,
});

/** The body of `POST /manage/deleted/{id}/restore` (docs/reference/bin.md#restoring). */
export const restorePlace = defineFields(
  { name: changed.name, parent_path: changed.parentPath },
  { title: 'RestoredPlace' },
);
export type RestorePlaceBody = Static<typeof restorePlace.schema>;

/** The body of `PUT /catalog/assets/{path}` (docs/reference/http-catalog.md#changing). */
export const assetChange = defineFields({
  name: changed.name,
  content: { ...content, schema: Type.Optional(ItemContent) },
  parent_path: changed.parentPath,
  description,
});
export type AssetChangeBody = Static<typeof assetChange.schema>;

/** The path of an item: the rest of the URL. */
export const PathParams = Type.Object({
  '*': Type.String({ description: 'Catalog path, percent-encoded; starts with a namespace' }),
});

/** The query parameters of reads in the project hub (docs/reference/http-catalog.md#paths). */
export const versionQuery = defineFields({ project_version: projectVersion });

/** The header that updates and deletions need (docs/reference/http-catalog.md#changing). */
export const IfMatchHeaders = Type.Object({
  'if-match': Type.Unsafe<string | undefined>({
    type: 'string',
    description: 'Current ETag of the item, as a read returns it',
    examples: ['"3"'],
  }),
});

/**
 * Maximum bytes of a body with content. The content's limit applies to its UTF-8 (docs/reference/http-api.md#limits),
 * which JSON may encode in up to six times as many bytes; one more megabyte is for the other fields.
 */
export const CONTENT_BODY_LIMIT = 6 * 15 * 1024 * 1024 + 1024 * 1024;

/** The fields that the catalog reads from a body with content. */
export const ASSET_FIELDS = {
  texts: ['parent_path', 'name', 'content', 'description'],
  byteTexts: ['content'],
};
