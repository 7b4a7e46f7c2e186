import type { Database } from '../../store/database.ts';

/** A stored session; times are ISO 8601, UTC. */
export interface SessionRecord {
  readonly id: string;
  readonly userId: string;
  readonly csrfToken: string;
  readonly createdAt: string;
  readonly usedAt: string;
  readonly expiresAt: string;
}

/** The rows of sessions: the only place with their SQL. Callers hold the transaction. */
export interface SessionStore {
  findByHash(hash: string): SessionRecord | undefined;
  insert(record: SessionRecord, hash: string): void;
  writeUse(id: string, at: string): void;
  /** Returns whether it existed. */
  delete(id: string): boolean;
  listIds(userId: string): string[];
  /** Deletes a user's sessions except one; returns the ids of the deleted ones. */
  deleteAllOf(userId: string, except: string | null): string[];
  /** Returns the number of deleted sessions. */
  deleteAll(): number;
  /** Deletes a user's sessions except the newest `kept`. */
  deleteOldest(userId: string, kept: number): void;
  /** Deletes sessions that expire by `now` or have not been used since `idleSince`. */
  deleteEnded(now: string, idleSince: string): void;
}

interface SessionRow {
  readonly id: string;
  readonly user_id: string;
  readonly csrf_token: string;
  readonly created_at: string;
  readonly used_at: string;
  readonly expires_at: string;
}

const INSERT = `
  INSERT INTO sessions (id, user_id, csrf_token, created_at, used_at, expires_at, hash) VALUES (?, ?, ?, ?, ?, ?, ?)
`;

const DELETE_OLDEST = `
  DELETE FROM sessions
  WHERE user_id = ? AND id NOT IN (SELECT id FROM sessions WHERE user_id = ? ORDER BY id DESC LIMIT ?)
`;

/** The sessions of an open database. */
export function createSessionStore(database: Database): SessionStore {
  const statement = database.statement<SessionRow>;
  return {
    findByHash: (hash) => {
      const row = statement('SELECT * FROM sessions WHERE hash = ?').get(hash);
      return row && toRecord(row);
    },
    insert: ({ id, userId, csrfToken, createdAt, usedAt, expiresAt }, hash) => {
      statement(INSERT).run(id, userId, csrfToken, createdAt, usedAt, expiresAt, hash);
    },
    writeUse: (id, at) => {
      statement('UPDATE sessions SET used_at = ? WHERE id = ?').run(at, id);
    },
    delete: (id) => statement('DELETE FROM sessions WHERE id = ?').run(id) === 1,
    listIds: (userId) =>
      statement('SELECT id FROM sessions WHERE user_id = ?')
        .all(userId)
        .map(({ id }) => id),
    deleteAllOf: (userId, except) =>
      statement('DELETE FROM sessions WHERE user_id = ? AND id IS NOT ? RETURNING id')
        .all(userId, except)
        .map(({ id }) => id),
    deleteAll: () => statement('DELETE FROM sessions').run(),
    deleteOldest: (userId, kept) => {
      statement(DELETE_OLDEST).run(userId, userId, kept);
    },
    deleteEnded: (now, idleSince) => {
      statement('DELETE FROM sessions WHERE expires_at <= ? OR used_at <= ?').run(now, idleSince);
    },
  };
}

function toRecord(row: SessionRow): SessionRecord {
  return {
    id: row.id,
    userId: row.user_id,
    csrfToken: row.csrf_token,
    createdAt: row.created_at,
    usedAt: row.used_at,
    expiresAt: row.expires_at,
  };
}
