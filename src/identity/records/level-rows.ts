import { elementAt } from '../../invariants/must.ts';
import type { Database } from '../../store/database.ts';
import { HUB_ROOT_ID, SHARED_ROOT_ID } from '../../store/values/roots.ts';
import type { SqlValue } from '../../store/values/statements.ts';
import { type Condition, toWhere } from '../../store/values/where.ts';
import { GRANTED_LEVELS, type GrantedLevel } from '../principal/permissions.ts';
import { SUBJECT } from './grant-store.ts';

// The levels of several subjects on several targets, each read with one statement.

/** What the rows of a page are: the children of the last item of a chain, the namespaces, or the connections. */
export type LevelParent =
  | { readonly kind: 'folder'; readonly chain: readonly string[] }
  | { readonly kind: 'namespaces' }
  | { readonly kind: 'connections' };

/** Which rows of a parent are read. */
export interface LevelPage {
  readonly parent: LevelParent;
  /** The keys of subjects: the ids of users and groups, or `everyone`. */
  readonly subjects: readonly string[];
  /** The id of a user who sees only what they manage; null for all. */
  readonly managerId: string | null;
  /** Only rows after this name. */
  readonly after: string;
  readonly limit: number;
}

/** What a subject is granted at one place. */
interface GrantedAt {
  /** The highest level that is granted there to the subject, to its groups and to everyone. */
  readonly level: GrantedLevel;
  /** The level that is granted to the subject alone; null if none. */
  readonly own: GrantedLevel | null;
}

/** A place with what is granted there. */
export interface LevelPlace {
  /** The position in the chain; the children of a folder have the length of the chain. */
  readonly depth: number;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly isRestricted: boolean;
  readonly hasChildren: boolean;
  /** By the position of the subject in the request. */
  readonly granted: ReadonlyMap<number, GrantedAt>;
}

/** The places of a chain, those of a page, and the number of rows of all pages. */
export interface LevelPlaces {
  readonly places: readonly LevelPlace[];
  readonly total: number;
}

interface PlaceRow {
  readonly total: number;
  readonly depth: number;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly restricted: number;
  readonly has_children: number;
  readonly subject: number | null;
  readonly granted: number;
  readonly own: number | null;
}

/** The row of a page without places. */
interface EmptyRow {
  readonly total: number;
  readonly id: null;
}

/** The rank of a level of a grant, from 1 on, as in `GRANTED_LEVELS`. */
const RANK = `CASE grants.level WHEN 'MANAGE' THEN 3 WHEN 'EDIT' THEN 2 WHEN 'USE' THEN 2 ELSE 1 END`;

/** What each subject consists of: a user of the user, their groups and everyone. */
const MEMBERS = `
  wanted (n, id) AS (SELECT key, value FROM json_each(?)),
  member (n, subject, is_own) AS MATERIALIZED (
    SELECT n, id, 1 FROM wanted
    UNION ALL SELECT n, 'everyone', 0 FROM wanted WHERE id <> 'everyone'
    UNION ALL SELECT DISTINCT n, group_id, 0 FROM wanted JOIN group_members ON user_id = wanted.id
  )
`;

const MINE = `(SELECT ? UNION ALL SELECT group_id FROM group_members WHERE user_id = ? UNION ALL SELECT 'everyone')`;

/** Where rows are read from. */
interface Source {
  readonly table: string;
  readonly targetColumn: string;
  readonly columns: string;
  /** The condition that a manager of the parent manages a row without a grant on it. */
  readonly toInherited: (row: string) => string;
}

const ITEMS: Source = {
  table: 'catalog_items',
  targetColumn: 'item_id',
  columns: 'item.type, item.restricted',
  toInherited: (row) => `${row}.restricted = 0 AND ${row}.parent_id <> '${HUB_ROOT_ID}'`,
};

const CONNECTIONS: Source = {
  table: 'connections',
  targetColumn: 'connection_id',
  columns: "'CONNECTION' AS type, 0 AS restricted",
  toInherited: () => 'false',
};

type Where = ReturnType<typeof toWhere>;

interface Parts {
  /** The conditions of the rows of all pages, and of this page. */
  readonly all: Where;
  readonly rest: Where;
  /** Those of the children of a row. */
  readonly below: Where;
}

