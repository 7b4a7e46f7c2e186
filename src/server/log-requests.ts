import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { printPath } from './http/print-path.ts';

/**
 * Writes one line into the log for each answer, and for each client that left before it: never headers, bodies or query
 * strings, which may hold secrets.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply);
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    request.log.info(describe(request), 'the client left');
    done();
  });
}

/** Writes the line for one answer. */
export function logAnswer(request: FastifyRequest, { statusCode: status, elapsedTime }: FastifyReply): void {
  const ms = Math.round(elapsedTime * 100) / 100;
  request.log.info({ ...describe(request), status, ms }, 'answered');
}

function describe({ method, url, ip, principal }: FastifyRequest) {
  return {
    method,
    path: printPath(url),
    address: ip,
    user: principal?.userName,
    token: principal?.origin?.tokenId,
  };
}
