import { Builder } from 'flatbuffers';
import { RECORD_BATCH, toMessage } from './message.ts';

/** Alignment of arrays in a body, in bytes, as Arrow recommends. */
const ALIGNMENT = 64;

/** Allocates memory for `bytes` bytes and their padding. */
function allocate(bytes: number): Uint8Array {
  return Buffer.allocUnsafeSlow(pad(bytes));
}

function pad(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** The arrays of one record batch, in the order of Arrow's format: a parent before its children. */
export class BatchBody {
  /** For each array: the number of values, and the number of NULLs among them. */
  readonly #nodes: [length: number, nulls: number][] = [];
  /** For each buffer: its offset in the body, and its length without padding. */
  readonly #buffers: [offset: number, length: number][] = [];
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  addNode(length: number, nulls: number): void {
    this.#nodes.push([length, nulls]);
  }

  /** Adds the first `length` bytes of `memory`, which `allocate` created. They must not change while the body is used. */
  addBuffer(memory: Uint8Array, length: number): void {
    this.#buffers.push([this.#length, length]);
    if (length === 0) return;
    const padded = pad(length);
    this.#parts.push(memory.fill(0, length, padded).subarray(0, padded));
    this.#length += padded;
  }

  /** The message and the parts of its body. */
  toParts(rows: number): readonly Uint8Array[] {
    const builder = new Builder();
    const buffers = addPairs(builder, this.#buffers);
    const nodes = addPairs(builder, this.#nodes);
    builder.startObject(4);
    builder.addFieldInt64(0, BigInt(rows), 0n);
    builder.addFieldOffset(1, nodes, 0);
    builder.addFieldOffset(2, buffers, 0);
    return [toMessage(builder, RECORD_BATCH, builder.endObject(), this.#length), ...this.#parts];
  }
}

/** A vector of structs of two 64-bit integers. */
function addPairs(builder: Builder, pairs: readonly (readonly [number, number])[]): number {
  builder.startVector(16, pairs.length, 8);
  for (const [first, second] of pairs.toReversed()) {
    builder.prep(8, 16);
    builder.writeInt64(BigInt(second));
    builder.writeInt64(BigInt(first));
  }
  return builder.endVector();
}

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
