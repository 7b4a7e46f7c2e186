import { allocate, type BatchBody } from './batch-body.ts';

const EMPTY = new Uint8Array(0);

/** A growing buffer of a column. It uses its memory again for the next batch, unless less than half was needed. */
export class GrowingBuffer {
  #memory: Uint8Array = EMPTY;
  #last = 0;

  /** Returns the buffer with room for `needed` bytes; keeps its first `used` bytes. */
  reserve(used: number, needed: number): Uint8Array {
    if (needed > this.#memory.length) {
      const before = this.#memory.length;
      const likely = before === 0 ? this.#last + (this.#last >> 4) : before + (before >> 1);
      const grown = allocate(Math.max(needed, likely));
      grown.set(this.#memory.subarray(0, used));
      this.#memory = grown;
    }
    return this.#memory;
  }

  /** Lends the first `length` bytes to the body, until the next call of `reserve`. */
  take(body: BatchBody, length: number): void {
    body.addBuffer(this.#memory, length);
    this.#last = length;
    if (length < this.#memory.length >> 1) this.#memory = EMPTY;
  }
}
