import { type Static, Type } from 'typebox';
import { MAX_NAME_LENGTH } from '../../errors/fields.ts';
import { defineFields } from '../fields/define-fields.ts';
import { projectVersion } from '../fields/project-version.ts';

const TYPES = [
  'REGULAR_FOLDER',
  'USER_HOME',
  'SCHEDULED_EVENTS',
  'PROJECT',
  'SQL_SCRIPT',
  'SERVICE_SCRIPT',
  'UPLOAD_TEMPLATE',
  'DATA_INSERT_TEMPLATE',
  'PROJECT_MANIFEST',
] as const;

const AssetType = Type.Enum(TYPES, { description: 'Type of the item' });
const Timestamp = Type.String({ format: 'date-time', examples: ['2026-03-01T12:00:00.000Z'] });
const Name = Type.String({ examples: ['monthly'] });
const allowedName = {
  description: `At most ${MAX_NAME_LENGTH} characters, without \`/\` and control characters`,
  maxLength: MAX_NAME_LENGTH,
  pattern: '^(?!\\.{1,2}$)[^/\\u0000-\\u001f\\u007f-\\u009f]*$',
};
const NewName = Type.String({ ...allowedName, minLength: 1 });
const ChangedName = Type.String(allowedName);
const Path = Type.String({ examples: ['@Shared/reports/monthly'] });
const parentPath = {
  description: 'Path of the parent folder; starts with `@Personal`, `@Shared` or `@Project Hub`',
};
const ParentPath = Type.String({ ...parentPath, minLength: 1 });
const ChangedParentPath = Type.String(parentPath);
const Description = Type.String();
const Content = Type.String({ description: 'Source of the script, at most 15 MB in UTF-8' });

/** A list entry; also the response of creating or updating a folder (docs/reference/http-catalog.md#items). */
export const FolderSchema = Type.Object(
  { name: Name, path: Path, type: AssetType, created_at: Timestamp, updated_at: Timestamp },
  { title: 'Folder' },
);

export type FolderResponse = Static<typeof FolderSchema>;

/** The direct children of a folder (docs/reference/http-catalog.md#reading). */
export const ListSchema = Type.Object({ data: Type.Immutable(Type.Array(FolderSchema)) }, { title: 'List' });
export type FolderListResponse = Static<typeof ListSchema>;

/** The content of a script; an empty object for other items. */
export const DataSchema = Type.Object({ content: Type.Optional(Content) });

/** The response of creating or updating an asset (docs/reference/http-catalog.md#changing). */
export const AssetSchema = Type.Object(
  { name: Name, path: Path, type: AssetType, data: DataSchema, created_at: Timestamp, updated_at: Timestamp },
  { title: 'Asset' },
);

export type AssetResponse = Static<typeof AssetSchema>;

/** A single item (docs/reference/http-catalog.md#reading). */
export const ItemSchema = Type.Object(
  {
    name: Name,
    description: Description,
    path: Path,
    type: AssetType,
    data: DataSchema,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Item' },
);

export type ItemResponse = Static<typeof ItemSchema>;

/** The body of `POST /catalog/folders` (docs/reference/http-catalog.md#creating). */
export const NewFolderSchema = Type.Object({
  parent_path: ParentPath,
  name: NewName,
  folder_type: Type.Optional(Type.Enum(['REGULAR', 'PROJECT'], { description: 'Defaults to REGULAR' })),
  description: Type.Optional(Description),
});
export type NewFolderBody = Static<typeof NewFolderSchema>;

/** The body of `POST /catalog/assets` (docs/reference/http-catalog.md#creating). */
export const NewAssetSchema = Type.Object({
  parent_path: ParentPath,
  name: NewName,
  content: Content,
  description: Type.Optional(Description),
});
export type NewAssetBody = Static<typeof NewAssetSchema>;

/** The body of `PUT /catalog/folders/{path}` (docs/reference/http-catalog.md#changing). */
export const FolderChangeSchema = Type.Object({
  name: Type.Optional(ChangedName),
  parent_path: Type.Optional(ChangedParentPath),
  description: Type.Optional(Description),
});

/** The body of `PUT /catalog/assets/{path}` (docs/reference/http-catalog.md#changing). */
export const AssetChangeSchema = Type.Object({
  name: Type.Optional(ChangedName),
  content: Type.Optional(Content),
  parent_path: Type.Optional(ChangedParentPath),
  description: Type.Optional(Description),
});
export type AssetChangeBody = Static<typeof AssetChangeSchema>;

/** The path of an item: the rest of the URL. */
export const PathParams = Type.Object({
  '*': Type.String({ description: 'Catalog path, percent-encoded; starts with a namespace' }),
});

/** The query parameters of reads in the project hub (docs/reference/http-catalog.md#paths). */
export const readQuery = defineFields({ project_version: projectVersion });

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
