import { readString, toFields } from '../http/fields.ts';
import type { App } from '../http/typed-app.ts';

/** `GET tokens`: one's own personal access tokens (interface 2.11), or for administrators those of `?owner=`. */
export function addListTokens(app: App): void {
  app.get('/tokens', async (request) => ({
    data: await request.api.accounts.tokens.list(readOwner(request.query)),
  }));
}

/** The user name in a query; an empty one is none. Throws 400. */
export function readOwner(query: unknown): string | undefined {
  return readString(toFields(query), 'owner', 'Owner') || undefined;
}
