import type { FastifyInstance } from 'fastify';
import { expectsContinue } from './check-framing.ts';

/**
 * Answers 100 to a client that expects it when its body is about to be read, and not before: 401, 413 and other refusals
 * come in its place, and then the connection ends, since the body may come or not.
 */
export function answerContinue(app: FastifyInstance): void {
  // With these listeners Node leaves the answer to us.
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
