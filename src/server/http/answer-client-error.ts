import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ServiceError } from '../../errors/service-error.ts';
import { serverErrors } from '../errors.ts';
import { toErrorBody } from './reply-error.ts';

const REFUSALS: Readonly<Record<string, () => ServiceError>> = {
  HPE_HEADER_OVERFLOW: serverErrors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: serverErrors.tooSlow,
};

/** Answers what is not even a request (interface 7), and ends the connection. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // In the middle of an answer, another one would be taken for a part of it.
  const { _httpMessage: answer } = socket as Socket & { readonly _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent === true) {
    socket.destroy();
    return;
  }
  const refusal = (REFUSALS[error.code ?? ''] ?? serverErrors.malformedRequest)();
  const body = JSON.stringify(toErrorBody(refusal));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${refusal.message}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}
