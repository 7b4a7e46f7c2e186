import type { FastifyRequest } from 'fastify';
import { consoleErrors } from './errors.ts';

/** Whether the browser uses HTTPS: to this server, to a trusted proxy, or by the base URL. */
export function isHttps(request: FastifyRequest): boolean {
  return request.protocol === 'https' || request.server.settings.baseUrl?.startsWith('https:') === true;
}

/** Whether the browser uses a loopback address, so that the network is not involved. */
export function usesLoopback({ hostname }: FastifyRequest): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Throws 403 for a request that a page of another site has sent. */
export function checkSameOrigin(request: FastifyRequest): void {
  if (!isSameOrigin(request)) throw consoleErrors.otherSite(listOrigins(request));
}

/**
 * Whether no page of another site has sent a request. Browsers name the origin of a request that changes something; a
 * client that sends no origin is not a browser.
 */
export function isSameOrigin(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isFromHere = site === undefined || site === 'same-origin' || site === 'none';
  return isFromHere && (origin === undefined || listOrigins(request).includes(origin));
}

/** The base URL, and the address that the browser used. */
function listOrigins({ protocol, host, server }: FastifyRequest): readonly string[] {
  const used = `${protocol}://${host}`;
  const origin = URL.canParse(used) ? new URL(used).origin : used;
  const { baseUrl } = server.settings;
  return baseUrl === undefined || baseUrl === origin ? [origin] : [baseUrl, origin];
}
