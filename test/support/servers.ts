import type { TestProject } from 'vitest/node';
import { startMariadb } from './mariadb.ts';
import { type RunningServer, startPostgresql } from './postgresql.ts';

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
  }
}

interface Shared {
  readonly servers: Promise<readonly (RunningServer | null)[]>;
  users: number;
}

const KEY = Symbol.for('quern.test.servers');
const shared = globalThis as { [KEY]?: Shared };

/** Starts the servers once for all projects of a run, and stops them after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared[KEY] ??= { servers: Promise.all([startPostgresql({ jit: 'off' }), startMariadb()]), users: 0 };
  const own = shared[KEY];
  own.users += 1;
  const [postgresql, mariadb] = await own.servers;
  project.provide('postgresql', postgresql?.options ?? null);
  project.provide('mariadb', mariadb?.options ?? null);
  return async () => {
    own.users -= 1;
    if (own.users > 0) return;
    for (const server of await own.servers) server?.stop();
  };
}
