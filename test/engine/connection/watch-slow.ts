import type { Connection, ConnectionSpec } from '../../../src/engine/connection/contract/connection.ts';
import { waitUntil, waitUntilBusy } from '../../support/waiting.ts';
import { query } from './results.ts';

/** The queries that return the id of a session, and count it while it sleeps. */
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
 * Watches a session before a slow statement of it, from another session. The returned function waits until
 * the statement is running: it sleeps on the server, or DuckDB works in this process.
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
