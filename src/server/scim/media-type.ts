import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors/service-error.ts';
import { acceptsAny } from '../http/accept.ts';
import { serverErrors } from '../http/errors.ts';
import { provisioningErrors } from './errors.ts';

/** The media types of request bodies (RFC 7644, 3.1 and 8.1); the first is that of responses. */
export const MEDIA_TYPES = ['application/scim+json', 'application/json'] as const;

/** The `Content-Type` of every response with a body. */
export const SCIM_TYPE = `${MEDIA_TYPES[0]}; charset=utf-8`;

/**
 * Sets the media types of a SCIM scope: both are accepted, one is sent. Throws 406 for requests whose `Accept` excludes
 * both, and 400 `invalidSyntax` for invalid JSON. Responses are serialized without a schema.
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
    throw error instanceof ServiceError && error.status === 400 ? provisioningErrors.malformed(error) : error;
  }
}
