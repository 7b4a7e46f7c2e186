import type { FastifyInstance } from 'fastify';
import { expectsContinue } from './check-framing.ts';

/**
 * Sends 100 to a client that expects it only when its body is about to be read. A 401, 413 or other error comes instead
 * of it, and then ends the connection, because the client may or may not send the body.
 */
export function answerContinue(app: FastifyInstance): void {
  // With these listeners Node does not respond itself.
  for (const event of ['checkContinue', 'checkExpectation']) {
    app.server.on(event, (request, response) => app.server.emit('request', request, response));
  }
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (expectsContinue(request)) {
      const begin = (event: string | symbol) => {
        if (event !== 'data') return;
        payload.off('newListener', begin);
        reply.raw.writeContinue();
      };
      payload.on('newListener', begin);
    }
    done(null, payload);
  });
  app.addHook('onSend', async (request, reply) => {
    if (expectsContinue(request) && !request.raw.complete) reply.header('connection', 'close');
  });
}
