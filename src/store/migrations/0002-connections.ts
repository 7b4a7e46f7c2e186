import { DEFAULT_CONNECTION_ID } from '../values/default-connection.ts';
import type { Migration } from './migrate.ts';

/**
 * Connections and their secrets. `options` is a JSON object of strings; `overrides` is a JSON array of keys, or NULL
 * for the default of the kind. A secret is encrypted for its connection and its name, with the master key of the
 * stored id. The default connection has no options: its file depends on the location of the home.
 */
const TABLES = `
  CREATE TABLE connections (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    description TEXT NOT NULL,
    options TEXT NOT NULL CHECK (json_type(options) = 'object'),
    overrides TEXT CHECK (json_type(overrides) = 'array'),
    timeout_ms INTEGER CHECK (timeout_ms > 0),
    max_sessions INTEGER CHECK (max_sessions > 0),
    revision INTEGER NOT NULL CHECK (revision > 0),
    creator_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX connections_by_creator ON connections (creator_id);

  CREATE TABLE connection_secrets (
    connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    key_id TEXT NOT NULL,
    ciphertext TEXT NOT NULL,
    PRIMARY KEY (connection_id, name)
  ) STRICT, WITHOUT ROWID;
`;

const INSERT_DEFAULT = `
  INSERT INTO connections (id, name, kind, description, options, revision, created_at, updated_at)
  VALUES (?, 'duckdb', 'duckdb', 'the database of this home', '{}', 1, ?, ?)
`;

/** Schema version 2. */
export const connections: Migration = {
  version: 2,
  name: 'connections',
  up: ({ now, script, run }) => {
    script(TABLES);
    run(INSERT_DEFAULT, DEFAULT_CONNECTION_ID, now, now);
  },
};
