import type { FixedVector, Vector } from '../columns/column.ts';
import type { BatchBody } from './batch-body.ts';
import type { ColumnWriter } from './column-writer.ts';
import { GrowingBuffer } from './growing-buffer.ts';
import { readBits, Validity } from './validity.ts';

/** Booleans, one bit each. */
export function createBooleanWriter(): ColumnWriter {
  return new BooleanWriter();
}

class BooleanWriter implements ColumnWriter {
  readonly #validity = new Validity();
  readonly #bits = new GrowingBuffer();
  #rows = 0;

  get bytes(): number {
    return this.#rows >> 3;
  }

  fit(_vector: Vector, _from: number, to: number): number {
    return to;
  }

  append(vector: Vector, from: number, to: number): void {
    const rows = this.#rows + to - from;
    const bits = this.#bits.reserve((this.#rows + 7) >> 3, (rows + 7) >> 3);
    packBits(bits, this.#rows, vector as FixedVector, from, to);
    this.#validity.append(vector.validity, from, to - from);
    this.#rows = rows;
  }

  take(body: BatchBody): void {
    this.#validity.take(body);
    this.#bits.take(body, (this.#rows + 7) >> 3);
    this.#rows = 0;
  }
}

/**
 * Writes one bit for each row, starting at bit `at`: 1 for true, 0 for false or NULL. Writes up to eight bits at a
 * time, to complete a byte.
 */
function packBits(
  bits: Uint8Array,
  at: number,
  { data, validity }: FixedVector,
  from: number,
  to: number,
): void {
  for (let row = from, next = at; row < to; ) {
    const used = next & 7;
    const bitCount = Math.min(8 - used, to - row);
    let byte = 0;
    for (let bit = 0; bit < bitCount; bit += 1) byte |= Number(data[row + bit] !== 0) << bit;
    if (validity !== null) byte &= readBits(validity, row);
    bits[next >> 3] = used === 0 ? byte : bits[next >> 3]! | (byte << used);
    row += bitCount;
    next += bitCount;
  }
}
