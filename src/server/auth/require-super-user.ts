import type { onRequestHookHandler } from 'fastify';
import { serverErrors } from '../errors.ts';

/** A hook for scopes that are for super-users alone (identity 2); it comes after the one that says who acts. Throws 403. */
export const requireSuperUser: onRequestHookHandler = (request, _reply, done) => {
  if (!request.principal.superUser) throw serverErrors.notForYou();
  done();
};
