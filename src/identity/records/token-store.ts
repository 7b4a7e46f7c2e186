import { present } from '../../invariants/must.ts';
import type { Database } from '../../store/database.ts';
import { type Condition, toContained, toWhere } from '../../store/values/where.ts';
import type { TokenScope } from '../principal/scopes.ts';
import type { Acting, User } from './users.ts';

/** A stored token; times are ISO 8601, UTC. */
export interface TokenRecord {
  readonly id: string;
  readonly ownerId: string;
  /** Null when that user was deleted. */
  readonly creatorId: string | null;
  readonly name: string;
  readonly description: string;
  readonly first8: string;
  readonly last4: string;
  readonly scope: TokenScope;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
}

/** The properties of a token that a request with it needs. */
interface ActingToken extends Pick<TokenRecord, 'id' | 'scope' | 'expiresAt' | 'lastUsedAt'> {
  readonly owner: Omit<Acting, 'effectiveRole'> & Pick<User, 'role'>;
}

/** A filter of tokens; a token must meet all conditions. */
export interface TokenFilter {
  readonly ownerId?: string | undefined;
  /** A part of the name, the description or the user name of the owner, without regard to case. */
  readonly q?: string | undefined;
  /** Only tokens without a request since this time, in the stored format. */
  readonly unusedSince?: string | undefined;
  /** Only tokens that expire before this time. */
  readonly expiresBefore?: string | undefined;
}

/** A page of tokens, after the token with an id. */
export interface TokenPage {
  readonly after?: string | undefined;
  /** -1: all. */
  readonly limit: number;
}

/** The rows of tokens: the only place with their SQL. Callers hold the transaction. */
export interface TokenStore {
  /** By name, in code point order. */
  listOf(ownerId: string): TokenRecord[];
  /** The tokens that a filter selects, by owner and name, after the token with an id; and how many there are. */
  search(filter: TokenFilter, page: TokenPage): { readonly records: TokenRecord[]; readonly total: number };
  has(id: string): boolean;
  findName(id: string): string | undefined;
  /** The token with this hash and its owner, in one query; also undefined when the owner is disabled. */
  findActing(hash: string): ActingToken | undefined;
  insert(record: TokenRecord, hash: string): void;
  writeLastUse(id: string, at: string): void;
  delete(id: string): void;
  /** Deletes the tokens of a user; returns their ids. */
  deleteOf(ownerId: string): string[];
  count(): number;
  deleteAll(): void;
}

interface TokenRow {
  readonly id: string;
  readonly owner_id: string;
  readonly creator_id: string | null;
  readonly name: string;
  readonly description: string;
  readonly first8: string;
  readonly last4: string;
  readonly scope: TokenScope;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly created_at: string;
}

const INSERT = `
  INSERT INTO tokens (id, owner_id, creator_id, name, description, first8, last4, scope, expires_at, last_used_at,
                      created_at, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`;

interface ActingRow extends Pick<TokenRow, 'id' | 'owner_id' | 'scope' | 'expires_at' | 'last_used_at'> {
  /** Null when the owner is disabled. */
  readonly user_name: string | null;
  readonly super_user: number;
  readonly role: string | null;
}

/**
 * Uses subqueries: SQLite compiles a join with a parameter again at each execution, which takes longer than to run it.
 */
const FIND_ACTING = `
  SELECT id, owner_id, scope, expires_at, last_used_at,
         (SELECT user_name FROM users WHERE id = owner_id AND active = 1) AS user_name,
         (SELECT super_user FROM users WHERE id = owner_id) AS super_user,
         (SELECT role FROM users WHERE id = owner_id) AS role
  FROM tokens WHERE hash = ?
`;

