import { beforeAll } from 'vitest';
import { createProvider, type Provider } from '../../support/scim.ts';
import type { Shared } from '../../support/server.ts';

/**
 * The administrator of a shared server as an identity provider; the returned objects exist while the tests
 * run.
 */
export function shareProvider(shared: Shared): Provider {
  const provider: { -readonly [Key in keyof Provider]?: Provider[Key] } = {};
  beforeAll(() => {
    Object.assign(provider, createProvider(shared.admin));
  });
  return provider as Provider;
}
