import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { HomeError, type HomeErrorCode } from '../errors/home-error.ts';
import { ServiceError } from '../errors/service-error.ts';
import { toErrorBody } from './http/error-body.ts';
import { serverErrors } from './http/errors.ts';
import { toScimErrorBody } from './scim/error-body.ts';
import { SCIM_TYPE } from './scim/media-type.ts';
import { isProvisioning } from './scim/prefix.ts';

/**
 * Sends an error in the shape of the API (docs/reference/http-api.md#failures) or, below its prefix, of SCIM
 * (docs/reference/scim.md). The details of an internal error go to the log, not to the client.
 */
export function replyError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const serviceError = toServiceError(error, request);
  // Other errors are not logged: their messages can contain parts of a body.
  if (serviceError.status >= 500 && error !== serviceError) {
    request.log.error({ request_id: request.id, err: error }, 'request failed');
  }
  if (serviceError.status === 401) reply.header('www-authenticate', 'Bearer');
  if (serviceError.retryAfter !== undefined) reply.header('retry-after', serviceError.retryAfter);
  if (serviceError.etag !== undefined) reply.header('etag', serviceError.etag);
  // Fastify would close the connection, and clients that are still sending would not read the response.
  if (reply.hasHeader('connection') && request.server.server.listening) reply.removeHeader('connection');
  const isScim = isProvisioning(request);
  return reply
    .code(serviceError.status)
    .header('content-type', isScim ? SCIM_TYPE : 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(isScim ? toScimErrorBody(serviceError, request.id) : toErrorBody(serviceError, request.id));
}

function toServiceError(error: FastifyError | Error, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof HomeError) return (HOME_ERRORS[error.code] ?? serverErrors.homeUnusable)();
  // The connection ended before the body was complete.
  if (request.raw.destroyed && !request.raw.complete) return serverErrors.malformedRequest();
  const code = 'code' in error ? error.code : undefined;
  const known = FRAMEWORK_ERRORS[code ?? '']?.(request);
  if (known !== undefined) return known;
  // All other framework errors are errors of the request.
  const isRefused = code?.startsWith('FST_ERR_') === true && (error as FastifyError).statusCode === 400;
  return isRefused ? serverErrors.malformedRequest() : serverErrors.internal(request.id);
}

/** The error for a home that cannot be used; it does not show the home's path. */
const HOME_ERRORS: Readonly<Partial<Record<HomeErrorCode, () => ServiceError>>> = {
  full: serverErrors.diskFull,
  key: serverErrors.keyUnusable,
};

/** The errors that Fastify raises before a handler runs, by code. */
const FRAMEWORK_ERRORS: Readonly<Record<string, (request: FastifyRequest) => ServiceError>> = {
  FST_ERR_BAD_URL: () => serverErrors.malformedUrl(),
  FST_ERR_CTP_BODY_TOO_LARGE: (request) => serverErrors.bodyTooLarge(request.routeOptions.bodyLimit),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => serverErrors.notJson(),
  FST_ERR_CTP_EMPTY_TYPE: () => serverErrors.notJson(),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => serverErrors.malformedRequest(),
  // The connection ended before the response.
  ERR_STREAM_PREMATURE_CLOSE: () => serverErrors.malformedRequest(),
};
