import type { FastifyInstance } from 'fastify';

/** How many milliseconds the rest of a refused body may still arrive. */
const LINGER_MS = 5_000;

/**
 * When a response is sent before the body has arrived (such as 401), the rest of the body is received and discarded for
 * a while, so that the client can read the response. Then the connection is closed.
 */
export function dropUnreadBodies(app: FastifyInstance): void {
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    done();
    if (raw.complete || raw.destroyed) return;
    const { socket } = raw;
    setTimeout(() => raw.complete || socket.destroy(), LINGER_MS).unref();
  });
}
