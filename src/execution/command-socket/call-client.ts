import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { executionErrors } from '../contract/errors.ts';
import { type Frame, printMessage, readAnswer, readFrames } from '../frames/socket-frames.ts';
import { MAX_SOCKET_PATH_LENGTH } from '../frames/socket-path.ts';
import { type CallEnd, type Hello, PROTOCOL } from './call-messages.ts';

/** A connection to a server's socket, for one call. */
export interface CallConnection {
  /** Process id of the server. */
  readonly pid: number;
  /**
   * Makes the call: writes the bytes of the answer to `sink` and resolves with the server's final value. Disconnects
   * when `signal` is aborted. Rejects with a LostError when the connection ends before the answer does, with a
   * LimitError for a call that is too long, with the error of the sink, and with a plain Error for an internal error of
   * the server.
   */
  call(value: unknown, sink: Sink, signal: AbortSignal): Promise<unknown>;
  /** Disconnects without making the call. */
  leave(): void;
}

/** How long a server may take to send its first message, in milliseconds. */
const HELLO_MS = 10_000;

/** Error codes of the system for a socket on which no process listens any longer. */
const NOT_LISTENING = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET'];

/**
 * Connects to the server that listens at `file`; null if no server listens there. Rejects with a LostError for a server
 * that cannot be reached, does not answer, or runs another version.
 */
export async function connectToCalls(file: string): Promise<CallConnection | null> {
  const socket = await open(file);
  if (socket === null) return null;
  const frames = readFrames(socket);
  const hello = await readHello(socket, frames);
  if (hello === null) return null;
  const { protocol, pid } = hello;
  if (protocol !== PROTOCOL || pid === undefined) {
    socket.destroy();
    throw executionErrors.otherVersion();
  }
  return {
    pid,
    async call(value, sink, signal) {
      const leave = () => socket.destroy();
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      try {
        socket.write(printMessage(value));
        return toValue((await readAnswer(frames, sink, executionErrors.serverLost)) as CallEnd);
      } finally {
        signal.removeEventListener('abort', leave);
        leave();
      }
    },
    leave: () => void socket.destroy(),
  };
}

async function open(file: string): Promise<Socket | null> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(findSocket(file));
  socket.once('connect', resolve);
  // Later errors surface to the reader of the frames.
  socket.on('error', reject);
  try {
    await promise;
    return socket;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (NOT_LISTENING.includes(code)) return null;
    throw executionErrors.serverUnreachable(message);
  }
}

/**
 * Reads the server's first message; null if the server has ended. Rejects with a LostError for one that does not
 * answer.
 */
async function readHello(
  socket: Socket,
  frames: AsyncGenerator<Frame, void>,
): Promise<Partial<Hello> | null> {
  let isSilent = false;
  const timer = setTimeout(() => {
    isSilent = true;
    socket.destroy();
  }, HELLO_MS);
  try {
    const { value: first } = await frames.next();
    if (first === undefined) return null;
    return first.kind === 'message' ? (first.value as Partial<Hello>) : {};
  } catch (error) {
    if (isSilent) throw executionErrors.serverSilent();
    // Errors of the system have a code; the error for an invalid frame has no code.
    return error instanceof Error && 'code' in error ? null : {};
  } finally {
    clearTimeout(timer);
  }
}

/** Follows the link that replaces a socket whose path is too long, and resolves links to get a shorter path. */
function findSocket(file: string): string {
  try {
    const target = lstatSync(file).isSymbolicLink() ? readlinkSync(file) : file;
    return Buffer.byteLength(target) <= MAX_SOCKET_PATH_LENGTH ? target : realpathSync(target);
  } catch {
    // The attempt to connect reports the error.
    return file;
  }
}

function toValue(end: CallEnd): unknown {
  if (end.kind === 'broken') throw new Error(end.trace);
  return end.value;
}
