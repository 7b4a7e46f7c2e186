import { readFileSync } from 'node:fs';
import type { ServerOptions } from '../servers.ts';
import { hasTrino, type RunningCluster, startCluster } from './cluster.ts';

/** Names a file with the options of a cluster that runs already, so that a run of a few tests does not start one. */
const VARIABLE = 'QUERN_TEST_TRINO';

/** How to start the cluster of the tests; prints the reason and returns null if that is impossible. */
export function findCluster(postgresql: ServerOptions | null): (() => Promise<RunningCluster>) | null {
  const file = process.env[VARIABLE];
  if (file !== undefined) {
    const options = JSON.parse(readFileSync(file, 'utf8'));
    return async () => ({ options, readWork: () => 0, stop: async () => {} });
  }
  if (hasTrino && postgresql !== null) return () => startCluster(postgresql);
  const missing = hasTrino ? 'PostgreSQL, which is one of its catalogs' : 'Trino into test/trino';
  process.stderr.write(`tests of Trino are skipped: \`.ci/run\` installs ${missing}\n`);
  return null;
}
