import { readFileSync } from 'node:fs';
import type { ServerOptions } from '../servers.ts';
import { hasTrino, startCluster } from './cluster.ts';
import type { StartCluster } from './serve-cluster.ts';

/** Names a file with the options of a cluster that runs already, so that a run of a few tests does not start one. */
const VARIABLE = 'QUERN_TEST_TRINO';

/** How to start a cluster of the tests; prints the reason and returns null if that is impossible. */
export function findCluster(postgresql: ServerOptions | null): StartCluster | null {
  const file = process.env[VARIABLE];
  if (file !== undefined) {
    const options = JSON.parse(readFileSync(file, 'utf8'));
    return async () => ({ options, readWork: () => 0, stop: async () => {} });
  }
  if (hasTrino && postgresql !== null) return (workers) => startCluster(postgresql, { workers });
  const missing = hasTrino ? 'PostgreSQL, which is one of its catalogs' : 'Trino into test/trino';
  process.stderr.write(`tests of Trino are skipped: \`.ci/run\` installs ${missing}\n`);
  return null;
}
