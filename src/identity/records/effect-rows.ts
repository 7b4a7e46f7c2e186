import { present } from '../../invariants/must.ts';
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

/** Which users of a change are named. */
interface Named {
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

/** The rank of a VIEWER's highest level. */
const VIEWER_RANK = 1;

/**
 * The active users whose rank changes. Administrators, who manage everything, are left out. With `join` LEFT JOIN, all
 * other users are compared, else those alone whom a changed subject includes.
 */
function printChanged(join: 'JOIN' | 'LEFT JOIN'): string {
  const cap = `iif(users.role = 'VIEWER' OR ? = 1 AND coalesce(users.role, '') <> 'EDITOR', ${VIEWER_RANK}, 3)`;
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
      SELECT users.id, user_name, user_name_key, ${cap} AS cap,
        max(everyone.before, coalesce(named.before, 0)) AS before,
        max(everyone.after, coalesce(named.after, 0)) AS after
      FROM users ${join} named ON named.user_id = users.id CROSS JOIN everyone
      WHERE users.active = 1 AND users.super_user = 0
    ),
    changed AS (
      SELECT id, user_name, user_name_key, min(cap, before) AS before, min(cap, after) AS after FROM level
      WHERE min(cap, before) <> min(cap, after)
    )
  `;
}

const COUNT =
  'SELECT count(*) FILTER (WHERE after > before) AS gains, count(*) FILTER (WHERE after < before) AS losses FROM changed';

const NAMES = `
  SELECT user_name, before, after FROM changed
  WHERE ? IS NULL OR id IN (SELECT value FROM json_each(?)) ORDER BY user_name_key LIMIT ?
`;

/**
 * Reads the active users whose rank changes; `viewsByDefault` says whether users without a known role are VIEWERs. The
 * caller holds the transaction.
 */
export function listChangedUsers(
  database: Database,
  entries: readonly RankChange[],
  viewsByDefault: boolean,
  { only, limit }: Named,
): ChangedUsers {
  const everyone = entries.find(({ subject }) => subject === 'everyone') ?? { before: 0, after: 0 };
  const changed = printChanged(everyone.before === everyone.after ? 'JOIN' : 'LEFT JOIN');
  const values = [JSON.stringify(entries), everyone.before, everyone.after, Number(viewsByDefault)];
  const counts = present(
    database.statement<Pick<ChangedUsers, 'gains' | 'losses'>>(changed + COUNT).get(...values),
  );
  if (limit === 0 || counts.gains + counts.losses === 0) return { ...counts, users: [] };
  const ids = only === null ? null : JSON.stringify(only);
  const users = database.statement<ChangedUserRow>(changed + NAMES).all(...values, ids, ids, limit);
  return { ...counts, users };
}
