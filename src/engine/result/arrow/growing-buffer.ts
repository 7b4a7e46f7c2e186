import { allocate, type BatchBody } from './batch-body.ts';

const EMPTY = new Uint8Array(0);

/** One buffer of a column, as it fills; it begins anew as large as it was the last time. */
export class GrowingBuffer {
  #memory: Uint8Array = EMPTY;
  #last = 0;

  /** The buffer with room for `needed` bytes; its first `used` bytes are kept. */
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

  /** Hands the first `length` bytes over. */
  take(body: BatchBody, length: number): void {
    body.addBuffer(this.#memory, length);
    this.#last = length;
    this.#memory = EMPTY;
  }
}
