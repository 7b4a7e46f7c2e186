import { elementAt, notNull } from '../../invariants/must.ts';
import type { Database } from '../../store/database.ts';
import type { PlaceFact } from '../principal/authorize.ts';
import type { GrantedLevel, Level } from '../principal/permissions.ts';

/** The subject of a grant; `name` is a user name or the name of a group. */
export type Subject =
  | { readonly kind: 'user' | 'group'; readonly id: string; readonly name: string }
  | { readonly kind: 'everyone' };

/** The target of a grant. */
export interface TargetKey {
  readonly kind: 'item' | 'connection';
  readonly id: string;
}

/** A stored grant. */
export interface Grant {
  readonly subject: Subject;
  readonly target: TargetKey;
  readonly level: GrantedLevel;
  readonly createdAt: string;
}

/** A grant or restriction on an item: `id` is the item's, `subject` the one who is granted `level`. */
export interface Fact extends PlaceFact {
  readonly id: string;
  readonly subject: Subject | null;
}

/**
 * The rows of grants and restrictions. Callers hold the transaction. Only `level-rows` and `effect-rows` have more SQL
 * about them: for the levels of many subjects, and of all users.
 */
export interface GrantStore {
  /**
   * The grants and restrictions that affect a user's rights along a chain of ids, in the order from the namespace's
   * root.
   */
  listFacts(userId: string, chain: readonly string[]): Fact[];
  /** Like `listFacts`, with those that affect the rights to each item directly below the end of the chain. */
  listFactsBelow(userId: string, chain: readonly string[]): Fact[];
  /** The grants on connections to a user, the user's groups, and everyone. */
  listConnectionGrants(userId: string): Grant[];
  /** The ids of the items on which EDIT or more is granted to a user, the user's groups, and everyone. */
  listEditTargets(userId: string): string[];
  /** All grants, or those on one target. */
  list(target?: TargetKey): Grant[];
  /** The grants that affect a subject: its grants, those of a user's groups, and those of everyone. */
  listOf(subject: Subject): Grant[];
  find(target: TargetKey, subject: Subject): Grant | undefined;
  /** Replaces the grant that the subject has on the target. */
  set(id: string, grant: Grant): void;
  delete(target: TargetKey, subject: Subject): void;
  /** Whether any subject is granted MANAGE on an item. */
  hasManager(itemId: string): boolean;
  /** Whether MANAGE on anything is granted to a user or a group directly. */
  manages(kind: 'user' | 'group', id: string): boolean;
  isRestricted(itemId: string): boolean;
  restrict(itemId: string, isRestricted: boolean): void;
  /** The ids of the items that users have restricted. */
  listRestricted(): string[];
  /** Whether an item is restricted or contains a restricted item that the user may not edit. */
  holdsClosed(userId: string, itemId: string): boolean;
}

interface FactRow {
  readonly id: string;
  readonly depth: number;
  readonly restricted: number;
  readonly level: Exclude<Level, 'NONE'> | null;
  readonly user_id: string | null;
  readonly user_name: string | null;
  readonly group_id: string | null;
  readonly group_name: string | null;
}

interface GrantRow {
  readonly user_id: string | null;
  readonly user_name: string | null;
  readonly group_id: string | null;
  readonly group_name: string | null;
  readonly item_id: string | null;
  readonly connection_id: string | null;
  readonly level: GrantedLevel;
  readonly created_at: string;
}

/** The key of a grant's subject, as `toSubjectKey` gives it. */
export const SUBJECT = `coalesce(grants.user_id, grants.group_id, 'everyone')`;
const TARGET = 'coalesce(grants.item_id, grants.connection_id)';

/** The subjects that include a user; the user's id is bound twice. */
const MINE = `
  mine (subject) AS (
    SELECT ? UNION ALL SELECT group_id FROM group_members WHERE user_id = ? UNION ALL SELECT 'everyone'
  )
`;

