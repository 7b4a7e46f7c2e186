import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { elementAt } from '../../invariants/must.ts';
import { executionErrors } from '../contract/errors.ts';
import { SinkError } from '../contract/outlet.ts';

/** A frame on a socket between two processes: plain data, or the next bytes of an answer. */
export type Frame =
  | { readonly kind: 'message'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Buffer };

/** Header of each frame: the number of its kind, and its length in bytes. */
const HEAD_BYTES = 5;
const KINDS = ['message', 'bytes'] as const;
/** Maximum length of a frame, in bytes; one part of an answer is shorter. */
const MAX_LENGTH = 2 ** 32 - 1;
/** Maximum length of a message, in bytes; a script with all its imports is far shorter. */
const MAX_MESSAGE_LENGTH = 256 * 1024 ** 2;

/** Serializes plain data as a frame. Throws a LimitError when it exceeds the maximum length. */
export function printMessage(value: unknown): Buffer {
  const bytes = serialize(value);
  if (bytes.length > MAX_MESSAGE_LENGTH) throw executionErrors.messageTooLong(MAX_MESSAGE_LENGTH);
  return Buffer.concat([printHead('message', bytes.length), bytes]);
}

/**
 * Writes parts of an answer as one frame, and waits until the system has taken them. Rejects with a SinkError when the
 * receiver has closed the socket.
 */
export async function writeBytes(socket: Socket, ...parts: readonly Uint8Array[]): Promise<void> {
  const length = parts.reduce((sum, bytes) => sum + bytes.length, 0);
  if (length === 0) return;
  if (length > MAX_LENGTH) {
    for (const bytes of parts) await writeBytes(socket, bytes);
    return;
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.cork();
  socket.write(printHead('bytes', length));
  for (const bytes of parts) socket.write(bytes);
  // Node.js calls back without an error for some writes that a closed socket has dropped.
  socket.write('', () => resolve());
  socket.uncork();
  await promise;
  if (socket.destroyed)
    throw new SinkError(socket.errored ?? new Error('the reader of the answer has disconnected'));
}

/** Waits for the first of some events. */
export async function waitForOne(socket: Socket, events: readonly string[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const event of events) socket.once(event, resolve);
  await promise;
  for (const event of events) socket.off(event, resolve);
}

/**
 * Writes the bytes of an answer to a sink and resolves with the message that ends it. Rejects with an error of `lost`
 * when the other side ends before that, and with the error of the sink.
 */
export async function readSocketAnswer(
  frames: AsyncGenerator<Frame, void>,
  sink: Sink,
  lost: () => Error,
): Promise<unknown> {
  for (;;) {
    const { value: frame } = await frames.next().catch(() => ({ value: undefined }));
    if (frame === undefined) throw lost();
    if (frame.kind === 'message') return frame.value;
    await sink.write(frame.bytes);
  }
}

/** The header of a frame, whose content follows. */
export function printHead(kind: Frame['kind'], length: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = KINDS.indexOf(kind);
  head.writeUInt32BE(length, 1);
  return head;
}

/** Reads frames as they arrive; throws for an invalid frame. */
export async function* readFrames(blocks: AsyncIterable<Buffer>): AsyncGenerator<Frame, void> {
  const parser = new FrameParser();
  for await (const block of blocks) yield* parser.parse(block);
}

/** Parses frames; a frame of bytes is passed on in the blocks in which it arrives. */
export class FrameParser {
  #head = Buffer.alloc(0);
  /** Kind of the frame whose header has been read; null between two frames. */
  #kind: Frame['kind'] | null = null;
  #left = 0;
  #parts: Buffer[] = [];

  /** Throws for an invalid frame. The block may change after its last frame. */
  *parse(block: Buffer): Generator<Frame, void> {
    let bytes = block;
    while (bytes.length > 0) {
      const wanted = this.#kind === null ? HEAD_BYTES - this.#head.length : this.#left;
      const part = bytes.subarray(0, wanted);
      bytes = bytes.subarray(part.length);
      if (this.#kind === null) this.#addToHead(part);
      else yield* this.#addToFrame(part, this.#kind);
    }
  }

  #addToHead(part: Buffer): void {
    this.#head = Buffer.concat([this.#head, part]);
    if (this.#head.length < HEAD_BYTES) return;
    const kind = KINDS[elementAt(this.#head, 0)];
    this.#left = this.#head.readUInt32BE(1);
    this.#head = Buffer.alloc(0);
    if (kind === undefined || this.#left === 0 || (kind === 'message' && this.#left > MAX_MESSAGE_LENGTH)) {
      throw executionErrors.invalidFrame();
    }
    this.#kind = kind;
  }

  *#addToFrame(part: Buffer, kind: Frame['kind']): Generator<Frame, void> {
    this.#left -= part.length;
    if (this.#left === 0) this.#kind = null;
    if (kind === 'bytes') {
      yield { kind, bytes: part };
      return;
    }
    // The memory of a block can be used again for the next one.
    this.#parts.push(Buffer.from(part));
    if (this.#left === 0) yield { kind, value: deserialize(Buffer.concat(this.#parts.splice(0))) };
  }
}
