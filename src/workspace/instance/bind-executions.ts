import type { Principal } from '../../identity/principal/principal.ts';
import { runErrors, serverErrors } from '../api/errors.ts';
import type { ExecutionsApi } from '../api/workspace-api.ts';
import type { Home } from '../home/home.ts';
import { connectToServer } from '../services/server-connection.ts';

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
