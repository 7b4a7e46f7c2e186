import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Lends the connection of an answer that has begun to another process: bytes of a long one then need not pass through this
 * one, which would copy each of them twice. Resolves when all that was written has left, and with null for a connection
 * that is encrypted here, or an answer that is not chunked; rejects when the client has gone.
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
