import { listOtherSecretKeys } from '../identity/records/secret-keys.ts';
import type { SealedSecret } from '../identity/secrets/secrets.ts';
import { present } from '../invariants/must.ts';
import type { Database } from '../store/database.ts';
import type { ConnectionRecord } from './record.ts';

/** Reads and writes the rows of connections; the only code with their SQL. Callers hold the transaction. */
export interface ConnectionStore {
  /** By name, in code point order. */
  list(): ConnectionRecord[];
  /** By name, in code point order. */
  listOfKind(kind: string): ConnectionRecord[];
  findByName(name: string): ConnectionRecord | undefined;
  /** The name of an existing connection. */
  getName(id: string): string;
  count(): number;
  insert(record: ConnectionRecord): void;
  /** Updates everything except the id, the name, the creator and the time of creation. */
  update(record: ConnectionRecord): void;
  /** Deletes a connection and its secrets. */
  delete(id: string): void;
  /** The secrets of a connection, by name. */
  readSecrets(id: string): ReadonlyMap<string, SealedSecret>;
  /** Replaces the secrets of a connection. */
  writeSecrets(id: string, secrets: ReadonlyMap<string, SealedSecret>): void;
  /** The encryption keys of all other secrets of the home. */
  listOtherKeys(id: string): string[];
}

interface ConnectionRow {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly options: string;
  readonly overrides: string | null;
  readonly timeout_ms: number | null;
  readonly max_sessions: number | null;
  readonly revision: number;
  readonly creator_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

interface SecretRow {
  readonly name: string;
  readonly key_id: string;
  readonly ciphertext: string;
}

const INSERT = `
  INSERT INTO connections (kind, description, options, overrides, timeout_ms, max_sessions, revision, updated_at,
                           id, name, creator_id, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`;

const UPDATE = `
  UPDATE connections SET kind = ?, description = ?, options = ?, overrides = ?, timeout_ms = ?, max_sessions = ?,
                         revision = ?, updated_at = ?
  WHERE id = ?
`;

/** The connections of an open database. */
export function createConnectionStore(database: Database): ConnectionStore {
  return { ...createRecordRows(database), ...createSecretRows(database) };
}

type SecretStore = Pick<ConnectionStore, 'readSecrets' | 'writeSecrets' | 'listOtherKeys'>;

function createRecordRows(database: Database): Omit<ConnectionStore, keyof SecretStore> {
  const statement = database.statement<ConnectionRow>;
  const byName = database.createCache<ConnectionRecord | undefined>();
  return {
    list: () => statement('SELECT * FROM connections ORDER BY name').all().map(toRecord),
    listOfKind: (kind) =>
      statement('SELECT * FROM connections WHERE kind = ? ORDER BY name').all(kind).map(toRecord),
    findByName: (name) =>
      byName.get(name, () => {
        const row = statement('SELECT * FROM connections WHERE name = ?').get(name);
        return row && toRecord(row);
      }),
    getName: (id) =>
      present(database.statement<{ name: string }>('SELECT name FROM connections WHERE id = ?').get(id)).name,
    count: () => present(database.statement<{ n: number }>('SELECT count(*) AS n FROM connections').get()).n,
    insert: (record) => {
      const { id, name, creatorId, createdAt } = record;
      database.statement(INSERT).run(...toValues(record), id, name, creatorId, createdAt);
    },
    update: (record) => {
      database.statement(UPDATE).run(...toValues(record), record.id);
    },
    delete: (id) => {
      database.statement('DELETE FROM connections WHERE id = ?').run(id);
    },
  };
}

function createSecretRows(database: Database): SecretStore {
  const rows = (id: string) =>
    database
      .statement<SecretRow>(
        'SELECT name, key_id, ciphertext FROM connection_secrets WHERE connection_id = ? ORDER BY name',
      )
      .all(id);
  return {
    readSecrets: (id) =>
      new Map(rows(id).map((row) => [row.name, { keyId: row.key_id, ciphertext: row.ciphertext }])),
    writeSecrets: (id, secrets) => {
      database.statement('DELETE FROM connection_secrets WHERE connection_id = ?').run(id);
      const insertion = database.statement('INSERT INTO connection_secrets VALUES (?, ?, ?, ?)');
      for (const [name, { keyId, ciphertext }] of secrets) insertion.run(id, name, keyId, ciphertext);
    },
    listOtherKeys: (id) => listOtherSecretKeys(database, id),
  };
}

function toValues(record: ConnectionRecord): (string | number | null)[] {
  const { kind, description, options, overrides, timeoutMs, maxSessions, revision, updatedAt } = record;
  return [
    kind,
    description,
    JSON.stringify(options),
    overrides === null ? null : JSON.stringify(overrides),
    timeoutMs,
    maxSessions,
    revision,
    updatedAt,
  ];
}

function toRecord(row: ConnectionRow): ConnectionRecord {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    description: row.description,
    options: JSON.parse(row.options),
    overrides: row.overrides === null ? null : JSON.parse(row.overrides),
    timeoutMs: row.timeout_ms,
    maxSessions: row.max_sessions,
    revision: row.revision,
    creatorId: row.creator_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
