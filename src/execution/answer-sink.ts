import { connect, type Socket } from 'node:net';
import type { Sink } from '../engine/result/sink.ts';
import type { Ended } from './engine-messages.ts';

/**
 * An answer up to so many bytes that is whole so many milliseconds after its first ones needs no socket. The first block
 * of a long one is larger, and goes out at once.
 */
const SHORT_BYTES = 32 * 1024;
const SHORT_MS = 10;

/** Where the engine process writes one answer. */
export interface AnswerSink extends Sink {
  /** Resolves when the answer has left, or cannot any more; never rejects. */
  finish(): Promise<Pick<Ended, 'bytes' | 'head'>>;
}

/**
 * An answer that waits for a moment, lest it be short, and then goes to a socket of its own, which begins with
 * `key`. Writing is as fast as the other side reads, and rejects when that is gone.
 */
export function createAnswerSink(path: string, key: string): AnswerSink {
  const held: Uint8Array[] = [];
  let bytes = 0;
  let socket: Socket | null = null;
  let timer: NodeJS.Timeout | undefined;

  function open(): Socket {
    clearTimeout(timer);
    const opened = connect(path);
    // Whoever writes next is told.
    opened.on('error', () => {});
    opened.write(key, 'latin1');
    for (const part of held.splice(0)) opened.write(part);
    socket = opened;
    return opened;
  }

  return {
    write(part) {
      bytes += part.length;
      if (socket !== null) {
        socket.write(part);
        return waitForRoom(socket);
      }
      held.push(part);
      // What comes next would keep the thread from sending it.
      if (bytes > SHORT_BYTES) return waitForOne(open(), ['connect', 'close']);
      timer ??= setTimeout(open, SHORT_MS);
      return undefined;
    },
    async finish() {
      clearTimeout(timer);
      if (socket === null) return { bytes, head: Buffer.concat(held) };
      await end(socket);
      return { bytes, head: null };
    },
  };
}

/** Waits until a socket takes more; rejects when the other side is gone. */
export async function waitForRoom(socket: Socket): Promise<void> {
  if (socket.writableNeedDrain && !socket.destroyed) await waitForOne(socket, ['drain', 'close']);
  if (socket.destroyed) throw socket.errored ?? new Error('the reader of the answer is gone');
}

async function end(socket: Socket): Promise<void> {
  socket.end();
  if (!socket.writableFinished && !socket.destroyed) await waitForOne(socket, ['finish', 'close']);
}

async function waitForOne(socket: Socket, events: readonly string[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const event of events) socket.once(event, resolve);
  await promise;
  for (const event of events) socket.off(event, resolve);
}
