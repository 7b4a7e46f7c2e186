import { startPostgresql } from '../test/support/postgresql.ts';
import { type ClusterOptions, hasTrino, startCluster } from '../test/support/trino/cluster.ts';

/**
 * As on a server, with a thorough compiler. The command line in Java may print for a while without asking the server for
 * more.
 */
const TUNING = { jvm: ['-Xmx2G'], settings: { 'query.client.timeout': '5m' } };

/** A Trino cluster that the benchmarks of this process share; null if Trino or PostgreSQL is not installed. */
export const cluster = await start();

async function start(): Promise<ClusterOptions | null> {
  const postgresql = hasTrino ? await startPostgresql() : null;
  if (postgresql === null) return null;
  process.on('exit', () => postgresql.stop());
  // The nodes end with this process.
  return (await startCluster(postgresql.options, { workers: 2, ...TUNING })).options;
}

/** The settings of a connection to the cluster. */
export function toConnection({ host, httpPort }: ClusterOptions, spooling: boolean) {
  return { host, port: String(httpPort), user: 'bench', spooling: String(spooling) };
}
