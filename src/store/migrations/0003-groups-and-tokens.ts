import type { Migration } from './migrate.ts';

/**
 * Groups, personal access tokens, and the role of a user. A role is stored as it was given, known or not.
 * `super_user` alone makes a user an administrator, so an administrator has no stored role. The key of a group's name
 * contains the name folded to one case. `source` is the source of a membership: `local` is this home. Of a token,
 * only its SHA-256 and what distinguishes it for people are stored. A token stays when its creator is deleted, and is
 * deleted with its owner.
 */
const TABLES = `
  ALTER TABLE users ADD COLUMN role TEXT;

  CREATE TABLE groups (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE group_members (
    group_id TEXT NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    source TEXT NOT NULL DEFAULT 'local',
    PRIMARY KEY (group_id, user_id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX group_members_by_user ON group_members (user_id);

  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    creator_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    first8 TEXT NOT NULL,
    last4 TEXT NOT NULL,
    read_only INTEGER NOT NULL CHECK (read_only IN (0, 1)),
    expires_at TEXT,
    last_used_at TEXT,
    created_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE UNIQUE INDEX tokens_by_owner ON tokens (owner_id, name);
  CREATE INDEX tokens_by_creator ON tokens (creator_id);
`;

/** Schema version 3. */
export const groupsAndTokens: Migration = {
  version: 3,
  name: 'groups and tokens',
  up: ({ script }) => script(TABLES),
};
