import { connect, Socket, type SocketConstructorOpts } from 'node:net';
import { SinkError } from '../contract/outlet.ts';
import { printMessage, waitForOne, writeBytes } from './socket-frames.ts';

/** The way of the rest of an answer out of the engine process. Writing rejects with a SinkError when the other side is gone. */
export interface AnswerTransport {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when all has left; never rejects. */
  end(): Promise<void>;
  /** Leaves it at once. */
  destroy(): void;
}

/** How often it is told what has left on a connection, in milliseconds. */
const REPORT_MS = 100;

/** A new socket to `path`; its frames are `key`, the bytes, and a message that all have come. */
export function openSocket(path: string, key: string): AnswerTransport {
  const socket = connect(path);
  // Whoever writes next is told.
  socket.on('error', () => {});
  socket.write(printMessage(key));
  return {
    write: (bytes) => writeBytes(socket, bytes),
    async end() {
      socket.end(printMessage('end'));
      if (!socket.writableFinished && !socket.destroyed) await waitForOne(socket, ['finish', 'close']);
    },
    destroy: () => void socket.destroy(),
  };
}

/**
 * A connection of the parent's to a client, on which bytes go in chunks of HTTP/1.1; the last one is the parent's, which
 * alone reads there. `onSent` is told now and then, and at the end, how many bytes more have left.
 */
export function openConnection(handle: object, onSent: (bytes: number) => void): AnswerTransport {
  // A handle is all that there is of a connection that is shared.
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
    async write(bytes) {
      if (bytes.length === 0) return;
      await writeChunk(socket, bytes);
      unreported += bytes.length;
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

/** Resolves when a chunk has left as a whole, so that another process may write behind it. */
function writeChunk(socket: Socket, bytes: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.cork();
  socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1');
  socket.write(bytes);
  socket.write('\r\n', 'latin1', (error) => (error ? reject(new SinkError(error)) : resolve()));
  socket.uncork();
  return promise;
}
