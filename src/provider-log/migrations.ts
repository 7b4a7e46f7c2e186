import type { Migration } from '../store/migrations/migrate.ts';

/**
 * What identity providers have sent. `bucket` is null for a request with a valid token or signature; else it names the
 * hour and the network, and the row counts all such requests. Ids are ordered by time.
 */
const TABLES = `
  CREATE TABLE scim_requests (
    id TEXT PRIMARY KEY,
    bucket TEXT UNIQUE,
    at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    count INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    token TEXT,
    token_name TEXT,
    address TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER NOT NULL,
    scim_type TEXT,
    detail TEXT,
    duration_ms INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    is_cut INTEGER NOT NULL,
    body TEXT
  ) STRICT;
  CREATE INDEX scim_requests_with_token ON scim_requests (id) WHERE bucket IS NULL;

  CREATE TABLE sso_failures (
    id TEXT PRIMARY KEY,
    reference TEXT NOT NULL UNIQUE,
    bucket TEXT UNIQUE,
    at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    count INTEGER NOT NULL,
    provider TEXT NOT NULL,
    failed_check TEXT NOT NULL,
    detail TEXT NOT NULL,
    address TEXT NOT NULL,
    name_id TEXT,
    email TEXT
  ) STRICT;
  CREATE INDEX sso_failures_signed ON sso_failures (id) WHERE bucket IS NULL;
  CREATE INDEX sso_failures_by_time ON sso_failures (last_at);
`;

/** The schema of the log of identity providers. */
export const providerLogMigrations: readonly Migration[] = [
  { version: 1, name: 'provider-log', up: ({ script }) => script(TABLES) },
];
