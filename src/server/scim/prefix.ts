import type { FastifyRequest } from 'fastify';

/** The URL prefix of provisioning (docs/reference/scim.md#routes). */
export const SCIM_PREFIX = '/api/v1/scim/v2';

/** Matches a target at or below the prefix. */
const TARGET = new RegExp(`^${SCIM_PREFIX}(?:[/?#]|$)`);

/** Whether a request is for provisioning, by its route, or by its URL if it has no route. */
export function isProvisioning({ url, routeOptions }: FastifyRequest): boolean {
  return TARGET.test(url) || routeOptions.url?.startsWith(`${SCIM_PREFIX}/`) === true;
}

/**
 * The absolute URL of the prefix, for links. It uses the base URL if set, otherwise the address of the request. An
 * HTTP/1.0 request without a host gets links without a host.
 */
export function toScimBase({ protocol, host, server }: FastifyRequest): string {
  const origin = server.settings.baseUrl ?? (host === '' ? '' : `${protocol}://${host}`);
  return `${origin}${SCIM_PREFIX}`;
}