function printStatement({ table, targetColumn, columns }: Source, { all, rest, below }: Parts): string {
  return `
    WITH ${MEMBERS},
    page AS MATERIALIZED (SELECT id FROM ${table} AS item ${rest.text} ORDER BY name LIMIT ?),
    place (depth, id) AS (SELECT key, value FROM json_each(?) UNION ALL SELECT ?, id FROM page),
    fact (id, n, granted, own) AS MATERIALIZED (
      SELECT place.id, member.n, max(${RANK}), max(iif(member.is_own, ${RANK}, NULL))
      FROM place CROSS JOIN grants ON grants.${targetColumn} = place.id
      CROSS JOIN member ON member.subject = ${SUBJECT}
      GROUP BY place.id, member.n
    )
    SELECT counted.total, place.depth, item.id, item.name, ${columns},
      EXISTS (SELECT 1 FROM catalog_items AS child ${below.text}) AS has_children,
      fact.n AS subject, fact.granted, fact.own
    FROM (SELECT count(*) AS total FROM ${table} AS item ${all.text}) AS counted
    LEFT JOIN place ON true LEFT JOIN ${table} AS item ON item.id = place.id LEFT JOIN fact ON fact.id = item.id
    ORDER BY place.depth, item.name, fact.n
  `;
}

/** Reads the places of a page, with one statement. The caller holds the transaction. */
export function listLevelPlaces(database: Database, page: LevelPage): LevelPlaces {
  const { parent, subjects, managerId, after, limit } = page;
  const source = parent.kind === 'connections' ? CONNECTIONS : ITEMS;
  const chain = parent.kind === 'folder' ? parent.chain : [];
  const conditions = [...listPlaceConditions(parent), ...listManaged(source, 'item', managerId)];
  const parts = {
    all: toWhere(conditions),
    rest: toWhere([...conditions, ['item.name > ?', after]]),
    below: toWhere([['child.parent_id = item.id'], ...listManaged(ITEMS, 'child', managerId)]),
  };
  const { all, rest, below } = parts;
  const first: SqlValue[] = [JSON.stringify(subjects), ...rest.values, limit];
  const rows = database
    .statement<PlaceRow | EmptyRow>(printStatement(source, parts))
    .all(...first, JSON.stringify(chain), chain.length, ...below.values, ...all.values);
  const levels = GRANTED_LEVELS[parent.kind === 'connections' ? 'connection' : 'item'];
  const byId = Map.groupBy(
    rows.filter((row): row is PlaceRow => row.id !== null),
    ({ id }) => id,
  );
  const places = byId.values().map((some) => toPlace(some, levels));
  return { places: [...places], total: elementAt(rows, 0).total };
}

function listPlaceConditions(parent: LevelParent): readonly Condition[] {
  if (parent.kind === 'folder') return [['item.parent_id = ?', elementAt(parent.chain, -1)]];
  return parent.kind === 'namespaces' ? [['item.id IN (?, ?)', SHARED_ROOT_ID, HUB_ROOT_ID]] : [];
}

/** The condition that a user who manages the parent of a row manages the row. */
function listManaged(
  { targetColumn, toInherited }: Source,
  row: string,
  managerId: string | null,
): readonly Condition[] {
  if (managerId === null) return [];
  const granted = `grants.${targetColumn} = ${row}.id AND grants.level = 'MANAGE' AND ${SUBJECT} IN ${MINE}`;
  const text = `(${toInherited(row)} OR EXISTS (SELECT 1 FROM grants WHERE ${granted}))`;
  return [[text, managerId, managerId]];
}

function toPlace(rows: readonly PlaceRow[], levels: readonly GrantedLevel[]): LevelPlace {
  const { depth, id, name, type, restricted, has_children } = elementAt(rows, 0);
  const toLevel = (rank: number) => elementAt(levels, rank - 1);
  const granted = new Map<number, GrantedAt>();
  for (const { subject, granted: rank, own } of rows) {
    if (subject === null) continue;
    granted.set(subject, { level: toLevel(rank), own: own === null ? null : toLevel(own) });
  }
  return {
    depth,
    id,
    name,
    type,
    isRestricted: restricted === 1,
    hasChildren: has_children === 1,
    granted,
  };
}
