import type { preParsingAsyncHookHandler } from 'fastify';

/** Checks the caller's right to change or delete a path before the body is read. */
export function checkTarget(kind: 'folder' | 'asset'): preParsingAsyncHookHandler {
  return async ({ api, params, headers }) => {
    await api.catalog.checkTarget((params as { '*': string })['*'], headers['if-match'], kind);
  };
}
