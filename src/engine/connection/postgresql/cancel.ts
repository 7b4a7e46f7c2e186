import { connect as connectSocket, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { serialize } from 'pg-protocol';

/** Timeout of a cancel request, in milliseconds. */
const PATIENCE = 5000;

/** The address of a server, and the session to cancel. */
export interface CancelTarget {
  /** A port, or the path of a socket. */
  readonly address: { readonly host: string; readonly port: number } | { readonly path: string };
  readonly tls: ConnectionOptions | null;
  readonly processId: number;
  readonly secretKey: number;
}

/**
 * Asks a server, through a separate connection, to cancel the work of a session; encrypted like the session. Resolves
 * when the server has passed the request on, or cannot be reached; never rejects.
 */
export function requestCancel({ address, tls, processId, secretKey }: CancelTarget): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const request = serialize.cancel(processId, secretKey);
  const socket: Socket = connectSocket({ ...address, timeout: PATIENCE });
  const end = () => {
    socket.destroy();
    resolve();
  };
  socket.on('timeout', end);
  socket.on('error', end);
  socket.on('close', end);
  socket.on('connect', () => {
    if (tls === null) return socket.write(request);
    socket.once('data', () => {
      const secure = connectTls({ ...tls, socket }, () => secure.write(request));
      secure.on('error', end);
      secure.on('close', end);
    });
    return socket.write(serialize.requestSsl());
  });
  return promise;
}
