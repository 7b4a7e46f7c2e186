import { connect } from 'node:net';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { type Frame, FrameParser, printMessage } from './socket-frames.ts';

/** Maximum bytes that one read takes: more than a socket of the system holds by default. */
const BLOCK_BYTES = 256 * 1024;

/** The rest of an answer, on its way from an engine process. */
export interface FetchedAnswer {
  /**
   * Resolves at its end. Rejects with an error of `lost` when the connection ends before that, with the error of the
   * sink, and with a plain Error for an invalid frame.
   */
  readonly end: Promise<void>;
  /** Disconnects. */
  destroy(): void;
}

/**
 * Connects to the engine process at `path`, sends the key of an answer, and writes the answer to a sink. All blocks are
 * read into the same memory: a new block of memory for each read takes twice the processor time. While the sink takes
 * bytes at once, reading never stops, which also saves processor time.
 */
export function fetchAnswer(path: string, key: string, sink: Sink, lost: () => Error): FetchedAnswer {
  const memory = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  const parser = new FrameParser();
  const { promise: end, resolve, reject } = Promise.withResolvers<void>();

  /** Passes on the frames of a block; a promise if the sink has not taken all bytes yet. */
  function passOn(frames: Iterator<Frame>): void | Promise<void> {
    for (let next = frames.next(); next.done !== true && !socket.destroyed; next = frames.next()) {
      if (next.value.kind === 'message') return resolve();
      const written = sink.write(next.value.bytes);
      if (written !== undefined) return written.then(() => passOn(frames));
    }
  }

  function fail(error: unknown): void {
    reject(error);
    socket.destroy();
  }

  /** Whether the next block can be read now. */
  function takeBlock(length: number): boolean {
    try {
      const passed = passOn(parser.parse(memory.subarray(0, length)));
      passed?.then(() => void socket.resume(), fail);
      return passed === undefined;
    } catch (error) {
      fail(error);
      return false;
    }
  }

  const socket = connect({ path, onread: { buffer: memory, callback: takeBlock } });
  // Every error closes the socket.
  socket.on('error', () => {});
  for (const event of ['end', 'close']) socket.once(event, () => reject(lost()));
  socket.write(printMessage(key));
  return { end, destroy: () => void socket.destroy() };
}
