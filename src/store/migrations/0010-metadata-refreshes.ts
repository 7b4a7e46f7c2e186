import type { Migration } from './migrate.ts';

/**
 * The last refresh of an identity provider's metadata from their URL (docs/reference/saml.md): its time, its error, and
 * the new metadata when they differ and wait for an administrator, as JSON text.
 */
const TABLE = `
  CREATE TABLE metadata_refreshes (
    provider TEXT PRIMARY KEY REFERENCES identity_providers (provider) ON DELETE CASCADE,
    checked_at TEXT NOT NULL,
    failure TEXT,
    pending TEXT
  ) STRICT, WITHOUT ROWID;
`;

/** Schema version 10. */
export const metadataRefreshes: Migration = {
  version: 10,
  name: 'metadata refreshes',
  up: ({ script }) => script(TABLE),
};
