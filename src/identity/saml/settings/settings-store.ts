import type { Database } from '../../../store/database.ts';
import type { SealedSecret } from '../../secrets/secrets.ts';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import { DEFAULT_SETTINGS, type SamlSettings } from './settings.ts';

const PROVIDER = 'saml';

/** The stored settings; times are ISO 8601, UTC. */
export interface SettingsRecord {
  readonly settings: SamlSettings;
  /** Increases with each change. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const CERTIFICATE_STATES = ['active', 'pending', 'former'] as const;
export type CertificateState = (typeof CERTIFICATE_STATES)[number];

/** A certificate of this instance, and its stored key. */
export interface CertificateRecord {
  readonly id: string;
  readonly state: CertificateState;
  /** PEM. */
  readonly certificate: string;
  readonly key: SealedSecret;
  readonly createdAt: string;
}

/** The last result of reading the metadata from its URL; times are ISO 8601, UTC. */
export interface RefreshRecord {
  readonly checkedAt: string;
  /** Why the read failed; null after a success. */
  readonly failure: string | null;
  /** The metadata that the URL now returns, if it differs from the settings. */
  readonly pending: { readonly identityProvider: IdentityProvider; readonly readAt: string } | null;
}

/**
 * The rows of the SAML settings and of the instance's certificates: the only place with their SQL. Callers hold the
 * transaction.
 */
export interface SettingsStore {
  find(): SettingsRecord | undefined;
  /** Replaces the settings. */
  write(record: SettingsRecord): void;
  /** Deletes the settings with the certificates; returns whether they existed. */
  delete(): boolean;
  /** Undefined if the metadata was never read from a URL. */
  findRefresh(): RefreshRecord | undefined;
  /** Replaces the stored result; null deletes it. */
  writeRefresh(record: RefreshRecord | null): void;
  /** The active one first. */
  listCertificates(): CertificateRecord[];
  insertCertificate(record: CertificateRecord): void;
  deleteCertificate(state: CertificateState): void;
  /** No certificate may have the state `to`. */
  moveCertificate(from: CertificateState, to: CertificateState): void;
}

interface SettingsRow {
  readonly settings: string;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
}

interface RefreshRow {
  readonly checked_at: string;
  readonly failure: string | null;
  readonly pending: string | null;
}

interface CertificateRow {
  readonly id: string;
  readonly state: CertificateState;
  readonly certificate: string;
  readonly key_id: string;
  readonly ciphertext: string;
  readonly created_at: string;
}

const WRITE = `
  INSERT INTO identity_providers (provider, settings, revision, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (provider) DO UPDATE
  SET settings = excluded.settings, revision = excluded.revision, updated_at = excluded.updated_at
`;

const WRITE_REFRESH = `
  INSERT INTO metadata_refreshes (provider, checked_at, failure, pending) VALUES (?, ?, ?, ?)
`;

const INSERT_CERTIFICATE = `
  INSERT INTO provider_certificates (id, provider, state, certificate, key_id, ciphertext, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)
`;

/** The settings in an open database. */
export function createSettingsStore(database: Database): SettingsStore {
  const { statement } = database;
  return {
    find: () => {
      const row = statement<SettingsRow>('SELECT * FROM identity_providers WHERE provider = ?').get(PROVIDER);
      return row && toRecord(row);
    },
    write: ({ settings, revision, createdAt, updatedAt }) => {
      statement(WRITE).run(PROVIDER, JSON.stringify(settings), revision, createdAt, updatedAt);
    },
    delete: () => statement('DELETE FROM identity_providers WHERE provider = ?').run(PROVIDER) === 1,
    findRefresh: () => {
      const sql = 'SELECT checked_at, failure, pending FROM metadata_refreshes WHERE provider = ?';
      const row = statement<RefreshRow>(sql).get(PROVIDER);
      return row && toRefresh(row);
    },
    writeRefresh: (record) => {
      statement('DELETE FROM metadata_refreshes WHERE provider = ?').run(PROVIDER);
      if (record === null) return;
      const { checkedAt, failure, pending } = record;
      statement(WRITE_REFRESH).run(PROVIDER, checkedAt, failure, pending && JSON.stringify(pending));
    },
    listCertificates: () =>
      statement<CertificateRow>('SELECT * FROM provider_certificates WHERE provider = ? ORDER BY state')
        .all(PROVIDER)
        .map(toCertificate),
    insertCertificate: ({ id, state, certificate, key, createdAt }) => {
      statement(INSERT_CERTIFICATE).run(
        id,
        PROVIDER,
        state,
        certificate,
        key.keyId,
        key.ciphertext,
        createdAt,
      );
    },
    deleteCertificate: (state) => {
      statement('DELETE FROM provider_certificates WHERE provider = ? AND state = ?').run(PROVIDER, state);
    },
    moveCertificate: (from, to) => {
      const sql = 'UPDATE provider_certificates SET state = ? WHERE provider = ? AND state = ?';
      statement(sql).run(to, PROVIDER, from);
    },
  };
}

function toRecord({ settings, revision, created_at, updated_at }: SettingsRow): SettingsRecord {
  // A setting that an earlier version did not store has its default.
  const known = { ...DEFAULT_SETTINGS, ...JSON.parse(settings) };
  return { settings: known, revision, createdAt: created_at, updatedAt: updated_at };
}

function toRefresh({ checked_at, failure, pending }: RefreshRow): RefreshRecord {
  return { checkedAt: checked_at, failure, pending: pending === null ? null : JSON.parse(pending) };
}

function toCertificate(row: CertificateRow): CertificateRecord {
  const { id, state, certificate, key_id: keyId, ciphertext, created_at: createdAt } = row;
  return { id, state, certificate, key: { keyId, ciphertext }, createdAt };
}
