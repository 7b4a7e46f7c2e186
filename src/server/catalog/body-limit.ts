/**
 * How many bytes a body with a content may have: the content's limit is for its UTF-8 (interface 8), of which JSON may
 * make six times as much; a megabyte is for the rest.
 */
export const CONTENT_BODY_LIMIT = 6 * 15 * 1024 * 1024 + 1024 * 1024;

/** The fields of a body with a content, as the catalog reads them. */
export const ASSET_FIELDS = ['parent_path', 'name', 'content', 'description'];
