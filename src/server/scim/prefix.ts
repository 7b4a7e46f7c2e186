import type { FastifyRequest } from 'fastify';

/** Where provisioning begins (interface 4.5, 9). */
export const SCIM_PREFIX = '/api/v1/scim/v2';

/** A target at or below the prefix. */
const TARGET = new RegExp(`^${SCIM_PREFIX}(?:[/?#]|$)`);

/** Whether a request is one for provisioning, known or not: by the route that it has found, or else by its URL. */
export function isProvisioning({ url, routeOptions }: FastifyRequest): boolean {
  return TARGET.test(url) || routeOptions.url?.startsWith(`${SCIM_PREFIX}/`) === true;
}

/**
 * The absolute URL of the prefix, for links to what is below it: at the instance's own address, if it has one, or else at
 * the one that the client has used. A client of HTTP/1.0 that names no host gets links without one.
 */
export function toScimBase({ protocol, host }: FastifyRequest, baseUrl: string | null): string {
  const origin = baseUrl ?? (host === '' ? '' : `${protocol}://${host}`);
  return `${origin}${SCIM_PREFIX}`;
}
