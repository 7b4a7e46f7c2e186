import type { Migration } from './migrate.ts';

/** The schema version that stores long contents as parts. */
export const PARTS_VERSION = 9;

/**
 * A long content is written in several transactions. The last one sets its item; until then it has no owner, and is
 * deleted when its writer has ended. `catalog_contents` stores short contents, and the long ones of earlier versions.
 */
const TABLES = `
  CREATE TABLE catalog_long_contents (
    id TEXT PRIMARY KEY,
    item_id TEXT UNIQUE REFERENCES catalog_items (id) ON DELETE CASCADE,
    bytes INTEGER NOT NULL CHECK (bytes > 0)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE catalog_content_parts (
    content_id TEXT NOT NULL REFERENCES catalog_long_contents (id) ON DELETE CASCADE,
    part INTEGER NOT NULL CHECK (part >= 0),
    bytes BLOB NOT NULL,
    PRIMARY KEY (content_id, part)
  ) STRICT;
`;

/** Schema version 9. */
export const contentParts: Migration = {
  version: PARTS_VERSION,
  name: 'content parts',
  up: ({ script }) => script(TABLES),
};
