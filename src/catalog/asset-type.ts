/**
 * The kind of each type (docs/reference/http-catalog.md#items): a folder, a text, or data that only the type's owner
 * reads.
 */
export const ASSET_KINDS = {
  REGULAR_FOLDER: 'folder',
  USER_HOME: 'folder',
  SCHEDULED_EVENTS: 'other',
  PROJECT: 'folder',
  SQL_SCRIPT: 'text',
  SERVICE_SCRIPT: 'text',
  UPLOAD_TEMPLATE: 'other',
  DATA_INSERT_TEMPLATE: 'other',
  PROJECT_MANIFEST: 'text',
} as const;

/** The values of `type` (docs/reference/http-catalog.md#items). */
export type AssetType = keyof typeof ASSET_KINDS;
