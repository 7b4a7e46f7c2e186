import { describe, expect, it } from 'vitest';
import { trinoDriver } from '../../../../src/engine/connection/trino/driver.ts';
import { startWorker } from '../../../support/trino/cluster.ts';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { waitUntil } from '../../../support/waiting.ts';
import { countRows, query, readError } from '../results.ts';
import { createConnect } from '../server-errors.ts';

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
    const options = { host: '127.0.0.1', port: String(cluster().httpPort), user: 'loser' };
    const connect = createConnect(trinoDriver, 'trino', options);
    const [session, other] = [await connect(), await connect()];
    const worker = await startWorker(cluster(), 'worker-3', 3);
    const failure = readError(query(session, SLOW));
    await waitUntil(async () => (await countRows(other, RUNNING)) > 0);
    await worker.kill();
    const error = await failure;
    expect(error.code).toBe('unreachable');
    expect(error.message).toMatch(/worker/i);
    const isWhole = async () => (await countRows(session, 'SELECT * FROM tpch.tiny.orders')) === 15_000;
    await waitUntil(() => isWhole().catch(() => false));
  });
});