const NAMES = `
  LEFT JOIN users ON users.id = grants.user_id
  LEFT JOIN groups ON groups.id = grants.group_id
`;

const SUBJECT_COLUMNS = `
  grants.user_id, users.user_name, grants.group_id, groups.name AS group_name
`;

const FACT_COLUMNS = `item.id, item.restricted, grants.level, ${SUBJECT_COLUMNS}`;

const CHAIN = `
  SELECT place.key AS depth, ${FACT_COLUMNS}
  FROM json_each(?) AS place CROSS JOIN catalog_items AS item ON item.id = place.value
  LEFT JOIN grants ON grants.item_id = item.id AND ${SUBJECT} IN (SELECT subject FROM mine) ${NAMES}
  WHERE item.restricted = 1 OR grants.level IS NOT NULL
`;

const FACTS = `WITH ${MINE} ${CHAIN} ORDER BY depth`;

const FACTS_BELOW = `
  WITH ${MINE} ${CHAIN}
  UNION ALL
  SELECT ?, ${FACT_COLUMNS}
  FROM catalog_items AS item
  LEFT JOIN grants ON grants.item_id = item.id AND ${SUBJECT} IN (SELECT subject FROM mine) ${NAMES}
  WHERE item.parent_id = ? AND (item.restricted = 1 OR grants.level IS NOT NULL)
`;

const GRANTS = `
  SELECT ${SUBJECT_COLUMNS}, grants.item_id, grants.connection_id, grants.level, grants.created_at FROM grants ${NAMES}
`;

const GRANTS_OF = `
  ${GRANTS} WHERE grants.user_id = ? OR grants.group_id = ?
    OR grants.group_id IN (SELECT group_id FROM group_members WHERE user_id = ?)
    OR grants.user_id IS NULL AND grants.group_id IS NULL
`;

const SET = `
  INSERT INTO grants (id, user_id, group_id, item_id, connection_id, level, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (coalesce(item_id, connection_id), coalesce(user_id, group_id, 'everyone'))
  DO UPDATE SET level = excluded.level, created_at = excluded.created_at
`;

const CLOSED_BELOW = `
  WITH RECURSIVE ${MINE},
  closed (id) AS (
    SELECT id FROM catalog_items AS item WHERE restricted = 1 AND NOT EXISTS (
      SELECT 1 FROM grants
      WHERE item_id = item.id AND level IN ('EDIT', 'MANAGE') AND ${SUBJECT} IN (SELECT subject FROM mine)
    )
  ),
  above (id) AS (
    SELECT id FROM closed
    UNION
    SELECT item.parent_id FROM above JOIN catalog_items AS item ON item.id = above.id WHERE item.parent_id IS NOT NULL
  )
  SELECT 1 FROM above WHERE id = ?
`;

