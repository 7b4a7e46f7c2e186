import type { onRequestHookHandler } from 'fastify';
import { serverErrors } from '../http/errors.ts';

/** A hook for scopes that are not for read-only tokens (identity 1); it comes after the one that says who acts. Throws 403. */
export const refuseReadOnly: onRequestHookHandler = (request, _reply, done) => {
  if (request.principal.origin?.readOnly) throw serverErrors.notForYou();
  done();
};
