import type { onRequestHookHandler } from 'fastify';
import type { ServiceError } from '../../errors/service-error.ts';
import { serverErrors } from '../http/errors.ts';

/**
 * A hook for scopes that only administrators may use (docs/reference/permissions.md#what-is-not-permitted). Add it
 * after the hook that authenticates. Throws the given 403.
 */
export function createAdministratorHook(refuse: () => ServiceError): onRequestHookHandler {
  return (request, _reply, done) => {
    if (!request.principal.superUser) throw refuse();
    done();
  };
}

/** The hook with the default 403. */
export const requireAdministrator = createAdministratorHook(serverErrors.notForYou);
