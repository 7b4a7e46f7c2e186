import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../identity/sessions/client-address.ts';
import { elementAt } from '../../invariants/must.ts';

/**
 * The client address that an untrusted proxy on this machine forwards; without it, all clients of the proxy would share
 * one address. Only for counting, because any program on this machine can claim to be such a proxy.
 */
export function findForwardedFor({ ip, headers }: FastifyRequest): string | undefined {
  if (!isLoopback(ip)) return undefined;
  const last = elementAt([headers['x-forwarded-for']].flat().join().split(','), -1).trim();
  return isIP(last) === 0 ? undefined : last;
}
