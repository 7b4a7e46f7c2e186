import type { Migration } from './migrate.ts';

/** The schema version with the bin of the catalog. */
export const BIN_VERSION = 17;

/**
 * The bin of the catalog (docs/reference/bin.md): one row for each deleted item, which is a root without
 * a name that keeps its contents, its history, its grants and everything below it. The folder of the item and the users
 * have no foreign key, because they may be deleted before the row. Sizes are null until the items have been counted.
 */
const TABLE = `
  CREATE TABLE catalog_deleted (
    id TEXT PRIMARY KEY,
    item_id TEXT NOT NULL UNIQUE REFERENCES catalog_items (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    parent_id TEXT NOT NULL,
    owner_id TEXT,
    path TEXT NOT NULL,
    items INTEGER CHECK (items > 0),
    bytes INTEGER CHECK (bytes >= 0),
    deleted_at TEXT NOT NULL,
    user_id TEXT NOT NULL,
    user_name TEXT NOT NULL,
    CHECK ((items IS NULL) = (bytes IS NULL))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX catalog_deleted_by_owner ON catalog_deleted (owner_id);
`;

/** Schema version 17. */
export const deletedItems: Migration = {
  version: BIN_VERSION,
  name: 'deleted items',
  up: ({ script }) => script(TABLE),
};
