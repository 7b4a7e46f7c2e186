import { latestVersion, type Migration } from '../../src/store/migrations/migrate.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';

/** A migration after the latest one, as a later version of Quern could have it. */
export const addColour: Migration = {
  version: latestVersion(migrations) + 1,
  name: 'colours',
  up: ({ script, run, now }) => {
    script('CREATE TABLE colours (name TEXT NOT NULL, since TEXT NOT NULL) STRICT');
    run('INSERT INTO colours VALUES (?, ?)', 'red', now);
  },
};
