import type { TestProject } from 'vitest/node';
import { startMariadb } from './mariadb.ts';
import { type RunningServer, startPostgresql } from './postgresql.ts';
import { readTreeWork } from './processes.ts';
import { countServer } from './spent/servers-work.ts';
import { findCluster } from './trino/find-cluster.ts';
import { type ClusterServer, serveCluster } from './trino/serve-cluster.ts';

/** The address and the credentials of a server that the tests have started. */
export type ServerOptions = {
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    /** Null if the server is not installed on this machine. */
    postgresql: ServerOptions | null;
    mariadb: ServerOptions | null;
    /** The address of the server that tells how to use the cluster, and starts it for the first test that asks. */
    trino: string | null;
  }
}

interface Shared {
  readonly servers: Promise<readonly (RunningServer | null)[]>;
  readonly trino: Promise<ClusterServer | null>;
  users: number;
}

const KEY = Symbol.for('quern.test.servers');
const shared = globalThis as { [KEY]?: Shared };

/** Starts the servers once for all projects of a run, and stops them after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared[KEY] ??= start();
  const own = shared[KEY];
  own.users += 1;
  const [postgresql, mariadb] = await own.servers;
  project.provide('postgresql', postgresql?.options ?? null);
  project.provide('mariadb', mariadb?.options ?? null);
  const trino = await own.trino;
  project.provide('trino', trino?.address ?? null);
  return async () => {
    own.users -= 1;
    if (own.users > 0) return;
    await trino?.stop();
    for (const server of await own.servers) server?.stop();
  };
}

function start(): Shared {
  const servers = Promise.all([startPostgresql({ jit: 'off' }), startMariadb()]);
  void servers.then((all) => {
    for (const server of all) if (server !== null) countServer('databases', () => readTreeWork(server.pid));
  });
  const trino = servers.then(([postgresql]) => {
    const cluster = findCluster(postgresql?.options ?? null);
    const server = cluster && serveCluster(cluster);
    if (server !== null) countServer('Trino', server.readWork);
    return server;
  });
  return { servers, trino, users: 0 };
}