/** The grants of an open database. */
export function createGrantStore(database: Database): GrantStore {
  const key = ({ id }: TargetKey, subject: Subject) => [id, toSubjectKey(subject)];
  const one = `WHERE ${TARGET} = ? AND ${SUBJECT} = ?`;
  return {
    listFacts: (userId, chain) =>
      database.statement<FactRow>(FACTS).all(userId, userId, JSON.stringify(chain)).map(toFact),
    listFactsBelow: (userId, chain) =>
      database
        .statement<FactRow>(FACTS_BELOW)
        .all(userId, userId, JSON.stringify(chain), chain.length, elementAt(chain, -1))
        .map(toFact),
    listConnectionGrants: (userId) =>
      database
        .statement<GrantRow>(
          `WITH ${MINE} ${GRANTS} WHERE connection_id IS NOT NULL AND ${SUBJECT} IN (SELECT subject FROM mine)`,
        )
        .all(userId, userId)
        .map(toGrant),
    listEditTargets: (userId) =>
      database
        .statement<{ id: string }>(
          `WITH ${MINE} SELECT DISTINCT item_id AS id FROM grants
           WHERE item_id IS NOT NULL AND level IN ('EDIT', 'MANAGE') AND ${SUBJECT} IN (SELECT subject FROM mine)`,
        )
        .all(userId, userId)
        .map(({ id }) => id),
    list: (target) =>
      (target === undefined
        ? database.statement<GrantRow>(GRANTS).all()
        : database.statement<GrantRow>(`${GRANTS} WHERE ${TARGET} = ?`).all(target.id)
      ).map(toGrant),
    listOf: (subject) => {
      const userId = idOf(subject, 'user');
      return database.statement<GrantRow>(GRANTS_OF).all(userId, idOf(subject, 'group'), userId).map(toGrant);
    },
    find: (target, subject) => {
      const row = database.statement<GrantRow>(`${GRANTS} ${one}`).get(...key(target, subject));
      return row && toGrant(row);
    },
    set: (id, { subject, target, level, createdAt }) => {
      const subjectId = (kind: string) => idOf(subject, kind);
      const targetId = (kind: string) => (target.kind === kind ? target.id : null);
      const values = [subjectId('user'), subjectId('group'), targetId('item'), targetId('connection')];
      database.statement(SET).run(id, ...values, level, createdAt);
    },
    delete: (target, subject) => {
      database.statement(`DELETE FROM grants ${one}`).run(...key(target, subject));
    },
    ...createRestrictionRows(database),
  };
}

/** The id of a user or a group, or `everyone`. */
export function toSubjectKey(subject: Subject): string {
  return subject.kind === 'everyone' ? 'everyone' : subject.id;
}

/** The id of a subject of a kind; null for a subject of another kind. */
function idOf(subject: Subject, kind: string): string | null {
  return subject.kind === kind && subject.kind !== 'everyone' ? subject.id : null;
}

function createRestrictionRows(
  database: Database,
): Pick<
  GrantStore,
  'hasManager' | 'manages' | 'isRestricted' | 'restrict' | 'listRestricted' | 'holdsClosed'
> {
  const ids = (sql: string) => database.statement<{ id: string }>(sql);
  return {
    hasManager: (itemId) =>
      ids(`SELECT id FROM grants WHERE item_id = ? AND level = 'MANAGE'`).get(itemId) !== undefined,
    manages: (kind, id) =>
      ids(`SELECT id FROM grants WHERE ${kind}_id = ? AND level = 'MANAGE'`).get(id) !== undefined,
    isRestricted: (itemId) =>
      ids('SELECT id FROM catalog_items WHERE id = ? AND restricted = 1').get(itemId) !== undefined,
    restrict: (itemId, isRestricted) => {
      database
        .statement('UPDATE catalog_items SET restricted = ? WHERE id = ?')
        .run(Number(isRestricted), itemId);
    },
    listRestricted: () =>
      ids('SELECT id FROM catalog_items WHERE restricted = 1')
        .all()
        .map((row) => row.id),
    holdsClosed: (userId, itemId) =>
      database.statement(CLOSED_BELOW).get(userId, userId, itemId) !== undefined,
  };
}

type SubjectColumns = Pick<GrantRow, 'user_id' | 'user_name' | 'group_id' | 'group_name'>;

function toSubject({ user_id, user_name, group_id, group_name }: SubjectColumns): Subject {
  if (user_id !== null) return { kind: 'user', id: user_id, name: notNull(user_name) };
  return group_id === null
    ? { kind: 'everyone' }
    : { kind: 'group', id: group_id, name: notNull(group_name) };
}

function toFact(row: FactRow): Fact {
  const { id, depth, restricted, level } = row;
  return {
    id,
    depth,
    isRestricted: restricted === 1,
    level,
    subject: level === null ? null : toSubject(row),
  };
}

function toGrant(row: GrantRow): Grant {
  const { item_id, connection_id, level, created_at } = row;
  const target: TargetKey =
    item_id === null ? { kind: 'connection', id: notNull(connection_id) } : { kind: 'item', id: item_id };
  return { subject: toSubject(row), target, level, createdAt: created_at };
}
