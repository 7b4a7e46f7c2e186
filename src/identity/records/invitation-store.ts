import { present } from '../../invariants/must.ts';
import type { Database } from '../../store/database.ts';
import { foldCase } from '../../store/values/fold-case.ts';
import { toWhere } from '../../store/values/where.ts';
import { listMatches } from './user-filter.ts';

/** A stored invitation; times are ISO 8601, UTC. */
export interface InvitationRecord {
  readonly id: string;
  readonly userId: string;
  /** Null if the creator was deleted. */
  readonly creatorId: string | null;
  /** Whether the user was created for this invitation. */
  readonly hasMadeUser: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Which invitations a list has, by user name. */
interface InvitationFilter {
  /** A part of the user name, the e-mail address or the display name, without regard to case. */
  readonly q?: string | undefined;
  /** A user name: only invitations of users after it. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** The rows of invitations, one for each user at most: the only place with their SQL. Callers hold the transaction. */
export interface InvitationStore {
  findByHash(hash: string): InvitationRecord | undefined;
  find(id: string): InvitationRecord | undefined;
  search(filter: InvitationFilter): { readonly records: readonly InvitationRecord[]; readonly total: number };
  /** The invitation of a user, also if it has expired. */
  findOf(userId: string): InvitationRecord | undefined;
  /** Adds the invitation of a user; an earlier one must be deleted before. */
  insert(record: InvitationRecord, hash: string): void;
  /** Deletes the invitation of a user; returns the number of deleted ones. */
  deleteOf(userId: string): number;
  /** Deletes all invitations; returns their number. */
  deleteAll(): number;
}

interface InvitationRow {
  readonly id: string;
  readonly user_id: string;
  readonly creator_id: string | null;
  readonly made_user: number;
  readonly created_at: string;
  readonly expires_at: string;
}

const COLUMNS =
  'invitations.id, user_id, creator_id, made_user, invitations.created_at, invitations.expires_at FROM invitations';
const OF_USERS = 'JOIN users ON users.id = user_id';
const INSERT = `
  INSERT INTO invitations (id, user_id, creator_id, made_user, created_at, expires_at, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?)
`;

/** The invitations of an open database. */
export function createInvitationStore(database: Database): InvitationStore {
  const { statement } = database;
  const findBy = (column: string, value: string) => {
    const row = statement<InvitationRow>(`SELECT ${COLUMNS} WHERE ${column} = ?`).get(value);
    return row && toRecord(row);
  };
  return {
    findByHash: (hash) => findBy('hash', hash),
    find: (id) => findBy('id', id),
    search: ({ q, after, limit }) => {
      const conditions = listMatches(q);
      const all = toWhere(conditions);
      const next = toWhere(
        after === undefined ? conditions : [...conditions, ['user_name_key > ?', foldCase(after)]],
      );
      const count = statement<{ n: number }>(`SELECT count(*) AS n FROM invitations ${OF_USERS} ${all.text}`);
      const rows = statement<InvitationRow>(
        `SELECT ${COLUMNS} ${OF_USERS} ${next.text} ORDER BY user_name_key LIMIT ?`,
      );
      return {
        records: rows.all(...next.values, limit).map(toRecord),
        total: present(count.get(...all.values)).n,
      };
    },
    findOf: (userId) => findBy('user_id', userId),
    insert: ({ id, userId, creatorId, hasMadeUser, createdAt, expiresAt }, hash) => {
      statement(INSERT).run(id, userId, creatorId, Number(hasMadeUser), createdAt, expiresAt, hash);
    },
    deleteOf: (userId) => statement('DELETE FROM invitations WHERE user_id = ?').run(userId),
    deleteAll: () => statement('DELETE FROM invitations').run(),
  };
}

function toRecord(row: InvitationRow): InvitationRecord {
  return {
    id: row.id,
    userId: row.user_id,
    creatorId: row.creator_id,
    hasMadeUser: row.made_user === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
