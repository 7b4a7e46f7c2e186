import type { Migration } from './migrate.ts';

/**
 * How a session was started, and the browser: its `User-Agent`, and the address of its last recorded use. All are null
 * for sessions that were started before.
 */
const COLUMNS = `
  ALTER TABLE sessions ADD COLUMN method TEXT CHECK (method IN ('password', 'sso', 'ui'));
  ALTER TABLE sessions ADD COLUMN user_agent TEXT;
  ALTER TABLE sessions ADD COLUMN address TEXT;
`;

/** Schema version 12. */
export const sessionDetails: Migration = {
  version: 12,
  name: 'session details',
  up: ({ script }) => script(COLUMNS),
};
