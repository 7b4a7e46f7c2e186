import type { Database } from '../../store/database.ts';

/** The ranks of the levels that a subject is granted before and after a change, 0 for none. */
export interface RankChange {
  /** The id of a user or a group, or `everyone`. */
  readonly subject: string;
  readonly before: number;
  readonly after: number;
}

/** A user whose rank changes. */
interface ChangedUserRow {
  readonly user_name: string;
  readonly before: number;
  readonly after: number;
}

/** Which users are counted, and which of them are named. */
interface ChangedSearch {
  readonly all: readonly CappedUsers[];
  /** Whether users without a known role are VIEWERs. */
  readonly viewsByDefault: boolean;
  /** The ids of the users who may be named; null for all. */
  readonly only: readonly string[] | null;
  readonly limit: number;
}

/** The users whose highest rank changes: their number, and some of them by name. */
export interface ChangedUsers {
  readonly gains: number;
  readonly losses: number;
  readonly users: readonly ChangedUserRow[];
}

/** The active users whose rights grants decide, by the highest rank that their role allows. */
interface CappedUsers {
  readonly cap: number;
  readonly total: number;
}

interface CountedRow extends CappedUsers {
  readonly gains: number;
  readonly losses: number;
}

/** The rank of a VIEWER's highest level. */
const VIEWER_RANK = 1;
/** The parameter says whether users without a known role are VIEWERs. */
const CAP = `iif(users.role = 'VIEWER' OR ? = 1 AND coalesce(users.role, '') <> 'EDITOR', ${VIEWER_RANK}, 3)`;
/** Administrators manage everything. */
const GRANTED = 'users.active = 1 AND users.super_user = 0';

/**
 * The ranks of users. With `join` LEFT JOIN, those of all users, else of those alone whom a subject other than everyone
 * includes.
 */
function printLevels(join: 'JOIN' | 'LEFT JOIN'): string {
  return `
    WITH entry (subject, before, after) AS (
      SELECT value ->> 'subject', value ->> 'before', value ->> 'after' FROM json_each(?)
    ),
    named (user_id, before, after) AS MATERIALIZED (
      SELECT user_id, max(before), max(after) FROM (
        SELECT subject AS user_id, before, after FROM entry
        UNION ALL
        SELECT user_id, before, after FROM entry CROSS JOIN group_members ON group_id = entry.subject
      ) GROUP BY user_id
    ),
    everyone (before, after) AS (SELECT ?, ?),
    level AS (
      SELECT id, user_name, user_name_key, cap, min(cap, before) AS before, min(cap, after) AS after FROM (
        SELECT users.id, user_name, user_name_key, ${CAP} AS cap,
          max(everyone.before, coalesce(named.before, 0)) AS before,
          max(everyone.after, coalesce(named.after, 0)) AS after
        FROM users ${join} named ON named.user_id = users.id CROSS JOIN everyone WHERE ${GRANTED}
      )
    )
  `;
}

const COUNT = `
  SELECT cap, count(*) AS total, count(*) FILTER (WHERE after > before) AS gains,
    count(*) FILTER (WHERE after < before) AS losses
  FROM level GROUP BY cap
`;

const NAMES = `
  SELECT user_name, before, after FROM level
  WHERE before <> after AND (? IS NULL OR id IN (SELECT value FROM json_each(?))) ORDER BY user_name_key LIMIT ?
`;

/** Counts the users whose rights grants decide; `viewsByDefault` says whether those without a known role are VIEWERs. */
export function countCappedUsers(database: Database, viewsByDefault: boolean): readonly CappedUsers[] {
  const sql = `SELECT ${CAP} AS cap, count(*) AS total FROM users WHERE ${GRANTED} GROUP BY cap`;
  return database.statement<CappedUsers>(sql).all(Number(viewsByDefault));
}

/**
 * Reads the active users whose rank changes; `all` are those of `countCappedUsers`. Users whom only everyone includes are
 * counted without being read. The caller holds the transaction.
 */
export function listChangedUsers(
  database: Database,
  entries: readonly RankChange[],
  { all, viewsByDefault, only, limit }: ChangedSearch,
): ChangedUsers {
  const everyone = entries.find(({ subject }) => subject === 'everyone') ?? { before: 0, after: 0 };
  const values = [JSON.stringify(entries), everyone.before, everyone.after, Number(viewsByDefault)];
  const counted = database.statement<CountedRow>(printLevels('JOIN') + COUNT).all(...values);
  let [gains, losses] = [0, 0];
  for (const { cap, total } of all) {
    const named = counted.find((row) => row.cap === cap) ?? { total: 0, gains: 0, losses: 0 };
    const change = Math.min(cap, everyone.after) - Math.min(cap, everyone.before);
    const others = total - named.total;
    gains += named.gains + (change > 0 ? others : 0);
    losses += named.losses + (change < 0 ? others : 0);
  }
  if (limit === 0 || gains + losses === 0) return { gains, losses, users: [] };
  const ids = only === null ? null : JSON.stringify(only);
  const levels = printLevels(everyone.before === everyone.after ? 'JOIN' : 'LEFT JOIN');
  const users = database.statement<ChangedUserRow>(levels + NAMES).all(...values, ids, ids, limit);
  return { gains, losses, users };
}
