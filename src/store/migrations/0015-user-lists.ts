import type { Migration } from './migrate.ts';

/**
 * What lists of users are searched by: the display name, folded to one case, and whether the account waits for an
 * administrator who enables it (docs/reference/accounts.md#states). Accounts that a sign-in has created disabled, and that
 * stayed unchanged since, wait.
 */
const COLUMNS = `
  ALTER TABLE users ADD COLUMN display_name_key TEXT NOT NULL DEFAULT '';
  ALTER TABLE users ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0 CHECK (waiting IN (0, 1));
  UPDATE users SET display_name_key = fold_case(display_name);
  UPDATE users SET waiting = 1 WHERE origin = 'saml' AND active = 0 AND revision = 1;
  CREATE INDEX users_waiting ON users (user_name_key) WHERE waiting = 1;
`;

/** Schema version 15. */
export const userLists: Migration = {
  version: 15,
  name: 'user lists',
  up: ({ script }) => script(COLUMNS),
};
