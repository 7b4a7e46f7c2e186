import type { Migration } from './migrate.ts';

/**
 * The owners of published files (docs/reference/publishing.md#owners): the asset whose block wrote a file, and the user
 * who ran it. A path has two rows from just before its new file replaces the old one until just after; the inode tells
 * which of them is there.
 */
const TABLE = `
  CREATE TABLE published_files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    inode TEXT NOT NULL,
    asset_id TEXT REFERENCES catalog_items (id) ON DELETE SET NULL,
    user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    UNIQUE (path, inode)
  ) STRICT;
  CREATE INDEX published_files_by_inode ON published_files (inode);
  CREATE INDEX published_files_by_asset ON published_files (asset_id);
  CREATE INDEX published_files_by_user ON published_files (user_id);
`;

/** Schema version 14. */
export const publishedFiles: Migration = {
  version: 14,
  name: 'published files',
  up: ({ script }) => script(TABLE),
};
