import { connect, type Socket } from 'node:net';
import { type Frame, readFrames } from './socket-frames.ts';

/** Maximum bytes that one read takes: more than a socket of the system holds by default. */
const BLOCK_BYTES = 256 * 1024;

/** A connection to a process that sends frames. */
export interface FrameConnection {
  readonly socket: Socket;
  /** The bytes of a frame are valid until the next frame is requested. */
  readonly frames: AsyncGenerator<Frame, void>;
}

/**
 * Connects to the socket at `path`, and reads its frames. All blocks are read into the same memory: a new block of
 * memory for each read takes twice the processor time. Errors surface to the reader of the frames.
 */
export function connectToFrames(path: string): FrameConnection {
  const memory = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  let block: Buffer | null = null;
  let wake = () => {};
  const callback = (length: number) => {
    block = memory.subarray(0, length);
    wake();
    // Stops reading until the block has been read.
    return false;
  };
  const socket = connect({ path, onread: { buffer: memory, callback } });
  socket.on('error', () => {});
  for (const event of ['end', 'close']) socket.once(event, () => wake());

  async function nextBlock(): Promise<Buffer | null> {
    for (;;) {
      if (socket.readableEnded) return null;
      if (socket.destroyed) throw socket.errored ?? new Error('the connection was closed before its end');
      if (block !== null) return block;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  async function* readBlocks(): AsyncGenerator<Buffer, void> {
    try {
      for (let next = await nextBlock(); next !== null; next = await nextBlock()) {
        yield next;
        block = null;
        socket.resume();
      }
    } finally {
      socket.destroy();
    }
  }

  return { socket, frames: readFrames(readBlocks()) };
}
