import type { Migration } from './migrate.ts';

/**
 * Sessions of the console, failed sign-ins, and the audit log. A session is stored with the SHA-256 of its cookie
 * value. `turned_away` is 1 when an attempt was refused since the last failure. The audit log contains names and
 * refers to no rows, so that it stays when its subjects are deleted. Its rows cannot be changed or removed.
 */
const TABLES = `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash TEXT NOT NULL UNIQUE,
    csrf_token TEXT NOT NULL,
    created_at TEXT NOT NULL,
    used_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX sessions_by_user ON sessions (user_id);

  CREATE TABLE sign_in_failures (
    key TEXT PRIMARY KEY,
    failures INTEGER NOT NULL CHECK (failures > 0),
    failed_at TEXT NOT NULL,
    turned_away INTEGER NOT NULL DEFAULT 0 CHECK (turned_away IN (0, 1))
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX sign_in_failures_by_time ON sign_in_failures (failed_at);

  CREATE TABLE audit_log (
    id TEXT PRIMARY KEY,
    at TEXT NOT NULL,
    actor TEXT,
    actor_id TEXT,
    token_id TEXT,
    action TEXT NOT NULL,
    object TEXT,
    result TEXT NOT NULL CHECK (result IN ('done', 'refused')),
    address TEXT,
    request_id TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER audit_log_keeps_rows BEFORE DELETE ON audit_log
    BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;
  CREATE TRIGGER audit_log_keeps_values BEFORE UPDATE ON audit_log
    BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;
`;

/** Schema version 5. */
export const sessionsAndAudit: Migration = {
  version: 5,
  name: 'sessions and audit',
  up: ({ script }) => script(TABLES),
};
