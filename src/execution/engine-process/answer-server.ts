import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { collectEarly } from '../../engine/connection/contract/collect-early.ts';
import { type Frame, readFrames } from '../frames/socket-frames.ts';
import { MAX_SOCKET_PATH_LENGTH } from '../frames/socket-path.ts';

/** The rest of an answer as it comes in: bytes, and a message that all have come. */
export interface Incoming {
  readonly frames: AsyncGenerator<Frame, void>;
  close(): void;
}

/** Where the answers of one engine process come in. */
export interface AnswerServer {
  /** The path of its socket. */
  readonly path: string;
  /** Hands what comes in by the socket that begins with `key` to `take`, behind the key. */
  expect(key: string, take: (incoming: Incoming) => void): void;
  /** Expects it no more. */
  forget(key: string): void;
  /** Lets nothing in any more; what is in stays open. */
  close(): void;
}

/** Listens on a new socket in a private `folder`; rejects when that cannot be. */
export async function listenForAnswers(folder: string): Promise<AnswerServer> {
  const place = choosePlace(folder);
  const expected = new Map<string, (incoming: Incoming) => void>();
  const strangers = new Set<Socket>();
  const server = createServer((socket) => {
    strangers.add(socket);
    // Whoever reads is told.
    socket.on('error', () => {});
    socket.once('close', () => strangers.delete(socket));
    void letIn(socket);
  });

  async function letIn(socket: Socket): Promise<void> {
    const frames = readFrames(socket);
    const key = (await readKey(frames)) ?? '';
    strangers.delete(socket);
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
      for (const socket of strangers) socket.destroy();
      rmSync(place.remove, { recursive: true, force: true });
    },
  };
}

/** A folder whose path is too long for a socket gives way to a private one among the system's temporary files. */
function choosePlace(folder: string): { readonly socket: string; readonly remove: string } {
  const socket = path.join(folder, `engine-${randomUUID()}`);
  if (Buffer.byteLength(socket) <= MAX_SOCKET_PATH_LENGTH) return { socket, remove: socket };
  const own = mkdtempSync(path.resolve(tmpdir(), 'quern-'));
  return { socket: path.join(own, 'engine'), remove: own };
}

/** The key that a socket begins with; null for any other beginning. */
async function readKey(frames: AsyncGenerator<Frame, void>): Promise<string | null> {
  try {
    const { value: first } = await frames.next();
    return first?.kind === 'message' && typeof first.value === 'string' ? first.value : null;
  } catch {
    return null;
  }
}
