import type { Sink } from './sink.ts';

/** What a result begins with, and how much larger its first block becomes each time it is full. */
const START = 4 * 1024;
const GROWTH = 4;
const FIRST_BLOCK = 64 * 1024;
const BLOCK = 256 * 1024;
/** Bytes behind the room of a block, for writers of words that write beyond their end. */
const SPARE = 16;
const NO_BLOCK = Buffer.alloc(0);

/**
 * Collects bytes and hands them to a sink in blocks. Writing never waits: whoever writes asks `isFull` now
 * and then (say, after each row) and awaits `flush`. The first block is small, so that bytes leave early. Blocks are made
 * when there is something to write, and the first one grows with it: most results are short.
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
    this.#move(Math.max(this.#size + bytes + SPARE, this.#block.length * 2, this.#findLength()));
  }

  /** Makes more room in the block of now, which may become another one; false when it is as large as it is to be. */
  grow(): boolean {
    if (this.#block.length >= this.#limit) return false;
    this.#move(this.#findLength());
    return true;
  }

  /** Hands everything to the sink and waits until it takes more; rejects as the sink does. */
  async flush(): Promise<void> {
    if (this.#size === 0) return;
    const bytes = this.#block.subarray(0, this.#size);
    this.#limit = BLOCK;
    this.#use(NO_BLOCK);
    this.#size = 0;
    await this.#sink.write(bytes);
  }

  /** How long the block of now becomes next. */
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
