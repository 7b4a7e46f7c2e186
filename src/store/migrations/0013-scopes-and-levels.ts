import { DEFAULT_CONNECTION_ID } from '../values/default-connection.ts';
import type { Migration } from './migrate.ts';

/**
 * The scope of a token in place of the switch `read_only` (docs/reference/tokens.md#scopes), and the level READ on
 * connections (docs/reference/permissions.md#connections). The table of grants is made again, because SQLite cannot
 * change a check.
 */
const TABLES = `
  ALTER TABLE tokens ADD COLUMN scope TEXT NOT NULL DEFAULT 'all'
    CHECK (scope IN ('read', 'query', 'write', 'scim', 'all'));
  UPDATE tokens SET scope = 'read' WHERE read_only = 1;
  ALTER TABLE tokens DROP COLUMN read_only;

  CREATE TABLE new_grants (
    id TEXT PRIMARY KEY,
    user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
    group_id TEXT REFERENCES groups (id) ON DELETE CASCADE,
    item_id TEXT REFERENCES catalog_items (id) ON DELETE CASCADE,
    connection_id TEXT REFERENCES connections (id) ON DELETE CASCADE,
    level TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CHECK (user_id IS NULL OR group_id IS NULL),
    CHECK ((item_id IS NULL) <> (connection_id IS NULL)),
    CHECK (level IN (iif(item_id IS NULL, 'READ', 'VIEW'), iif(item_id IS NULL, 'USE', 'EDIT'), 'MANAGE'))
  ) STRICT, WITHOUT ROWID;
  INSERT INTO new_grants (id, user_id, group_id, item_id, connection_id, level, created_at)
    SELECT id, user_id, group_id, item_id, connection_id, level, created_at FROM grants;
  DROP TABLE grants;
  ALTER TABLE new_grants RENAME TO grants;

  CREATE UNIQUE INDEX grants_by_target ON grants
    (coalesce(item_id, connection_id), coalesce(user_id, group_id, 'everyone'));
  CREATE INDEX grants_by_item ON grants (item_id);
  CREATE INDEX grants_by_connection ON grants (connection_id);
  CREATE INDEX grants_by_user ON grants (user_id);
  CREATE INDEX grants_by_group ON grants (group_id);
`;

const LOWER = `
  UPDATE grants SET level = 'READ' WHERE connection_id = ? AND user_id IS NULL AND group_id IS NULL
`;

/** Schema version 13. In a new home, everyone has READ on `duckdb`; an existing one keeps its grants. */
export const scopesAndLevels: Migration = {
  version: 13,
  name: 'scopes and levels',
  up: ({ isNew, script, run }) => {
    script(TABLES);
    if (isNew) run(LOWER, DEFAULT_CONNECTION_ID);
  },
};
