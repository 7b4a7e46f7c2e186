import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { ServiceError } from '../../errors/service-error.ts';
import { toErrorBody } from './error-body.ts';
import { serverErrors } from './errors.ts';

/** Milliseconds until the connection is closed after such a response. */
const LINGER_MS = 1_000;

const CLIENT_ERRORS: Readonly<Record<string, () => ServiceError>> = {
  HPE_HEADER_OVERFLOW: serverErrors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: serverErrors.tooSlow,
};

/**
 * Sends an error for input that is not a request (docs/reference/http-api.md#failures), logs it, and ends the
 * connection.
 */
export function answerClientError(
  log: FastifyBaseLogger,
  error: Error & { readonly code?: string },
  socket: Socket,
): void {
  // In the middle of a response, another one would be read as a part of it.
  const { _httpMessage: answer } = socket as Socket & { readonly _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent === true) {
    socket.destroy();
    return;
  }
  answerRaw(log, (CLIENT_ERRORS[error.code ?? ''] ?? serverErrors.malformedRequest)(), socket);
}

/** Sends an error on a connection without a request, and ends the connection. */
export function answerRaw(log: FastifyBaseLogger, error: ServiceError, socket: Socket): void {
  const id = randomUUID();
  const { status, code } = error;
  log.info({ request_id: id, address: socket.remoteAddress, status, code }, 'refused');
  const body = JSON.stringify(toErrorBody(error, id));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      'Cache-Control: no-store\r\n' +
      'X-Content-Type-Options: nosniff\r\n' +
      `X-Request-Id: ${id}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}
