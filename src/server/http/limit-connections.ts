import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback, toNetwork } from '../../identity/sessions/client-address.ts';
import { createShares } from '../../workspace/limits/shares.ts';
import { serverErrors } from './errors.ts';
import type { IsProxy } from './proxies.ts';

/** Milliseconds between log entries about closed connections. */
const LOG_EVERY_MS = 60_000;

/**
 * Closes connections beyond the limits at once. A trusted proxy can have any number of connections; instead, its open
 * requests are counted for each client, and those beyond the limit receive 503. Returns a function that counts the open
 * connections.
 */
export function limitConnections(app: FastifyInstance, isProxy: IsProxy): () => number {
  let open = 0;
  const { maxConnections, maxConnectionsPerAddress, limitLoopback } = app.settings;
  const any = Number.POSITIVE_INFINITY;
  // Zero means unlimited.
  const byNetwork = createShares({ total: any, each: maxConnectionsPerAddress || any });
  const all = createShares({ total: maxConnections || any, each: any });
  const noteClosed = createNotes((address, closed) =>
    app.log.warn({ address, closed }, 'closed connections beyond the limit'),
  );
  const isCounted = (address: string) => !isProxy(address) && (limitLoopback || !isLoopback(address));

  app.server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    // The connection is already closed.
    if (address === undefined) return;
    const network = isCounted(address) ? toNetwork(address) : null;
    const isIn = (network === null || byNetwork.take(network, 1)) && (all.take('', 1) || leave(network));
    if (!isIn) {
      noteClosed(address);
      socket.destroy();
      return;
    }
    open++;
    socket.once('close', () => {
      open--;
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

  return () => open;

  function findClientOfProxy({ ip, socket }: FastifyRequest): string | null {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || !isProxy(remoteAddress)) return null;
    return isCounted(ip) ? toNetwork(ip) : null;
  }
}

/** Logs the first one at once, and the number of further ones later: an attack must not fill the log. */
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
