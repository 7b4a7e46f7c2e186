import type { onRequestHookHandler } from 'fastify';
import { serverErrors } from '../http/errors.ts';

/** A hook that refuses read-only tokens (identity 1). Add it after the hook that authenticates. Throws 403. */
export const refuseReadOnly: onRequestHookHandler = (request, _reply, done) => {
  if (request.principal.origin?.readOnly) throw serverErrors.notForYou();
  done();
};
