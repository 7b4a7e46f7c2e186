import type { Connection, ConnectionSpec } from '../../../../src/engine/connection/contract/connection.ts';
import { waitUntil, waitUntilBusy } from '../../../support/waiting.ts';
import { query } from '../results.ts';

interface Sleeper {
  readonly id: string;
  count(id: string, sql: string): string;
}

/**
 * The query that returns the id of a session, and the one that counts it while it works on a statement. Trino has no
 * sessions, so that only the text of the statement tells which one it is.
 */
const SLEEPERS: Readonly<Record<'postgresql' | 'mysql' | 'trino', Sleeper>> = {
  postgresql: {
    id: 'SELECT pg_backend_pid()',
    count: (id) => `SELECT count(*) FROM pg_stat_activity WHERE pid = ${id} AND wait_event = 'PgSleep'`,
  },
  mysql: {
    id: 'SELECT CONNECTION_ID()',
    count: (id) =>
      `SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = ${id} AND STATE = 'User sleep'`,
  },
  trino: {
    id: 'SELECT current_user',
    count: (id, sql) =>
      `SELECT count(*) FROM system.runtime.queries
       WHERE state IN ('RUNNING', 'FINISHING') AND "user" = '${id}' AND query = '${sql.replaceAll("'", "''")}'`,
  },
};

/** Watches one slow statement from another session. */
interface Watch {
  /** Waits until the statement is running: it sleeps on the server, or DuckDB works in this process. */
  waitUntilSlow(): Promise<unknown>;
  /** Waits until the list of the server is without it; false for DuckDB, which has no such list. */
  waitUntilGone(): Promise<boolean>;
}

/** Watches a session before a slow statement of it, from another session. */
export async function watchSlow(
  kind: ConnectionSpec['kind'],
  session: Connection,
  other: Connection,
  sql = '',
): Promise<Watch> {
  if (kind === 'duckdb') return { waitUntilSlow: () => waitUntilBusy(), waitUntilGone: async () => false };
  const [[id] = []] = await query(session, SLEEPERS[kind].id);
  const count = SLEEPERS[kind].count(String(id), sql);
  const isThere = async () => Number((await query(other, count))[0]![0]) === 1;
  return {
    waitUntilSlow: () => waitUntil(isThere),
    waitUntilGone: () => waitUntil(async () => !(await isThere())),
  };
}
