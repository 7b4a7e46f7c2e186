import { APPLICATION_ID } from '../files/check-file.ts';
import { HUB_ROOT_ID, SHARED_ROOT_ID } from '../values/roots.ts';
import type { Migration } from './migrate.ts';

/**
 * Users and the tree of the catalog. A folder is a row, and its children refer to it as their parent, so that a
 * rename writes one row. Contents have a separate table, so that listings never read them. The key columns of a
 * user's names contain the names folded to one case. A root has no parent.
 */
const TABLES = `
  CREATE TABLE users (
    id TEXT PRIMARY KEY,
    user_name TEXT NOT NULL,
    user_name_key TEXT NOT NULL UNIQUE,
    email TEXT,
    email_key TEXT UNIQUE,
    display_name TEXT NOT NULL,
    password_hash TEXT,
    super_user INTEGER NOT NULL CHECK (super_user IN (0, 1)),
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((email IS NULL) = (email_key IS NULL))
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE catalog_items (
    id TEXT PRIMARY KEY,
    parent_id TEXT REFERENCES catalog_items (id),
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    description TEXT NOT NULL,
    revision INTEGER NOT NULL CHECK (revision > 0),
    creator_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE UNIQUE INDEX catalog_items_by_name ON catalog_items (parent_id, name);
  CREATE INDEX catalog_items_by_creator ON catalog_items (creator_id);

  CREATE TABLE catalog_contents (
    item_id TEXT PRIMARY KEY REFERENCES catalog_items (id) ON DELETE CASCADE,
    content TEXT NOT NULL
  ) STRICT;
`;

const INSERT_ROOT = `
  INSERT INTO catalog_items (id, name, type, description, revision, created_at, updated_at)
  VALUES (?, ?, 'REGULAR_FOLDER', '', 1, ?, ?)
`;

/** Schema version 1. */
export const usersAndCatalog: Migration = {
  version: 1,
  name: 'users and catalog',
  up: ({ now, script, run }) => {
    script(`PRAGMA application_id = ${APPLICATION_ID}`);
    script(TABLES);
    run(INSERT_ROOT, SHARED_ROOT_ID, '@Shared', now, now);
    run(INSERT_ROOT, HUB_ROOT_ID, '@Project Hub', now, now);
  },
};
