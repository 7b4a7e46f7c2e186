import type { Migration } from './migrate.ts';

/** The schema version that introduces one counter for the revisions of all items. */
export const REVISIONS_VERSION = 7;

/** The distance between the counter and the highest known revision, when higher ones may have been used. */
export const REVISION_MARGIN = 1_000_000;

/** No two states of the catalog share a revision. The only row contains the last used revision. */
const TABLE = `
  CREATE TABLE catalog_revisions (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last INTEGER NOT NULL CHECK (last > 0)
  ) STRICT;
`;

/**
 * Before this version each item counted its own revisions, and a deleted item may have had a high one. A catalog with
 * only the two namespaces is new and has used no revision.
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
