import type { onRequestHookHandler } from 'fastify';
import type { ServiceError } from '../../errors/service-error.ts';
import { serverErrors } from '../http/errors.ts';

/**
 * A hook for scopes that only administrators may use (identity 2), to be added after the hook that authenticates. Throws
 * the 403 that it is given.
 */
export function createAdministratorHook(refuse: () => ServiceError): onRequestHookHandler {
  return (request, _reply, done) => {
    if (!request.principal.superUser) throw refuse();
    done();
  };
}

/** The hook with the server's ordinary 403. */
export const requireAdministrator = createAdministratorHook(serverErrors.notForYou);
