import type { Migration } from './migrate.ts';

/**
 * Single sign-on (docs/reference/saml.md, docs/reference/saml-accounts.md). A provider is a way to sign in, such as
 * `saml`, and its settings are JSON text. One certificate of the home is active; a pending one can replace it, and a
 * former one is still published. An account is linked to the subject of an issuer; the key contains the subject folded
 * to one case. A sign-in request is used by its response; the cookie of the browser is stored as its SHA-256. An
 * assertion is used once. A refused sign-in with the e-mail address of a local account is stored until a new account is
 * created for the address. The data for a sign-out at the provider are deleted with the session.
 */
const TABLES = `
  CREATE TABLE identity_providers (
    provider TEXT PRIMARY KEY,
    settings TEXT NOT NULL,
    revision INTEGER NOT NULL CHECK (revision > 0),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE provider_certificates (
    id TEXT PRIMARY KEY,
    provider TEXT NOT NULL REFERENCES identity_providers (provider) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('active', 'pending', 'former')),
    certificate TEXT NOT NULL,
    key_id TEXT NOT NULL,
    ciphertext TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE UNIQUE INDEX provider_certificates_by_state ON provider_certificates (provider, state);

  CREATE TABLE linked_identities (
    provider TEXT NOT NULL,
    issuer TEXT NOT NULL,
    subject_key TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    PRIMARY KEY (provider, issuer, subject_key)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX linked_identities_by_user ON linked_identities (user_id);

  CREATE TABLE sign_in_requests (
    id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    purpose TEXT NOT NULL CHECK (purpose IN ('sign-in', 'test', 'sign-out')),
    browser_hash TEXT NOT NULL,
    return_path TEXT NOT NULL,
    test_id TEXT,
    network TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX sign_in_requests_by_expiry ON sign_in_requests (expires_at);
  CREATE INDEX sign_in_requests_by_network ON sign_in_requests (network, created_at);

  CREATE TABLE used_assertions (
    issuer TEXT NOT NULL,
    assertion_id TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (issuer, assertion_id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX used_assertions_by_expiry ON used_assertions (expires_at);

  CREATE TABLE refused_sign_ins (
    provider TEXT NOT NULL,
    email_key TEXT NOT NULL,
    refused_at TEXT NOT NULL,
    PRIMARY KEY (provider, email_key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE session_origins (
    session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE test_sign_ins (
    id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    creator_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    outcome TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX test_sign_ins_by_creator ON test_sign_ins (creator_id);
`;

/** Schema version 8. */
export const singleSignOn: Migration = {
  version: 8,
  name: 'single sign-on',
  up: ({ script }) => script(TABLES),
};
