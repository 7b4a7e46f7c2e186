import type { Migration } from '../../src/store/migrate.ts';

/** A schema version 2, as a later version of the product may bring. */
export const addColour: Migration = {
  version: 2,
  name: 'colours',
  up: ({ script, run, now }) => {
    script('CREATE TABLE colours (name TEXT NOT NULL, since TEXT NOT NULL) STRICT');
    run('INSERT INTO colours VALUES (?, ?)', 'red', now);
  },
};
