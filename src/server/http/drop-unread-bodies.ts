import type { FastifyInstance } from 'fastify';

/** How long the rest of a body may still arrive that nobody wants any more, in milliseconds. */
const LINGER_MS = 5_000;

/**
 * What is answered before its body has arrived, as without a token, goes on to be received and thrown away for a while,
 * so that the client gets to read the answer; then the connection is cut.
 */
export function dropUnreadBodies(app: FastifyInstance): void {
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    done();
    if (raw.complete || raw.destroyed) return;
    const { socket } = raw;
    setTimeout(() => raw.complete || socket.destroy(), LINGER_MS).unref();
  });
}
