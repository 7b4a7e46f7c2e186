import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

// The only file that reads a private property of Node.js: `Socket._handle`, the operating system's socket. Node.js has
// no public way to share the socket of a response and to keep the response. `findHandle` guards the property: if a
// version of Node.js no longer has it, long results fail with an error that names it, and
// test/server/exec/transfer-socket.test.ts fails first. Then adapt `findHandle`, or return null from `transferSocket`:
// this process sends the whole body, with more processor time.

/**
 * Shares the socket of a response that has started with another process, so that a long body is not copied twice by
 * this one. Resolves when all written bytes were sent; with null for a connection that uses TLS here, or a response
 * that is not chunked. Rejects when the client has disconnected.
 */
export async function transferSocket(response: ServerResponse): Promise<object | null> {
  const { socket, chunkedEncoding } = response;
  if (!chunkedEncoding || !(socket instanceof Socket) || socket instanceof TLSSocket) return null;
  await untilSent(response);
  return findHandle(socket);
}

/**
 * The operating system's socket; null if it is closed. Throws when the internals of Node.js have changed.
 *
 * @internal
 */
export function findHandle(socket: Socket): object | null {
  const { _handle: handle } = socket as unknown as { readonly _handle?: unknown };
  if (typeof handle === 'object') return handle;
  throw new Error(
    'Node.js no longer has `Socket._handle`: adapt src/server/exec/transfer-socket.ts to its new version',
  );
}

function untilSent(response: ServerResponse): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  response.write('', (error) => (error ? reject(error) : resolve()));
  return promise;
}
