import { connect as connectSocket, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { serialize } from 'pg-protocol';

/** A server that does not take a request for so long, in ms, is left alone. */
const PATIENCE = 5000;

/** Whom to ask, and which of its sessions is meant. */
export interface CancelTarget {
  /** A port, or the path of a socket. */
  readonly address: { readonly host: string; readonly port: number } | { readonly path: string };
  readonly tls: ConnectionOptions | null;
  readonly processId: number;
  readonly secretKey: number;
}

/**
 * Asks a server to stop what a session does, by a connection of its own, encrypted as the session is. Resolves
 * when the server has passed it on, or cannot be asked; never rejects.
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
