import { DEFAULT_CONNECTION_ID } from '../values/default-connection.ts';
import { HUB_ROOT_ID, SHARED_ROOT_ID } from '../values/roots.ts';
import type { Migration } from './migrate.ts';

/**
 * The grants (docs/reference/permissions.md#levels). The subject of a grant is a user, a group, or everyone when both
 * are NULL. Its target is an item of the catalog with everything below it, or a connection. A grant is deleted with its
 * subject and its target. For a restricted item and the items below it, grants above it do not count.
 */
const TABLES = `
  ALTER TABLE catalog_items ADD COLUMN restricted INTEGER NOT NULL DEFAULT 0 CHECK (restricted IN (0, 1));
  CREATE INDEX catalog_items_restricted ON catalog_items (id) WHERE restricted = 1;

  CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
    group_id TEXT REFERENCES groups (id) ON DELETE CASCADE,
    item_id TEXT REFERENCES catalog_items (id) ON DELETE CASCADE,
    connection_id TEXT REFERENCES connections (id) ON DELETE CASCADE,
    level TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CHECK (user_id IS NULL OR group_id IS NULL),
    CHECK ((item_id IS NULL) <> (connection_id IS NULL)),
    CHECK (level IN (iif(item_id IS NULL, 'USE', 'VIEW'), iif(item_id IS NULL, 'USE', 'EDIT'), 'MANAGE'))
  ) STRICT, WITHOUT ROWID;

  CREATE UNIQUE INDEX grants_by_target ON grants
    (coalesce(item_id, connection_id), coalesce(user_id, group_id, 'everyone'));
  CREATE INDEX grants_by_item ON grants (item_id);
  CREATE INDEX grants_by_connection ON grants (connection_id);
  CREATE INDEX grants_by_user ON grants (user_id);
  CREATE INDEX grants_by_group ON grants (group_id);
`;

const INSERT_ITEM = `INSERT INTO grants (id, item_id, level, created_at) VALUES (?, ?, 'EDIT', ?)`;
const INSERT_CONNECTION = `INSERT INTO grants (id, connection_id, level, created_at) VALUES (?, ?, 'USE', ?)`;

/** The creator of a connection manages it; the first grant has the id of the connection. */
const INSERT_CREATORS = `
  INSERT INTO grants (id, user_id, connection_id, level, created_at)
  SELECT id, creator_id, id, 'MANAGE', ? FROM connections WHERE creator_id IS NOT NULL
`;

/** The creator of each item directly below the project hub gets MANAGE on it. */
const INSERT_PROJECTS = `
  INSERT INTO grants (id, user_id, item_id, level, created_at)
  SELECT id, creator_id, id, 'MANAGE', ? FROM catalog_items WHERE parent_id = ? AND creator_id IS NOT NULL
`;

/** Schema version 4: everyone gets EDIT on `@Shared` and USE on `duckdb`. */
export const grants: Migration = {
  version: 4,
  name: 'grants',
  up: ({ now, script, run }) => {
    script(TABLES);
    run(INSERT_ITEM, SHARED_ROOT_ID, SHARED_ROOT_ID, now);
    run(INSERT_CONNECTION, DEFAULT_CONNECTION_ID, DEFAULT_CONNECTION_ID, now);
    run(INSERT_CREATORS, now);
    run(INSERT_PROJECTS, now, HUB_ROOT_ID);
  },
};
