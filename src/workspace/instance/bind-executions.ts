import type { Principal } from '../../identity/principal/principal.ts';
import { runErrors, serverErrors } from '../api/errors.ts';
import type { RunningBody } from '../api/execution-body.ts';
import type { Home } from '../home/home.ts';
import { connectToServer } from '../services/server-connection.ts';

/** Running and waiting executions of one principal on the server of a home; for an administrator, of all users. */
export interface ExecutionsApi {
  /** Oldest first; null where no server runs. */
  list(): Promise<readonly RunningBody[] | null>;
  /** Rejects with a ServiceError: 404 where `list` does not show this id, 503 where no server runs. */
  cancel(id: string): Promise<void>;
}

/** The executions of the server of a home, for one principal. */
export function bindExecutions(home: Home, { userId: user }: Principal): ExecutionsApi {
  return {
    async list() {
      const server = await connectToServer(home);
      return server === null ? null : server.ask({ kind: 'list', user });
    },
    async cancel(id) {
      const server = await connectToServer(home);
      if (server === null) throw serverErrors.noServer();
      if (!(await server.ask({ kind: 'cancel', user, id }))) throw runErrors.executionNotFound(id);
    },
  };
}
