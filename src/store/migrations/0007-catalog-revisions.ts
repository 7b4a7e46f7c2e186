import type { Migration } from './migrate.ts';

/** The schema version that counts the revisions of all items together. */
export const REVISIONS_VERSION = 7;

/** How far the counter is set above the revisions that are known when others may have been given out. */
export const REVISION_MARGIN = 1_000_000;

/** No two states of the catalog share a revision. The only row holds the last one that was given out. */
const TABLE = `
  CREATE TABLE catalog_revisions (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last INTEGER NOT NULL CHECK (last > 0)
  ) STRICT;
`;

/**
 * Before this version each item counted its own revisions, and a deleted one may have come far. A catalog with nothing
 * but the two namespaces is new and has given out none.
 */
const START = `
  INSERT INTO catalog_revisions (id, last)
  SELECT 1, max(revision) + CASE WHEN count(*) > 2 THEN ? ELSE 0 END FROM catalog_items
`;

/** Schema version 7. */
export const catalogRevisions: Migration = {
  version: REVISIONS_VERSION,
  name: 'catalog revisions',
  up: ({ script, run }) => {
    script(TABLE);
    run(START, REVISION_MARGIN);
  },
};
