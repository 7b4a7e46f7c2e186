import type { Migration } from '../store/migrations/migrate.ts';

/**
 * The executed queries and their users. Rows are ordered by request time and refer to no other table. `text` is the
 * last column, so that searches do not read it.
 */
const TABLES = `
  CREATE TABLE queries (
    requested_at TEXT NOT NULL,
    id TEXT NOT NULL,
    user TEXT NOT NULL,
    user_id TEXT NOT NULL,
    token_id TEXT,
    connection TEXT,
    name TEXT NOT NULL,
    started_at TEXT,
    ended_at TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    rows INTEGER,
    bytes INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    fault TEXT,
    address TEXT,
    request_id TEXT,
    hash TEXT,
    text TEXT,
    PRIMARY KEY (requested_at, id)
  ) STRICT, WITHOUT ROWID;

  CREATE UNIQUE INDEX queries_by_id ON queries (id);
`;

/** The schema of the query log. */
export const queryLogMigrations: readonly Migration[] = [
  { version: 1, name: 'queries', up: ({ script }) => script(TABLES) },
];
