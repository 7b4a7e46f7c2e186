import { ServiceError } from '../errors/service-error.ts';

/** Refusals of the server itself, before a service is asked (interface 5.1, 7; catalog 5, 15, 16). */
export const serverErrors = {
  noToken: () =>
    new ServiceError(401, 'A valid personal access token is required: Authorization: Bearer <token>'),
  notForYou: () => new ServiceError(403, "You don't have permission to perform the request"),
  routeNotFound: (method: string, path: string) =>
    new ServiceError(404, `Route not found: ${method} ${path}`),
  methodNotAllowed: (method: string, allowed: string) =>
    new ServiceError(405, `Method ${method} is not allowed here; allowed: ${allowed}`),
  notAcceptable: (offered: string) => new ServiceError(406, `The answer can be had as: ${offered}`),
  tooSlow: () => new ServiceError(408, 'The request did not arrive in time'),
  bodyTooLarge: (limit: number) => new ServiceError(413, `The body must not be larger than ${limit} bytes`),
  notJson: () => new ServiceError(415, 'The body must be JSON: Content-Type: application/json'),
  encoded: (encoding: string) => new ServiceError(415, `Content-Encoding is not supported: ${encoding}`),
  tooManyBadTokens: (retryAfter: number) =>
    new ServiceError(429, 'Too many requests without a valid token came from this address', { retryAfter }),
  tooManyRequests: (retryAfter: number) => new ServiceError(429, 'Too many requests', { retryAfter }),
  headersTooLarge: () => new ServiceError(431, 'The headers of the request are too large'),
  malformedUrl: () =>
    new ServiceError(400, 'The URL is malformed: percent signs must be followed by a UTF-8 byte'),
  noHost: () => new ServiceError(400, 'The Host header is required'),
  malformedRequest: () => new ServiceError(400, 'The request is no well-formed HTTP'),
  /** `reason` is the parser's. */
  malformedJson: (reason: string) => new ServiceError(400, `The body is not valid JSON: ${reason}`),
  notUtf8: () => new ServiceError(400, 'The body is not valid JSON: it is no UTF-8'),
  diskFull: () => new ServiceError(503, 'The disk of the server is full. Nothing was changed'),
  keyUnusable: () => new ServiceError(503, "The server's master key does not fit the secrets of the home"),
  homeUnusable: () => new ServiceError(503, 'The catalog cannot be used right now', { retryAfter: 1 }),
  stopping: () => new ServiceError(503, 'The server is stopping', { retryAfter: 1 }),
  internal: (requestId: string) =>
    new ServiceError(
      500,
      `Something went wrong on our side; the log has it under the request id ${requestId}`,
    ),
};
