import type { preParsingAsyncHookHandler } from 'fastify';
import type { Instance } from '../../workspace/instance/instance.ts';

/** Checks the caller's right to change or delete a path before the body is read. */
export function checkTarget({ catalog }: Instance, kind: 'folder' | 'asset'): preParsingAsyncHookHandler {
  return async ({ principal, params, headers }) => {
    catalog.checkTarget(principal, (params as { '*': string })['*'], headers['if-match'], kind);
  };
}
