import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Connection } from '../../../src/engine/connection/contract/connection.ts';
import { query } from '../../engine/connection/results.ts';
import { openTrino } from '../../engine/connection/trino/sessions.ts';
import { makeHome, quernProcess } from '../../support/quern.ts';
import { makeAdminHome, serve } from '../../support/server.ts';
import { hasCluster, THREE_NODES, useCluster } from '../../support/trino/use-cluster.ts';
import { waitUntil } from '../../support/waiting.ts';
import { connect, run } from './demo.ts';

describe.skipIf(!hasCluster)('a query of Trino', () => {
  const cluster = useCluster(THREE_NODES);

  async function watch() {
    const { host, httpPort } = cluster();
    const session = await openTrino({ host, port: String(httpPort), user: 'test' });
    const mark = `mark_${randomUUID().slice(0, 8)}`;
    const sql = `SELECT count(*) AS ${mark} FROM tpch.sf1000.lineitem AS a JOIN tpch.sf1000.orders AS b ON a.comment = b.comment`;
    return { sql, waitFor: (state: string) => waitFor(session, mark, state) };
  }

  it('is cancelled in the server by Ctrl-C', async () => {
    const cwd = await makeHome();
    await connect(cwd, 'lake', cluster(), {});
    const { sql, waitFor } = await watch();
    const child = quernProcess(['sql', sql, '--connection', 'lake'], { cwd });
    await waitFor('RUNNING');
    child.kill('SIGINT');
    await waitFor('USER_CANCELED');
    expect((await child).signal).toBe('SIGINT');
  });

  it('is cancelled in the server when an HTTP client closes its connection', async () => {
    const { cwd, token } = await makeAdminHome();
    await connect(cwd, 'lake', cluster(), {});
    const { sql, waitFor } = await watch();
    writeFileSync(path.join(cwd, 'slow.sql'), sql);
    await run(cwd, 'catalog', 'put', 'slow.sql', '@Shared/slow');
    const server = await serve(cwd);
    onTestFinished(() => server.kill());
    const client = new AbortController();
    const answer = fetch(`${server.url}/api/v1/exec/script`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ path: '@Shared/slow', connection: { name: 'lake' } }),
      signal: client.signal,
    }).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof Error ? error.name : ''),
    );
    await waitFor('RUNNING');
    client.abort();
    await waitFor('USER_CANCELED');
    expect(await answer).toBe('AbortError');
  });
});

/** Waits until the server's list has a query in a state, or with an error. */
async function waitFor(session: Connection, mark: string, state: string): Promise<void> {
  const sql = `SELECT state, error_code FROM system.runtime.queries WHERE query LIKE '%AS ${mark} FROM%' AND query NOT LIKE '%runtime.queries%'`;
  await waitUntil(async () => (await query(session, sql)).flat().includes(state));
}
