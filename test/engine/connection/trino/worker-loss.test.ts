import { beforeAll, describe, expect, it } from 'vitest';
import { trinoDriver } from '../../../../src/engine/connection/trino/driver.ts';
import { CLUSTER_PATIENCE_MS, startPair } from '../../../support/trino/cluster.ts';
import { hasCluster } from '../../../support/trino/use-cluster.ts';
import { waitUntil } from '../../../support/waiting.ts';
import { countRows, query, readError } from '../results.ts';
import { createConnect } from '../server-errors.ts';

const SLOW = "SELECT count(*) FROM tpch.sf1000.lineitem WHERE comment LIKE '%a%b%c%'";
const RUNNING = `SELECT query_id FROM system.runtime.tasks WHERE node_id = 'worker-1' AND state = 'RUNNING'
  AND query_id IN (SELECT query_id FROM system.runtime.queries WHERE query LIKE 'SELECT count(*) FROM tpch.sf1000%')`;

describe.skipIf(!hasCluster)('a lost worker', () => {
  let pair: Awaited<ReturnType<typeof startPair>>;
  beforeAll(async () => {
    pair = await startPair();
    return () => pair.stop();
  }, CLUSTER_PATIENCE_MS);

  it('ends its queries with an error, and later queries run without it', async () => {
    const { httpPort, killWorker } = pair.options;
    const connect = createConnect(trinoDriver, 'trino', {
      host: '127.0.0.1',
      port: String(httpPort),
      user: 'loser',
    });
    const [session, other] = [await connect(), await connect()];
    const failure = readError(query(session, SLOW));
    await waitUntil(async () => (await countRows(other, RUNNING)) > 0);
    await killWorker();
    const error = await failure;
    expect(error.code).toBe('unreachable');
    expect(error.message).toMatch(/worker/i);
    const isWhole = async () => (await countRows(session, 'SELECT * FROM tpch.tiny.orders')) === 15_000;
    await waitUntil(() => isWhole().catch(() => false));
  });
});
