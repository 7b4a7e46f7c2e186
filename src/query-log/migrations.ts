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

/** For the last use of a connection, and its last error. */
const CONNECTIONS = `
  CREATE INDEX queries_by_connection ON queries (connection, requested_at);
  CREATE INDEX queries_by_connection_fault ON queries (connection, requested_at)
    WHERE fault IN ('unreachable', 'login', 'locked', 'full', 'quota');
`;

/** The schema of the query log. */
export const queryLogMigrations: readonly Migration[] = [
  { version: 1, name: 'queries', up: ({ script }) => script(TABLES) },
  { version: 2, name: 'connections', up: ({ script }) => script(CONNECTIONS) },
];
