import { describe, expect, it } from 'vitest';
import { runOnCoordinator, startWorker } from '../../../support/trino/cluster.ts';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { waitUntil } from '../../../support/waiting.ts';

const SLOW = "SELECT count(*) FROM tpch.sf1000.lineitem WHERE comment LIKE '%a%b%c%'";
const RUNNING = `SELECT query_id FROM system.runtime.tasks WHERE node_id = 'worker-3' AND state = 'RUNNING'
  AND query_id IN (SELECT query_id FROM system.runtime.queries WHERE query LIKE 'SELECT count(*) FROM tpch.sf1000%')`;

/** On a busy machine a worker starts in up to a minute, and the server notices its loss after 10 seconds. */
const PATIENCE_MS = 240_000;

describe.skipIf(!hasCluster)('a lost worker', () => {
  const cluster = useCluster('exclusive');

  it('ends its queries with an error, and later queries run on the others', {
    timeout: PATIENCE_MS,
  }, async () => {
    const port = cluster().httpPort;
    const worker = await startWorker(cluster(), 'worker-3', 3);
    const failure = runOnCoordinator(port, SLOW).catch((error: Error) => error.message);
    await waitUntil(async () => (await runOnCoordinator(port, RUNNING)).length > 0);
    await worker.kill();
    expect(await failure).toMatch(/worker/i);
    await waitUntil(() => runOnCoordinator(port, 'SELECT count(*) FROM tpch.tiny.orders').catch(() => null));
  });
});
