import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** Larger bodies are parsed in a separate thread, so that other requests do not wait. */
export const MAX_BYTES_HERE = 1024 ** 2;

/** The chunks of a body until it is parsed. */
export interface BodyPieces {
  readonly bytes: number;
  /** Takes a chunk with its memory. */
  add(piece: Buffer): void;
  /** All chunks of a body of at most `MAX_BYTES_HERE`, as one. */
  join(): Buffer;
  /** The port from which another thread receives the chunks in order (`receiveMessageOnPort`); to be transferred. */
  takePort(): MessagePort;
  /** Releases the chunks that were not received. */
  drop(): void;
}

/**
 * Creates a list without chunks. Those of a large body wait in a channel for the thread that parses them. Kept here,
 * they would make the garbage collector search this thread's whole memory every 64 MB.
 */
export function createBodyPieces(): BodyPieces {
  const here: Buffer[] = [];
  let bytes = 0;
  let channel: MessageChannel | null = null;

  function takePort(): MessagePort {
    channel ??= new MessageChannel();
    for (const piece of here.splice(0)) {
      const copy = toOwn(piece);
      channel.port1.postMessage(copy, [copy.buffer]);
    }
    return channel.port2;
  }

  return {
    get bytes() {
      return bytes;
    },
    add(piece) {
      here.push(piece);
      bytes += piece.length;
      if (bytes > MAX_BYTES_HERE) takePort();
    },
    join: () => Buffer.concat(here),
    takePort,
    drop() {
      here.length = 0;
      channel?.port1.close();
      // Without effect if it was transferred.
      channel?.port2.close();
    },
  };
}

/** A chunk with its own memory, so that it can be transferred. */
function toOwn(piece: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = piece;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === piece.byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(piece);
}
