import { present } from '../../invariants/must.ts';
import type { Database } from '../../store/database.ts';
import { foldCase } from '../../store/values/fold-case.ts';
import { type Condition, toContained, toWhere } from '../../store/values/where.ts';
import { listMatches } from './user-filter.ts';
import type { AccountOrigin } from './users.ts';

/** A stored group; times are ISO 8601, UTC. */
export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  /** Set by a provisioning service. */
  readonly description: string;
  /** The id that a provisioning service uses for the group; null if none. */
  readonly external_id: string | null;
  /** 1 for a group that is managed elsewhere, according to its provisioning service. */
  readonly external: number;
  readonly origin: AccountOrigin;
  /** Increases with each change. */
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A filter of groups; a group must meet all conditions. */
export interface GroupCondition {
  readonly id?: string;
  /** Without regard to case. */
  readonly name?: string;
  readonly externalId?: string;
  /** The id of a member. */
  readonly member?: string;
  /** A part of the name or the display name, without regard to case. */
  readonly q?: string | undefined;
  readonly source?: AccountOrigin | undefined;
  /** Only groups after this name, by name. */
  readonly after?: string | undefined;
}

/** A page of the members of a group. */
export interface MemberPage {
  /** A part of the user name, the e-mail address or the display name, without regard to case. */
  readonly q?: string | undefined;
  /** Only members after this user name, by user name. */
  readonly after?: string | undefined;
  /** -1: all. */
  readonly limit: number;
}

/** A member as returned. */
export interface MemberRow {
  readonly id: string;
  readonly user_name: string;
  readonly display_name: string;
}

/** A member with the sources that have added the user, separated by commas. */
export interface ListedMemberRow {
  readonly user_name: string;
  readonly display_name: string;
  readonly active: number;
  readonly sources: string;
}

/** A group that a user belongs to. */
export interface MembershipRow {
  readonly user_id: string;
  readonly id: string;
  readonly name: string;
}

/** The rows of groups and their members: the only place with their SQL. Callers hold the transaction. */
export type GroupStore = ReturnType<typeof createGroupStore>;

const COLUMNS =
  'id, name, display_name, description, external_id, external, origin, revision, created_at, updated_at';

const SELECT = `SELECT ${COLUMNS} FROM groups`;

const INSERT = `INSERT INTO groups (${COLUMNS}, name_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const UPDATE = `
  UPDATE groups SET name = ?, name_key = ?, display_name = ?, description = ?, external_id = ?, external = ?, revision = ?, updated_at = ?
  WHERE id = ?
`;

/** The groups of an open database. */
export function createGroupStore(database: Database) {
  const { statement } = database;
  const rows = statement<GroupRow>;
  return {
    list: () => rows(`${SELECT} ORDER BY name_key`).all(),
    findById: (id: string) => rows(`${SELECT} WHERE id = ?`).get(id),
    findByName: (name: string) => rows(`${SELECT} WHERE name_key = ?`).get(foldCase(name)),
    /** At most `limit` groups, by name. */
    search: (condition: GroupCondition, limit: number) => {
      const { text, values } = toWhere(listConditions(condition));
      return rows(`${SELECT} ${text} ORDER BY name_key LIMIT ?`).all(...values, limit);
    },
    /** At most `limit` groups from `offset` on, in the order of creation. */
    listPage: (condition: GroupCondition, offset: number, limit: number) => {
      const { text, values } = toWhere(listConditions(condition));
      return rows(`${SELECT} ${text} ORDER BY created_at, id LIMIT ? OFFSET ?`).all(...values, limit, offset);
    },
    count: (condition: GroupCondition = {}) => {
      const { text, values } = toWhere(listConditions(condition));
      return present(statement<{ n: number }>(`SELECT count(*) AS n FROM groups ${text}`).get(...values)).n;
    },
    insert: (row: GroupRow): void => {
      const { id, name, display_name, description, external_id, external } = row;
      const { origin, revision, created_at, updated_at } = row;
      const values = [description, external_id, external, origin, revision, created_at, updated_at];
      rows(INSERT).run(id, name, display_name, ...values, foldCase(name));
    },
    update: (row: GroupRow): void => {
      const { id, name, display_name, description, external_id, external, revision, updated_at } = row;
      const values = [description, external_id, external, revision, updated_at, id];
      rows(UPDATE).run(name, foldCase(name), display_name, ...values);
    },
    delete: (id: string): void => {
      rows('DELETE FROM groups WHERE id = ?').run(id);
    },
    ...createMemberRows(database),
  };
}

const CONTAINS = "(name_key LIKE ? ESCAPE '\\' OR fold_case(display_name) LIKE ? ESCAPE '\\')";

function listConditions(condition: GroupCondition): Condition[] {
  const { id, name, externalId, member, q = '', source, after } = condition;
  const conditions: Condition[] = [];
  if (id !== undefined) conditions.push(['id = ?', id]);
  if (name !== undefined) conditions.push(['name_key = ?', foldCase(name)]);
  if (externalId !== undefined) conditions.push(['external_id = ?', externalId]);
  if (member !== undefined)
    conditions.push(['id IN (SELECT group_id FROM group_members WHERE user_id = ?)', member]);
  if (q !== '') conditions.push([CONTAINS, toContained(q), toContained(q)]);
  if (source !== undefined) conditions.push(['origin = ?', source]);
  if (after !== undefined) conditions.push(['name_key > ?', foldCase(after)]);
  return conditions;
}

const MEMBERS = `
  SELECT id, user_name, display_name FROM users WHERE id IN (SELECT user_id FROM group_members WHERE group_id = ?)
