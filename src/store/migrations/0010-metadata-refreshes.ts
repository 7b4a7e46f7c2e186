import type { Migration } from './migrate.ts';

/**
 * When the metadata of an identity provider were last read from their URL (identity 4), why that failed, if it did, and
 * what they say now if that is something else and waits for an administrator: JSON text.
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
