import type { Migration } from './migrate.ts';

/**
 * The SCIM data of users and groups (docs/reference/scim-users.md, docs/reference/scim-groups.md). `attributes` is the
 * JSON text of the attributes without their own column. `origin` is the source that created an account or a group.
 * `revision` increases with each change, from every source. A user is a member of a group while at least one source has
 * a row for it.
 */
const TABLES = `
  ALTER TABLE users ADD COLUMN external_id TEXT;
  ALTER TABLE users ADD COLUMN external INTEGER NOT NULL DEFAULT 0 CHECK (external IN (0, 1));
  ALTER TABLE users ADD COLUMN origin TEXT NOT NULL DEFAULT 'local' CHECK (origin IN ('local', 'scim', 'saml'));
  ALTER TABLE users ADD COLUMN attributes TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE users ADD COLUMN revision INTEGER NOT NULL DEFAULT 1 CHECK (revision > 0);

  CREATE INDEX users_by_age ON users (created_at, id);
  CREATE INDEX users_in_charge ON users (created_at, id) WHERE super_user = 1;

  ALTER TABLE groups ADD COLUMN external_id TEXT;
  ALTER TABLE groups ADD COLUMN description TEXT NOT NULL DEFAULT '';
  ALTER TABLE groups ADD COLUMN external INTEGER NOT NULL DEFAULT 0 CHECK (external IN (0, 1));
  ALTER TABLE groups ADD COLUMN origin TEXT NOT NULL DEFAULT 'local' CHECK (origin IN ('local', 'scim', 'saml'));
  ALTER TABLE groups ADD COLUMN revision INTEGER NOT NULL DEFAULT 1 CHECK (revision > 0);

  CREATE INDEX groups_by_age ON groups (created_at, id);
  CREATE INDEX groups_by_external_id ON groups (external_id);

  CREATE TABLE memberships (
    group_id TEXT NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    source TEXT NOT NULL DEFAULT 'local' CHECK (source IN ('local', 'scim', 'saml')),
    PRIMARY KEY (group_id, user_id, source)
  ) STRICT, WITHOUT ROWID;

  INSERT INTO memberships (group_id, user_id, source) SELECT group_id, user_id, source FROM group_members;
  DROP TABLE group_members;
  ALTER TABLE memberships RENAME TO group_members;
  CREATE INDEX group_members_by_user ON group_members (user_id);
`;

/** Schema version 6. */
export const provisioning: Migration = {
  version: 6,
  name: 'provisioning',
  up: ({ script }) => script(TABLES),
};
