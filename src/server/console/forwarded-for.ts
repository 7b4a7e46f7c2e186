import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { elementAt } from '../../invariants/must.ts';
import { isLoopback } from '../../workspace/api/client-address.ts';

/**
 * The client for whom a proxy on this machine asks that is not configured as trusted: its own address stands for all of
 * its clients. For counting alone, since any program on this machine can claim to be such a proxy.
 */
export function findForwardedFor({ ip, headers }: FastifyRequest): string | undefined {
  if (!isLoopback(ip)) return undefined;
  const last = elementAt([headers['x-forwarded-for']].flat().join().split(','), -1).trim();
  return isIP(last) === 0 ? undefined : last;
}
