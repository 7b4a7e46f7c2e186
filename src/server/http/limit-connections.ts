import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback, toNetwork } from '../../workspace/api/client-address.ts';
import { createShares } from '../../workspace/limits/shares.ts';
import { serverErrors } from './errors.ts';
import type { IsProxy } from './proxies.ts';

/** How many connections there may be; null for any number. */
export interface ConnectionSettings {
  readonly maxConnections: number | null;
  /** Of one address that is neither a trusted proxy's nor one of this machine. */
  readonly maxConnectionsPerAddress: number | null;
  /** Whether the limit for one address also holds for clients on this machine. */
  readonly limitLoopback: boolean;
}

/** How often the log tells of connections that were closed, in milliseconds. */
const LOG_EVERY_MS = 60_000;

/**
 * Closes connections beyond the limits at once. A trusted proxy may have any number: of the requests that come through
 * it, those of one client count in place of its connections, and are answered with 503 beyond the limit.
 */
export function limitConnections(app: FastifyInstance, settings: ConnectionSettings, isProxy: IsProxy): void {
  const { maxConnections, maxConnectionsPerAddress, limitLoopback } = settings;
  const any = Number.POSITIVE_INFINITY;
  const byNetwork = createShares({ total: any, each: maxConnectionsPerAddress ?? any });
  const all = createShares({ total: maxConnections ?? any, each: any });
  const noteClosed = createNotes((address, closed) =>
    app.log.warn({ address, closed }, 'connections beyond the limit are closed'),
  );
  const isCounted = (address: string) => !isProxy(address) && (limitLoopback || !isLoopback(address));

  app.server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    // It has gone already.
    if (address === undefined) return;
    const network = isCounted(address) ? toNetwork(address) : null;
    const isIn = (network === null || byNetwork.take(network, 1)) && (all.take('', 1) || leave(network));
    if (!isIn) {
      noteClosed(address);
      socket.destroy();
      return;
    }
    socket.once('close', () => {
      all.give('', 1);
      leave(network);
    });
  });

  function leave(network: string | null): false {
    if (network !== null) byNetwork.give(network, 1);
    return false;
  }

  app.addHook('onRequest', (request, reply, done) => {
    const network = findClientOfProxy(request);
    if (network === null) return done();
    if (!byNetwork.take(network, 1)) return done(serverErrors.tooManyOpenRequests());
    reply.raw.once('close', () => byNetwork.give(network, 1));
    done();
  });

  function findClientOfProxy({ ip, socket }: FastifyRequest): string | null {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || !isProxy(remoteAddress)) return null;
    return isCounted(ip) ? toNetwork(ip) : null;
  }
}

/** Tells of the first at once, and of all that came since a while later: an attack must not fill the log. */
function createNotes(tell: (address: string, count: number) => void): (address: string) => void {
  let count = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return (address) => {
    count++;
    if (performance.now() - toldAt < LOG_EVERY_MS) return;
    tell(address, count);
    toldAt = performance.now();
    count = 0;
  };
}
