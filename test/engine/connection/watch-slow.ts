import type { Connection, ConnectionSpec } from '../../../src/engine/connection/contract/connection.ts';
import { waitUntil, waitUntilBusy } from '../../support/waiting.ts';
import { query } from './results.ts';

/** How a server tells the number of a session, and counts it while it sleeps. */
const SLEEPERS = {
  postgresql: {
    id: 'SELECT pg_backend_pid()',
    count: (id: string) =>
      `SELECT count(*) FROM pg_stat_activity WHERE pid = ${id} AND wait_event = 'PgSleep'`,
  },
  mysql: {
    id: 'SELECT CONNECTION_ID()',
    count: (id: string) =>
      `SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = ${id} AND STATE = 'User sleep'`,
  },
};

/**
 * Watches a session before a slow statement of it, from another session. What it gives waits until the statement is
 * under way: it sleeps on the server, or DuckDB works in this process.
 */
export async function watchSlow(
  kind: ConnectionSpec['kind'],
  session: Connection,
  other: Connection,
): Promise<() => Promise<unknown>> {
  if (kind === 'duckdb') return () => waitUntilBusy();
  const [[id] = []] = await query(session, SLEEPERS[kind].id);
  const count = SLEEPERS[kind].count(String(id));
  return () => waitUntil(async () => Number((await query(other, count))[0]![0]) === 1);
}
