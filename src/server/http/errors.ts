import { ServiceError } from '../../errors/service-error.ts';
import { printCount } from '../../invariants/print-count.ts';
import { suggest } from '../../text/suggest.ts';

/** Errors of the server itself, before a service is called (docs/reference/http-api.md#failures). */
export const serverErrors = {
  noToken: () =>
    new ServiceError(
      401,
      'token_required',
      'A valid personal access token is required: Authorization: Bearer <token>',
    ),
  notForYou: () =>
    new ServiceError(403, 'permission_denied', "You don't have permission to perform the request"),
  routeNotFound: (method: string, path: string) =>
    new ServiceError(404, 'route_not_found', `Route not found: ${method} ${path}`),
  methodNotAllowed: (method: string, allowed: string) =>
    new ServiceError(405, 'method_not_allowed', `Method ${method} is not allowed here; allowed: ${allowed}`),
  notAcceptable: (offered: string) =>
    new ServiceError(406, 'not_acceptable', `Supported media types: ${offered}`),
  tooSlow: () => new ServiceError(408, 'request_timeout', 'The request did not arrive in time'),
  bodyTooLarge: (limit: number) =>
    new ServiceError(413, 'body_too_large', `The body must not be larger than ${limit} bytes`),
  unknownField: (name: string, known: readonly string[]) => {
    const near = suggest(name, known);
    const hint = near === undefined ? '' : `, did you mean ${near}?`;
    return new ServiceError(400, 'unknown_field', `Unknown field: ${name}${hint}`);
  },
  notJson: () =>
    new ServiceError(
      415,
      'media_type_not_supported',
      'The body must be JSON: Content-Type: application/json',
    ),
  encoded: (encoding: string) =>
    new ServiceError(415, 'content_encoding_not_supported', `Content-Encoding is not supported: ${encoding}`),
  tooManyBadTokens: (retryAfter: number) =>
    new ServiceError(
      429,
      'too_many_bad_tokens',
      'Too many requests without a valid token came from this address',
      { retryAfter },
    ),
  tooManyRequests: (retryAfter: number) =>
    new ServiceError(429, 'too_many_requests', 'Too many requests', { retryAfter }),
  headersTooLarge: () =>
    new ServiceError(431, 'headers_too_large', 'The headers of the request are too large'),
  malformedUrl: () =>
    new ServiceError(
      400,
      'url_malformed',
      'The URL is malformed: percent signs must be followed by a UTF-8 byte',
    ),
  noHost: () => new ServiceError(400, 'host_required', 'The Host header is required'),
  severalHosts: () => new ServiceError(400, 'host_required', 'The Host header must be given once'),
  expectation: (expectation: string) =>
    new ServiceError(417, 'expectation_failed', `Expect is not supported: ${expectation}`),
  transferCoding: (coding: string) =>
    new ServiceError(
      501,
      'transfer_encoding_not_supported',
      `Transfer-Encoding is not supported: ${coding}; send chunked`,
    ),
  connectNotSupported: () => new ServiceError(501, 'not_supported', 'CONNECT is not supported'),
  malformedRequest: () => new ServiceError(400, 'request_malformed', 'Malformed HTTP request'),
  /** `reason` comes from the parser. */
  malformedJson: (reason: string) =>
    new ServiceError(400, 'json_malformed', `The body is not valid JSON: ${reason}`),
  notUtf8: () => new ServiceError(400, 'json_not_utf8', 'The body is not valid JSON: it is not UTF-8'),
  tooManyValues: (max: number) =>
    new ServiceError(
      400,
      'body_too_many_values',
      `The body must not have more than ${printCount(max)} values`,
    ),
  /** `field` is the place of the number; '' for the whole body. */
  tooManyDigits: (field: string) =>
    new ServiceError(400, 'number_too_many_digits', `Number has too many digits: ${field || 'body'}`),
  tooManyNames: (max: number) =>
    new ServiceError(
      400,
      'body_too_many_names',
      `The fields of the body must not have more than ${printCount(max)} different names, and the names must not be too long`,
    ),
  bodyTakesTooMuch: () =>
    new ServiceError(413, 'body_too_large', 'The body needs too much memory: send a smaller one'),
  bodyNotRead: () =>
    new ServiceError(503, 'body_not_read', 'The body could not be read; send it again', {
      retryAfter: 1,
    }),
  tooManyLargeBodies: () =>
    new ServiceError(
      429,
      'too_many_large_bodies',
      'Too many large bodies are being sent; try again in a few seconds',
      { retryAfter: 5 },
    ),
  diskFull: () => new ServiceError(503, 'disk_full', 'The disk of the server is full. Nothing was changed'),
  keyUnusable: () =>
    new ServiceError(
      503,
      'master_key_mismatch',
      "The server's master key cannot decrypt the secrets of the home",
    ),
  homeUnusable: () =>
    new ServiceError(503, 'catalog_unavailable', 'The catalog cannot be used right now', { retryAfter: 1 }),
  tooManyOpenRequests: () =>
    new ServiceError(503, 'too_many_open_requests', 'Too many open requests from this address', {
      retryAfter: 5,
    }),
  engineFailed: () =>
    new ServiceError(
      503,
      'engine_unavailable',
      'The engine process does not start; the server log has the reason',
      {
        retryAfter: 10,
      },
    ),
  stopping: () => new ServiceError(503, 'server_stopping', 'The server is stopping', { retryAfter: 1 }),
  internal: (requestId: string) =>
    new ServiceError(
      500,
      'internal_error',
      `Internal error; the server log has the details under the request id ${requestId}`,
    ),
};
