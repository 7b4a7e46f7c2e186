import type { FastifyRequest } from 'fastify';
import { consoleErrors } from './errors.ts';

/** Whether the browser has come by HTTPS: to us, to a proxy that is trusted, or to the instance's own address. */
export function isHttps(request: FastifyRequest, baseUrl: string | null): boolean {
  return request.protocol === 'https' || baseUrl?.startsWith('https:') === true;
}

/** Whether the browser has named this machine itself, where nobody listens between. */
export function isLoopback({ hostname }: FastifyRequest): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Throws 403 for a request that a page of another site has caused. Browsers say where a request that changes something
 * comes from; what says nothing is no browser.
 */
export function checkSameOrigin(request: FastifyRequest, baseUrl: string | null): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const known = listOrigins(request, baseUrl);
  const isFromHere = site === undefined || site === 'same-origin' || site === 'none';
  if (!isFromHere || (origin !== undefined && !known.includes(origin))) throw consoleErrors.otherSite(known);
}

/** The instance's own address, and the one that the browser has used. */
function listOrigins({ protocol, host }: FastifyRequest, baseUrl: string | null): readonly string[] {
  const used = `${protocol}://${host}`;
  const origin = URL.canParse(used) ? new URL(used).origin : used;
  return baseUrl === null || baseUrl === origin ? [origin] : [baseUrl, origin];
}
