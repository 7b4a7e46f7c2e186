import type { Migration } from './migrate.ts';

/**
 * Invitations by which users set their first password (docs/reference/invitations.md): one for each user at most. Only
 * the hash of the secret is stored.
 */
const TABLE = `
  CREATE TABLE invitations (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    id TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL UNIQUE,
    creator_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    made_user INTEGER NOT NULL CHECK (made_user IN (0, 1)),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX invitations_by_creator ON invitations (creator_id);
`;

/** Schema version 16. */
export const invitations: Migration = {
  version: 16,
  name: 'invitations',
  up: ({ script }) => script(TABLE),
};
