import { createServer, type Socket } from 'node:net';
import { type Frame, readFrames } from '../frames/socket-frames.ts';

/** Lets the parent fetch the answers of this engine process. */
export interface AnswerServer {
  /** Passes the socket that sends `key` first to `take`. */
  expect(key: string, take: (socket: Socket) => void): void;
  /** Stops expecting the key. */
  forget(key: string): void;
  /** Stops accepting sockets; those that have sent a key stay open. */
  close(): void;
}

/** Listens on a new socket at `path`, in a folder that only this user may enter; rejects when that fails. */
export async function listenForReaders(path: string): Promise<AnswerServer> {
  const expected = new Map<string, (socket: Socket) => void>();
  const unidentified = new Set<Socket>();
  const server = createServer((socket) => {
    unidentified.add(socket);
    // Errors surface to the next write.
    socket.on('error', () => {});
    socket.once('close', () => unidentified.delete(socket));
    void letIn(socket);
  });

  async function letIn(socket: Socket): Promise<void> {
    const key = (await readKey(readFrames(socket))) ?? '';
    unidentified.delete(socket);
    const take = expected.get(key);
    expected.delete(key);
    if (take === undefined) socket.destroy();
    else take(socket);
  }

  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(path, resolve);
  await promise;
  return {
    expect: (key, take) => void expected.set(key, take),
    forget: (key) => void expected.delete(key),
    close() {
      server.close();
      for (const socket of unidentified) socket.destroy();
    },
  };
}

/** The key at the start of a socket; null if the first frame is not a key. */
async function readKey(frames: AsyncGenerator<Frame, void>): Promise<string | null> {
  try {
    const { value: first } = await frames.next();
    return first?.kind === 'message' && typeof first.value === 'string' ? first.value : null;
  } catch {
    return null;
  }
}
