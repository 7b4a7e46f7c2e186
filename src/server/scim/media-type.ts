import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors/service-error.ts';
import { acceptsAny } from '../http/accept.ts';
import { serverErrors } from '../http/errors.ts';
import { scimErrors } from './errors.ts';

/** What bodies may be called that come (RFC 7644, 3.1 and 8.1); the first is what ours are called. */
export const MEDIA_TYPES = ['application/scim+json', 'application/json'] as const;

/** The type of every answer with a body. */
export const SCIM_TYPE = `${MEDIA_TYPES[0]}; charset=utf-8`;

/**
 * Has a scope speak SCIM's JSON: both types in, one out. Throws 406 for requests whose `Accept` rules both out, and 400
 * `invalidSyntax` for bodies that are no JSON. Answers are open objects, written as they are.
 */
export function speakScim(scope: FastifyInstance): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    if (!acceptsAny(request, MEDIA_TYPES)) throw serverErrors.notAcceptable(MEDIA_TYPES.join(', '));
    done();
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...MEDIA_TYPES], parse);
  scope.setSerializerCompiler(() => JSON.stringify);
  scope.addHook('preSerialization', (_request, reply, payload, done) => {
    reply.header('content-type', SCIM_TYPE);
    done(null, payload);
  });
}

async function parse(request: FastifyRequest): Promise<unknown> {
  try {
    return await request.server.parseJson(request);
  } catch (error) {
    throw error instanceof ServiceError && error.status === 400 ? scimErrors.malformed(error) : error;
  }
}
