import type { Migration } from './migrate.ts';

/** The schema version that keeps former contents of assets. */
export const HISTORY_VERSION = 11;

/**
 * One row for each accepted content of an asset; the one with the highest revision is the current content, whose text is
 * in `catalog_contents` or `catalog_long_contents`. A former text moves to `catalog_former_contents`; a long one keeps its
 * parts, which then belong to the row of the history. Users have no foreign key, because the history names deleted users.
 */
const TABLES = `
  CREATE TABLE catalog_history (
    id INTEGER PRIMARY KEY,
    item_id TEXT NOT NULL REFERENCES catalog_items (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL CHECK (revision > 0),
    ordinal INTEGER NOT NULL CHECK (ordinal > 0),
    created_at TEXT NOT NULL,
    user_id TEXT,
    user_name TEXT,
    action TEXT,
    source TEXT,
    restored_from INTEGER,
    bytes INTEGER NOT NULL CHECK (bytes >= 0),
    sha256 TEXT,
    purged_at TEXT,
    purged_by TEXT,
    UNIQUE (item_id, revision)
  ) STRICT;

  CREATE TABLE catalog_former_contents (
    history_id INTEGER PRIMARY KEY REFERENCES catalog_history (id) ON DELETE CASCADE,
    content TEXT NOT NULL
  ) STRICT;

  ALTER TABLE catalog_long_contents ADD COLUMN history_id INTEGER REFERENCES catalog_history (id) ON DELETE CASCADE;
  CREATE UNIQUE INDEX catalog_long_contents_by_history ON catalog_long_contents (history_id);
`;

/** Contents of earlier versions start the history of their assets; who wrote them is unknown. */
const START = `
  INSERT INTO catalog_history (item_id, revision, ordinal, created_at, bytes)
  SELECT item.id, item.revision, 1, item.updated_at, coalesce(octet_length(text.content), long.bytes)
  FROM catalog_items AS item
    LEFT JOIN catalog_contents AS text ON text.item_id = item.id
    LEFT JOIN catalog_long_contents AS long ON long.item_id = item.id
  WHERE text.item_id IS NOT NULL OR long.item_id IS NOT NULL
`;

/** Schema version 11. */
export const catalogHistory: Migration = {
  version: HISTORY_VERSION,
  name: 'catalog history',
  up: ({ script, run }) => {
    script(TABLES);
    run(START);
  },
};
