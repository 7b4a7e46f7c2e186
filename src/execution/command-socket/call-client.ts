import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { executionErrors } from '../contract/errors.ts';
import { type Frame, printMessage, readAnswer, readFrames } from '../frames/socket-frames.ts';
import { MAX_SOCKET_PATH_LENGTH } from '../frames/socket-path.ts';
import { type CallEnd, type Hello, PROTOCOL } from './call-messages.ts';

/** A connection to a server's socket, for one call. */
export interface CallConnection {
  /** Of the server. */
  readonly pid: number;
  /**
   * Makes the call: bytes of the answer go to `sink`, and it resolves with what ends it. Leaves the server when `signal`
   * is aborted. Rejects with a LostError when the server ends, or is left, before; with a LimitError for a call that is
   * too long, with what the sink says, and with a plain Error for a bug of the server's.
   */
  call(value: unknown, sink: Sink, signal: AbortSignal): Promise<unknown>;
  /** For whoever has nothing to say after all. */
  leave(): void;
}

/** How long a server may take to say that it is there, in milliseconds. */
const HELLO_MS = 10_000;

/** What the system says of a socket at which nobody listens any more. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET'];

/**
 * Connects to the server that listens at `file`; null where none does. Rejects with a LostError for one that cannot be
 * reached, does not answer, or is of another version.
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
  // After that, whoever reads is told.
  socket.on('error', reject);
  try {
    await promise;
    return socket;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (NOBODY.includes(code)) return null;
    throw executionErrors.serverUnreachable(message);
  }
}

/** Null for a server that has ended since; rejects with a LostError for one that is silent. */
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
    // What the system says has a code; what is no frame of ours has none.
    return error instanceof Error && 'code' in error ? null : {};
  } finally {
    clearTimeout(timer);
  }
}

/** A link stands for a socket whose path would be too long; a folder may have shorter names than the one given. */
function findSocket(file: string): string {
  try {
    const target = lstatSync(file).isSymbolicLink() ? readlinkSync(file) : file;
    return Buffer.byteLength(target) <= MAX_SOCKET_PATH_LENGTH ? target : realpathSync(target);
  } catch {
    // To connect tells what is wrong.
    return file;
  }
}

function toValue(end: CallEnd): unknown {
  if (end.kind === 'broken') throw new Error(end.trace);
  return end.value;
}
