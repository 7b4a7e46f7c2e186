import type { onRequestHookHandler } from 'fastify';
import { serverErrors } from '../http/errors.ts';

/**
 * A hook that refuses read-only tokens (docs/reference/tokens.md#read-only-tokens). Add it after the hook that
 * authenticates. Throws 403.
 */
export const refuseReadOnly: onRequestHookHandler = (request, _reply, done) => {
  if (request.principal.origin?.readOnly) throw serverErrors.notForYou();
  done();
};
