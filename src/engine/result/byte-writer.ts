import type { Sink } from './sink.ts';

const FIRST_BLOCK = 64 * 1024;
const BLOCK = 256 * 1024;
/** Bytes behind the room of a block, for writers of words that write beyond their end. */
const SPARE = 16;

/**
 * Collects bytes and hands them to a sink in blocks. Writing never waits: whoever writes asks `isFull` now
 * and then (say, after each row) and awaits `flush`. The first block is small, so that bytes leave early.
 */
export class ByteWriter {
  readonly #sink: Sink;
  #limit = FIRST_BLOCK;
  #block = Buffer.allocUnsafeSlow(FIRST_BLOCK);
  #view = toView(this.#block);
  #size = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  get isFull(): boolean {
    return this.#size >= this.#limit - (this.#limit >> 4);
  }

  /** Where the next byte goes in `view`; to be set by whoever has written there. */
  get size(): number {
    return this.#size;
  }

  set size(size: number) {
    this.#size = size;
  }

  /** The block of now. */
  get view(): DataView {
    return this.#view;
  }

  /** Bytes that have room in the block of now, with a few to spare. */
  get room(): number {
    return this.#block.length - this.#size - SPARE;
  }

  /** Writes any text as UTF-8. */
  text(text: string): void {
    this.reserve(text.length * 3);
    this.#size += this.#block.write(text, this.#size, 'utf8');
  }

  /** Makes room for so many bytes; the block of now may become another one. */
  reserve(bytes: number): void {
    if (bytes <= this.room) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#size + bytes + SPARE, this.#block.length * 2));
    this.#block.copy(grown, 0, 0, this.#size);
    this.#block = grown;
    this.#view = toView(grown);
  }

  /** Hands everything to the sink and waits until it takes more; rejects as the sink does. */
  async flush(): Promise<void> {
    if (this.#size === 0) return;
    const bytes = this.#block.subarray(0, this.#size);
    this.#limit = BLOCK;
    this.#block = Buffer.allocUnsafeSlow(BLOCK);
    this.#view = toView(this.#block);
    this.#size = 0;
    await this.#sink.write(bytes);
  }
}

function toView({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
