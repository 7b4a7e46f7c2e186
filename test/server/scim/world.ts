import { createProvider, type Provider, SCIM } from '../../support/scim.ts';
import { createWorld, type ServerSettings, type World } from '../world.ts';

/** The prefix, from the root. */
export const ROOT = `/api/v1${SCIM}`;

/** A server with an identity provider that has the administrator's token. */
export interface ScimWorld extends World {
  readonly provider: Provider;
}

/** Starts a server. */
export async function createScimWorld(settings: ServerSettings = {}): Promise<ScimWorld> {
  const world = await createWorld(settings);
  const provider = createProvider({
    send: (method, target, sending) => world.ask(method, `/api/v1${target}`, sending),
  });
  return { ...world, provider };
}
