import type { LogRange } from '../identity/log-range.ts';
import { present } from '../invariants/must.ts';
import type { SideDatabase } from '../store/side-database.ts';
import { toTimestamp } from '../store/values/clock.ts';
import type { PreparedStatements } from '../store/values/statements.ts';
import { type Condition, toWhere } from '../store/values/where.ts';
import type { Query, QueryOutcome } from './query.ts';
import type { ConnectionUseBody, QueryBody } from './query-body.ts';

/** A filter of the query log; entries must meet all conditions. */
export interface QueryCondition extends Omit<LogRange, 'limit'> {
  /** A user name at the time of the execution, ignoring case; or the user with this id. */
  readonly user?: { readonly name: string; readonly id: string | null } | undefined;
  readonly connection?: string | undefined;
  readonly outcome?: QueryOutcome | undefined;
}

/** Reads and writes the rows of the query log; the only code with their SQL. */
export interface QueryStore {
  /** Adds entries in one transaction; skips existing ones. Returns the number of added entries. */
  insert(queries: readonly Query[]): number;
  count(): number;
  /** Deletes at most `limit` entries requested before `time`; returns their number. */
  deleteBefore(time: Date, limit: number): number;
  /** Deletes the oldest entries; returns their number. */
  deleteOldest(limit: number): number;
  close(): void;
}

const INSERT = `
  INSERT OR IGNORE INTO queries
    (requested_at, id, user, user_id, token_id, connection, name, started_at, ended_at, duration_ms, rows, bytes, outcome,
     fault, address, request_id, hash, text)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`;

const SELECT = `
  SELECT id, user, token_id AS token, connection, name, hash, text, requested_at, started_at, ended_at, duration_ms, rows,
         bytes, outcome, fault, address, request_id
  FROM queries
`;

const DELETE = 'DELETE FROM queries WHERE (requested_at, id) IN (SELECT requested_at, id FROM queries';

/** The query log in an open database. */
export function createQueryStore({ statement, write, close }: SideDatabase): QueryStore {
  return {
    insert: (queries) =>
      write(() => queries.reduce((sum, query) => sum + statement(INSERT).run(...toValues(query)), 0)),
    count: () => present(statement<{ n: number }>('SELECT count(*) AS n FROM queries').get()).n,
    deleteBefore: (time, limit) =>
      write(() =>
        statement(`${DELETE} WHERE requested_at < ? ORDER BY requested_at, id LIMIT ?)`).run(
          toNanos(time),
          limit,
        ),
      ),
    deleteOldest: (limit) =>
      write(() => statement(`${DELETE} ORDER BY requested_at, id LIMIT ?)`).run(limit)),
    close,
  };
}

/** Finds the newest `limit` matching entries, newest first. The caller checks the right to see them. */
export function findQueries(
  { statement }: PreparedStatements,
  condition: QueryCondition,
  limit: number,
): QueryBody[] {
  const { text, values } = toWhere(listConditions(condition));
  const order = 'ORDER BY requested_at DESC, id DESC LIMIT ?';
  return statement<QueryBody>(`${SELECT} ${text} ${order}`).all(...values, limit);
}

const LAST_USE = 'SELECT max(requested_at) AS at FROM queries WHERE connection = ?';
const LAST_ERROR = `
  SELECT fault, requested_at AS at FROM queries
  WHERE connection = ? AND fault IN ('unreachable', 'login', 'locked', 'full', 'quota')
  ORDER BY requested_at DESC LIMIT 1
`;

/** The last use of a connection, and its last error. */
export function findUse({ statement }: PreparedStatements, connection: string): ConnectionUseBody {
  const used = statement<{ at: string | null }>(LAST_USE).get(connection);
  const failed = statement<{ at: string; fault: string }>(LAST_ERROR).get(connection);
  return {
    last_used_at: used?.at ?? null,
    last_error: failed?.fault ?? null,
    last_error_at: failed?.at ?? null,
  };
}

function listConditions({ user, connection, outcome, since, until, before }: QueryCondition): Condition[] {
  const conditions: Condition[] = [];
  if (user !== undefined) conditions.push(['(lower(user) = lower(?) OR user_id = ?)', user.name, user.id]);
  if (connection !== undefined) conditions.push(['connection = ?', connection]);
  if (outcome !== undefined) conditions.push(['outcome = ?', outcome]);
  if (since !== undefined) conditions.push(['requested_at >= ?', toNanos(since)]);
  if (until !== undefined) conditions.push(['requested_at < ?', toNanos(until)]);
  if (before !== undefined) {
    const cursor = 'SELECT requested_at, id FROM queries WHERE id = ?';
    conditions.push([`(requested_at, id) < (${cursor})`, before]);
  }
  return conditions;
}

/** Prints a time with the length of the stored times, because they are compared as strings. */
function toNanos(time: Date): string {
  return toTimestamp(time).replace('Z', '000000Z');
}

function toValues(query: Query) {
  return [
    query.requestedAt,
    query.id,
    query.user,
    query.userId,
    query.tokenId,
    query.connection,
    query.name,
    query.startedAt,
    query.endedAt,
    query.durationMs,
    query.rows,
    query.bytes,
    query.outcome,
    query.fault,
    query.address,
    query.requestId,
    query.statement?.hash ?? null,
    query.statement?.text ?? null,
  ];
}
