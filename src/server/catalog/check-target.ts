import type { preParsingAsyncHookHandler } from 'fastify';

/** Checks whether a path may be changed or deleted before the body is read: who may not is not waited for. */
export function checkTarget(kind: 'folder' | 'asset'): preParsingAsyncHookHandler {
  return async ({ api, params, headers }) => {
    await api.catalog.checkTarget((params as { '*': string })['*'], headers['if-match'], kind);
  };
}
