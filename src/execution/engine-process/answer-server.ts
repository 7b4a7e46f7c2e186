import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { collectEarly } from '../../engine/connection/contract/collect-early.ts';
import { type Frame, readFrames } from '../frames/socket-frames.ts';
import { MAX_SOCKET_PATH_LENGTH } from '../frames/socket-path.ts';

/** The rest of an incoming answer: bytes, and a message at the end. */
export interface Incoming {
  readonly frames: AsyncGenerator<Frame, void>;
  close(): void;
}

/** Receives the answers of one engine process. */
export interface AnswerServer {
  /** The path of its socket. */
  readonly path: string;
  /** Passes the frames of the socket that sends `key` first to `take`; the key itself is consumed. */
  expect(key: string, take: (incoming: Incoming) => void): void;
  /** Stops expecting the key. */
  forget(key: string): void;
  /** Stops accepting sockets; the accepted ones stay open. */
  close(): void;
}

/** Listens on a new socket in a private `folder`; rejects when that fails. */
export async function listenForAnswers(folder: string): Promise<AnswerServer> {
  const place = choosePlace(folder);
  const expected = new Map<string, (incoming: Incoming) => void>();
  const unidentified = new Set<Socket>();
  const server = createServer((socket) => {
    unidentified.add(socket);
    // Errors surface to the reader.
    socket.on('error', () => {});
    socket.once('close', () => unidentified.delete(socket));
    void letIn(socket);
  });

  async function letIn(socket: Socket): Promise<void> {
    const frames = readFrames(socket);
    const key = (await readKey(frames)) ?? '';
    unidentified.delete(socket);
    const take = expected.get(key);
    expected.delete(key);
    if (take === undefined) {
      socket.destroy();
      return;
    }
    socket.once('close', collectEarly());
    take({ frames, close: () => void socket.destroy() });
  }

  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(place.socket, resolve);
  await promise;
  return {
    path: place.socket,
    expect: (key, take) => void expected.set(key, take),
    forget: (key) => void expected.delete(key),
    close() {
      server.close();
      for (const socket of unidentified) socket.destroy();
      rmSync(place.remove, { recursive: true, force: true });
    },
  };
}

/** Uses a private folder among the system's temporary files when the path of `folder` is too long for a socket. */
function choosePlace(folder: string): { readonly socket: string; readonly remove: string } {
  const socket = path.join(folder, `engine-${randomUUID()}`);
  if (Buffer.byteLength(socket) <= MAX_SOCKET_PATH_LENGTH) return { socket, remove: socket };
  const own = mkdtempSync(path.resolve(tmpdir(), 'quern-'));
  return { socket: path.join(own, 'engine'), remove: own };
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
