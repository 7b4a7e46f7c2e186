import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Shares the socket of a response that has started with another process, so that a long body is not copied twice by
 * this one. Resolves when all written bytes were sent; with null for a connection that uses TLS here, or a response
 * that is not chunked. Rejects when the client has disconnected.
 */
export async function transferSocket(response: ServerResponse): Promise<object | null> {
  const { socket, chunkedEncoding } = response;
  if (!chunkedEncoding || !(socket instanceof Socket) || socket instanceof TLSSocket) return null;
  await untilSent(response);
  const { _handle: handle } = socket as unknown as { readonly _handle?: object | null };
  return handle ?? null;
}

function untilSent(response: ServerResponse): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  response.write('', (error) => (error ? reject(error) : resolve()));
  return promise;
}