`;

const MEMBER_USERS = 'group_members JOIN users ON users.id = user_id';

const MEMBER_PAGE = `
  SELECT users.user_name, users.display_name, users.active, group_concat(source) AS sources FROM ${MEMBER_USERS}
`;

const GROUPS_OF = `
  SELECT DISTINCT user_id, groups.id, groups.name
  FROM json_each(?) AS wanted
  CROSS JOIN group_members ON user_id = wanted.value
  JOIN groups ON groups.id = group_id
  ORDER BY groups.name_key
`;

const NAMES = `
  SELECT id, user_name, display_name FROM users WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id
`;

const ADD = `
  INSERT INTO group_members (group_id, user_id, source) SELECT ?, value, ? FROM json_each(?) WHERE true
  ON CONFLICT DO NOTHING RETURNING user_id
`;

const REMOVE = `
  DELETE FROM group_members
  WHERE group_id = ? AND source = ? AND user_id IN (SELECT value FROM json_each(?)) RETURNING user_id
`;

const RENEW_OF = `
  UPDATE groups SET revision = revision + 1, updated_at = ?
  WHERE id IN (SELECT group_id FROM group_members WHERE user_id = ?)
`;

interface UserIdRow {
  readonly user_id: string;
}

/** The memberships of groups. A user whom several sources have added counts once. */
function createMemberRows({ statement }: Database) {
  const ids = statement<UserIdRow>;
  return {
    /** In the order in which the users were created. */
    listMembers: (id: string) => statement<MemberRow>(`${MEMBERS} ORDER BY id`).all(id),
    listUserNames: (id: string) =>
      statement<MemberRow>(`${MEMBERS} ORDER BY user_name_key`)
        .all(id)
        .map((row) => row.user_name),
    /** The number of members, or of those with a text in the user name, the e-mail address or the display name. */
    countMembers: (id: string, q?: string) => {
      const matches = listMatches(q);
      const { text, values } = toWhere([['group_id = ?', id], ...matches]);
      const from = matches.length === 0 ? 'group_members' : MEMBER_USERS;
      const sql = `SELECT count(DISTINCT user_id) AS n FROM ${from} ${text}`;
      return present(statement<{ n: number }>(sql).get(...values)).n;
    },
    /** A page by user name, with the sources that have added each member. */
    listMemberPage: (id: string, { q, after = '', limit }: MemberPage) => {
      const range: Condition[] = [
        ['group_id = ?', id],
        ['user_name_key > ?', foldCase(after)],
      ];
      const { text, values } = toWhere([...range, ...listMatches(q)]);
      const sql = `${MEMBER_PAGE} ${text} GROUP BY users.id ORDER BY user_name_key LIMIT ?`;
      return statement<ListedMemberRow>(sql).all(...values, limit);
    },
    /** Whether the group has more than `most` members. */
    hasMoreThan: (id: string, max: number) => {
      const sql = 'SELECT DISTINCT user_id FROM group_members WHERE group_id = ? LIMIT 1 OFFSET ?';
      return statement(sql).get(id, max) !== undefined;
    },
    isMember: (id: string, userId: string) =>
      statement('SELECT 1 FROM group_members WHERE group_id = ? AND user_id = ? LIMIT 1').get(id, userId) !==
      undefined,
    /** The groups of these users, by name. */
    listGroupsOf: (userIds: readonly string[]) =>
      statement<MembershipRow>(GROUPS_OF).all(JSON.stringify(userIds)),
    /** The existing ones of these users. */
    listUsers: (userIds: readonly string[]) => statement<MemberRow>(NAMES).all(JSON.stringify(userIds)),
    /** The members that a source has added. */
    listIdsBy: (id: string, source: AccountOrigin) =>
      ids('SELECT user_id FROM group_members WHERE group_id = ? AND source = ?').all(id, source).map(toId),
    /** The groups that a source has added a user to. */
    listGroupIdsBy: (userId: string, source: AccountOrigin) =>
      statement<{ group_id: string }>('SELECT group_id FROM group_members WHERE user_id = ? AND source = ?')
        .all(userId, source)
        .map(({ group_id }) => group_id),
    /** Returns the users whom this source had not added before. */
    addMembers: (id: string, userIds: readonly string[], source: AccountOrigin) =>
      ids(ADD).all(id, source, JSON.stringify(userIds)).map(toId),
    /** Returns the users whom this source had added. */
    removeMembers: (id: string, userIds: readonly string[], source: AccountOrigin) =>
      ids(REMOVE).all(id, source, JSON.stringify(userIds)).map(toId),
    /** Updates the revisions of a user's groups, because their members have changed. */
    renewGroupsOf: (userId: string, now: string): void => {
      ids(RENEW_OF).run(now, userId);
    },
  };
}

function toId({ user_id }: UserIdRow): string {
  return user_id;
}
