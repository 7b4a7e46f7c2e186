import { type BatchBody, GrowingBuffer } from './batch-body.ts';

const ALL = 0xff;

/** The number of set bits of each byte. */
const COUNTS = new Uint8Array(256);
for (let byte = 1; byte < 256; byte += 1) COUNTS[byte] = (byte & 1) + COUNTS[byte >> 1]!;

/** The validity bitmap of a column; it has no bits until the first NULL. */
export class Validity {
  readonly #bits = new GrowingBuffer();
  #rows = 0;
  #nulls = 0;
  #hasBits = false;

  /** Adds `count` bits of a mask, starting at bit `from`; null is a mask of ones. */
  append(mask: Uint8Array | null, from: number, count: number): void {
    const rows = this.#rows + count;
    if (mask !== null || this.#hasBits) {
      const bits = this.#bits.reserve((this.#rows + 7) >> 3, (rows + 7) >> 3);
      if (!this.#hasBits) copyBits(bits, 0, null, 0, this.#rows);
      this.#nulls += count - copyBits(bits, this.#rows, mask, from, count);
      this.#hasBits = true;
    }
    this.#rows = rows;
  }

  /** Lends the bits to the body until the next `append`, as a node and a buffer; the bitmap is then empty. */
  take(body: BatchBody): void {
    body.addNode(this.#rows, this.#nulls);
    this.#bits.take(body, this.#nulls === 0 ? 0 : (this.#rows + 7) >> 3);
    this.#rows = 0;
    this.#nulls = 0;
    this.#hasBits = false;
  }
}

/**
 * Copies `count` bits from bit `from` of a mask to bit `at` of `bits`, up to eight at a time to complete a byte of
 * `bits`; the remaining bits of the last byte become 0. Returns the number of ones.
 */
function copyBits(
  bits: Uint8Array,
  at: number,
  mask: Uint8Array | null,
  from: number,
  count: number,
): number {
  let ones = 0;
  for (let done = 0; done < count; ) {
    const used = (at + done) & 7;
    const bitCount = Math.min(8 - used, count - done);
    const maskBits = (mask === null ? ALL : readBits(mask, from + done)) & (ALL >> (8 - bitCount));
    const byte = (at + done) >> 3;
    bits[byte] = used === 0 ? maskBits : bits[byte]! | (maskBits << used);
    ones += COUNTS[maskBits]!;
    done += bitCount;
  }
  return ones;
}

/**
 * Overwrites the values of NULL rows with zeros, so that undefined data of the database is not sent. Values have
 * `width` units, and the first is at `at`. `mask` has the validity of `count` rows, starting at its bit `from`.
 */
export function clearNulls(
  values: Uint8Array | Int32Array,
  at: number,
  width: number,
  mask: Uint8Array,
  from: number,
  count: number,
): void {
  for (let row = 0; row < count; row += 8) {
    let nulls = ~readBits(mask, from + row) & (ALL >> Math.max(0, 8 - (count - row)));
    while (nulls !== 0) {
      const bit = 31 - Math.clz32(nulls);
      const start = at + (row + bit) * width;
      for (let unit = start; unit < start + width; unit += 1) values[unit] = 0;
      nulls ^= 1 << bit;
    }
  }
}

/** The eight bits of a mask from bit `at`; bits after its end are 0. */
export function readBits(mask: Uint8Array, at: number): number {
  const byte = at >> 3;
  const shift = at & 7;
  if (shift === 0) return mask[byte]!;
  const next = byte + 1 < mask.length ? mask[byte + 1]! : 0;
  return ((mask[byte]! >> shift) | (next << (8 - shift))) & ALL;
}
