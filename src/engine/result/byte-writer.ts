import type { Sink } from './sink.ts';

const FIRST_BLOCK = 64 * 1024;
const BLOCK = 256 * 1024;

/**
 * Collects bytes and hands them to a sink in blocks. Writing never waits: whoever writes asks `isFull` now
 * and then (say, after each row) and awaits `flush`. The first block is small, so that bytes leave early.
 */
export class ByteWriter {
  readonly #sink: Sink;
  #limit = FIRST_BLOCK;
  #block = Buffer.allocUnsafeSlow(FIRST_BLOCK);
  #size = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  get isFull(): boolean {
    return this.#size >= this.#limit - (this.#limit >> 2);
  }

  /** Writes one byte. */
  byte(value: number): void {
    this.#reserve(1);
    this.#block[this.#size] = value;
    this.#size += 1;
  }

  /** Writes text of which every character is ASCII. */
  ascii(text: string): void {
    this.#reserve(text.length);
    this.#size += this.#block.write(text, this.#size, 'latin1');
  }

  /** Writes any text as UTF-8. */
  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#size += this.#block.write(text, this.#size, 'utf8');
  }

  /** Writes `source[start .. end]`. */
  copy(source: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    this.#block.set(source.subarray(start, end), this.#size);
    this.#size += end - start;
  }

  /** Hands everything to the sink and waits until it takes more; rejects as the sink does. */
  async flush(): Promise<void> {
    if (this.#size === 0) return;
    const bytes = this.#block.subarray(0, this.#size);
    this.#limit = BLOCK;
    this.#block = Buffer.allocUnsafeSlow(BLOCK);
    this.#size = 0;
    await this.#sink.write(bytes);
  }

  #reserve(bytes: number): void {
    const needed = this.#size + bytes;
    if (needed <= this.#block.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#block.length * 2));
    this.#block.copy(grown, 0, 0, this.#size);
    this.#block = grown;
  }
}