/** The tokens of an open database. */
export function createTokenStore(database: Database): TokenStore {
  const statement = database.statement<TokenRow>;
  const acting = database.createCache<ActingToken | undefined>();

  function findActing(hash: string): ActingToken | undefined {
    const row = database.statement<ActingRow>(FIND_ACTING).get(hash);
    return row && row.user_name !== null ? toActing(row, row.user_name) : undefined;
  }

  return {
    listOf: (ownerId) =>
      statement('SELECT * FROM tokens WHERE owner_id = ? ORDER BY name').all(ownerId).map(toRecord),
    search: (filter, { after, limit }) => {
      const conditions = listConditions(filter);
      const all = toWhere(conditions);
      const next = toWhere(after === undefined ? conditions : [...conditions, [AFTER, after]]);
      const count = database.statement<{ n: number }>(`SELECT count(*) AS n ${FROM} ${all.text}`);
      const rows = statement(`SELECT tokens.* ${FROM} ${next.text} ORDER BY ${ORDER} LIMIT ?`);
      const records = rows.all(...next.values, limit).map(toRecord);
      return { records, total: present(count.get(...all.values)).n };
    },
    findName: (id) => statement('SELECT * FROM tokens WHERE id = ?').get(id)?.name,
    has: (id) => statement('SELECT 1 FROM tokens WHERE id = ?').get(id) !== undefined,
    findActing: (hash) => acting.get(hash, () => findActing(hash)),
    insert: (record, hash) => {
      database.statement(INSERT).run(...toValues(record), hash);
    },
    writeLastUse: (id, at) => {
      database.statement('UPDATE tokens SET last_used_at = ? WHERE id = ?').run(at, id);
    },
    delete: (id) => {
      database.statement('DELETE FROM tokens WHERE id = ?').run(id);
    },
    deleteOf: (ownerId) =>
      database
        .statement<{ id: string }>('DELETE FROM tokens WHERE owner_id = ? RETURNING id')
        .all(ownerId)
        .map(({ id }) => id),
    count: () => present(database.statement<{ n: number }>('SELECT count(*) AS n FROM tokens').get()).n,
    deleteAll: () => {
      database.statement('DELETE FROM tokens').run();
    },
  };
}

const FROM = 'FROM tokens JOIN users ON users.id = owner_id';
const ORDER = 'users.user_name_key, tokens.name, tokens.id';
const AFTER = `(${ORDER}) > (SELECT ${ORDER} ${FROM} WHERE tokens.id = ?)`;
const CONTAINS = `(fold_case(tokens.name) LIKE ? ESCAPE '\\' OR fold_case(tokens.description) LIKE ? ESCAPE '\\'
  OR users.user_name_key LIKE ? ESCAPE '\\')`;

function listConditions({ ownerId, q, unusedSince, expiresBefore }: TokenFilter): readonly Condition[] {
  const conditions: Condition[] = [];
  if (ownerId !== undefined) conditions.push(['owner_id = ?', ownerId]);
  if (q !== undefined && q !== '') {
    const pattern = toContained(q);
    conditions.push([CONTAINS, pattern, pattern, pattern]);
  }
  if (unusedSince !== undefined) conditions.push(["coalesce(last_used_at, '') < ?", unusedSince]);
  if (expiresBefore !== undefined) conditions.push(['expires_at < ?', expiresBefore]);
  return conditions;
}

function toValues(record: TokenRecord): (string | number | null)[] {
  return [
    record.id,
    record.ownerId,
    record.creatorId,
    record.name,
    record.description,
    record.first8,
    record.last4,
    record.scope,
    record.expiresAt,
    record.lastUsedAt,
    record.createdAt,
  ];
}

function toActing(row: ActingRow, userName: string): ActingToken {
  return {
    id: row.id,
    scope: row.scope,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    owner: {
      id: row.owner_id,
      userName,
      superUser: row.super_user === 1,
      role: row.role,
    },
  };
}

function toRecord(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    ownerId: row.owner_id,
    creatorId: row.creator_id,
    name: row.name,
    description: row.description,
    first8: row.first8,
    last4: row.last4,
    scope: row.scope,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  };
}
