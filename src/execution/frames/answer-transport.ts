import { Socket, type SocketConstructorOpts } from 'node:net';
import { SinkError } from '../contract/outlet.ts';
import { printMessage, waitForOne, writeBytes } from './socket-frames.ts';

/**
 * Transports the rest of an answer out of the engine process. Writing rejects with a SinkError when the receiver has
 * closed it.
 */
export interface AnswerTransport {
  write(...parts: readonly Uint8Array[]): Promise<void>;
  /** Resolves when all bytes have been sent; never rejects. */
  end(): Promise<void>;
  /** Closes it at once. */
  destroy(): void;
}

/** Interval between reports of the bytes sent on a connection, in milliseconds. */
const REPORT_MS = 100;

/** Wraps a socket of the parent; its frames are the bytes, and a message at the end. Errors surface to the next write. */
export function wrapSocket(socket: Socket): AnswerTransport {
  return {
    write: (...parts) => writeBytes(socket, ...parts),
    async end() {
      socket.end(printMessage('end'));
      if (!socket.writableFinished && !socket.destroyed) await waitForOne(socket, ['finish', 'close']);
    },
    destroy: () => void socket.destroy(),
  };
}

/**
 * Wraps a connection between the parent and a client; writes bytes as chunks of HTTP/1.1. The parent writes the last
 * chunk and is the only reader. `onSent` receives the number of further bytes sent, periodically and at the end.
 */
export function openConnection(handle: object, onSent: (bytes: number) => void): AnswerTransport {
  // A shared connection arrives as a handle only.
  const socket = new Socket({ handle, readable: false, writable: true } as SocketConstructorOpts);
  let unreported = 0;
  let timer: NodeJS.Timeout | undefined;
  socket.on('error', () => {});

  function report(): void {
    clearTimeout(timer);
    timer = undefined;
    if (unreported > 0) onSent(unreported);
    unreported = 0;
  }

  return {
    async write(...parts) {
      const length = sumLengths(parts);
      if (length === 0) return;
      await writeChunk(socket, parts, length);
      unreported += length;
      timer ??= setTimeout(report, REPORT_MS);
    },
    async end() {
      report();
      socket.destroy();
    },
    destroy() {
      clearTimeout(timer);
      socket.destroy();
    },
  };
}

function sumLengths(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** Resolves when the whole chunk has been sent, so that another process may write after it. */
function writeChunk(socket: Socket, parts: readonly Uint8Array[], length: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.cork();
  socket.write(`${length.toString(16)}\r\n`, 'latin1');
  for (const part of parts) socket.write(part);
  socket.write('\r\n', 'latin1', (error) => (error ? reject(new SinkError(error)) : resolve()));
  socket.uncork();
  return promise;
}
