import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serverErrors } from '../errors.ts';
import { guardBodies } from './guard-bodies.ts';
import { parseJsonBody } from './parse-json-body.ts';

/** Has bodies be JSON as it is (interface 1): anything else is 415, before it is read. */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseJsonBody(body),
  );
  app.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    const encoding = headers['content-encoding'] ?? 'identity';
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
    if (hasBody && encoding.toLowerCase() !== 'identity') throw serverErrors.encoded(encoding);
    done(null, payload);
  });
  guardBodies(app);
}
