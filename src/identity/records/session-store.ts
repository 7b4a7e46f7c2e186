import type { Database } from '../../store/database.ts';

/** How a session was started: with a password, by an identity provider, or with a secret of `quern ui`. */
export const SIGN_IN_METHODS = ['password', 'sso', 'ui'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** A stored session; times are ISO 8601, UTC. */
export interface SessionRecord {
  readonly id: string;
  readonly userId: string;
  readonly csrfToken: string;
  readonly createdAt: string;
  readonly usedAt: string;
  readonly expiresAt: string;
  /** Null if it was not recorded. */
  readonly method: SignInMethod | null;
  /** The `User-Agent` of the browser; null if it is unknown. */
  readonly userAgent: string | null;
  /** The client's address at the last recorded use; null if unknown. */
  readonly address: string | null;
}

/** The rows of sessions: the only place with their SQL. Callers hold the transaction. */
export interface SessionStore {
  findByHash(hash: string): SessionRecord | undefined;
  insert(record: SessionRecord, hash: string): void;
  /** A user's sessions, the last used first. */
  listOf(userId: string): SessionRecord[];
  writeUse(id: string, at: string, address: string | null): void;
  /** Returns whether it existed. */
  delete(id: string): boolean;
  listIds(userId: string): string[];
  /** Deletes a user's sessions except one; returns the ids of the deleted ones. */
  deleteAllOf(userId: string, except: string | null): string[];
  /** Returns the number of deleted sessions. */
  deleteAll(): number;
  /** Deletes a user's sessions except the newest `limit`. */
  deleteOldest(userId: string, limit: number): void;
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
  readonly method: SignInMethod | null;
  readonly user_agent: string | null;
  readonly address: string | null;
}

const INSERT = `
  INSERT INTO sessions (id, user_id, csrf_token, created_at, used_at, expires_at, method, user_agent, address, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
    listOf: (userId) =>
      statement('SELECT * FROM sessions WHERE user_id = ? ORDER BY used_at DESC, id DESC')
        .all(userId)
        .map(toRecord),
    insert: ({ id, userId, csrfToken, createdAt, usedAt, expiresAt, method, userAgent, address }, hash) => {
      const details = [method, userAgent, address];
      statement(INSERT).run(id, userId, csrfToken, createdAt, usedAt, expiresAt, ...details, hash);
    },
    writeUse: (id, at, address) => {
      statement('UPDATE sessions SET used_at = ?, address = ? WHERE id = ?').run(at, address, id);
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
    deleteOldest: (userId, limit) => {
      statement(DELETE_OLDEST).run(userId, userId, limit);
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
    method: row.method,
    userAgent: row.user_agent,
    address: row.address,
  };
}
