import { ownerQuery } from '../fields/owner.ts';
import type { App } from '../http/typed-app.ts';

/** `GET tokens`: the caller's personal access tokens (interface 2.11); for administrators those of `?owner=`. */
export function addListTokens(app: App): void {
  app.get('/tokens', async (request) => ({
    data: await request.api.accounts.tokens.list(ownerQuery.read(request.query).owner),
  }));
}
