import type { Sink } from './sink.ts';

/** The initial size of the first block of a result, and its growth factor. */
const START = 4 * 1024;
const GROWTH = 4;
const FIRST_BLOCK = 64 * 1024;
const BLOCK = 256 * 1024;
/** Spare bytes after the room of a block, for writers that write whole words beyond their end. */
const SPARE = 16;
const NO_BLOCK = Buffer.alloc(0);

/**
 * Collects bytes and passes them to a sink in blocks. Writing never waits: the caller checks `isFull` regularly, for
 * example after each row, and awaits `flush`. The first block is small, so that the first bytes are sent early. Blocks
 * are allocated on demand, and the first one grows: most results are short. A full block is used again when the sink is
 * done with it, because a new one for each 256 KB costs many runs of the garbage collector.
 */
export class ByteWriter {
  readonly #sink: Sink;
  #limit = FIRST_BLOCK;
  #block: Buffer = NO_BLOCK;
  #view = toView(NO_BLOCK);
  #size = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  get isFull(): boolean {
    return this.#size >= this.#limit - (this.#limit >> 4);
  }

  /** The offset of the next byte in `view`; a caller that writes to `view` must update it. */
  get size(): number {
    return this.#size;
  }

  set size(size: number) {
    this.#size = size;
  }

  /** The current block. */
  get view(): DataView {
    return this.#view;
  }

  /** The free bytes of the current block, without the spare bytes. */
  get room(): number {
    return this.#block.length - this.#size - SPARE;
  }

  /** Writes any text as UTF-8. */
  text(text: string): void {
    this.reserve(text.length * 3);
    this.#size += this.#block.write(text, this.#size, 'utf8');
  }

  /** Makes room for a number of bytes; can replace the current block. */
  reserve(bytes: number): void {
    if (bytes <= this.room) return;
    this.#move(Math.max(this.#size + bytes + SPARE, this.#block.length * 2, this.#findLength()));
  }

  /** Enlarges the current block, which can replace it; false if it has its maximum size. */
  grow(): boolean {
    if (this.#block.length >= this.#limit) return false;
    this.#move(this.#findLength());
    return true;
  }

  /** Passes all bytes to the sink and waits until it accepts more; rejects as the sink does. */
  async flush(): Promise<void> {
    if (this.#size === 0) return;
    const block = this.#block;
    const bytes = block.subarray(0, this.#size);
    this.#limit = BLOCK;
    this.#use(NO_BLOCK);
    this.#size = 0;
    await this.#sink.write(bytes);
    if (block.length === BLOCK) this.#use(block);
  }

  /** The next size of the current block. */
  #findLength(): number {
    return this.#limit === BLOCK
      ? BLOCK
      : Math.min(Math.max(START, this.#block.length * GROWTH), FIRST_BLOCK);
  }

  #move(length: number): void {
    const grown = Buffer.allocUnsafeSlow(length);
    this.#block.copy(grown, 0, 0, this.#size);
    this.#use(grown);
  }

  #use(block: Buffer): void {
    this.#block = block;
    this.#view = toView(block);
  }
}

function toView({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
